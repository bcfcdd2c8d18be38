// Who reaches an agent by the address that it listens on: with nobody told apart, none but those at this machine may decide.
import ipaddr from 'ipaddr.js'
import type { OperatorOptions } from './options.ts'

/** Whether only this machine reaches what listens on `host`. */
export const isLoopback = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback')

interface Reach {
  host: string
  publicUrl: string
  /** Whether the agent itself speaks TLS. */
  encrypted: boolean
  operators: OperatorOptions
}

/** Whether what operators sign in with can be read by whoever is on the way to the agent. */
export const isOverheard = ({ host, publicUrl, encrypted, operators }: Reach): boolean =>
  operators.tokens !== undefined && !isLoopback(host) && !encrypted && !publicUrl.startsWith('https:')

/** @throws Error that says what to do, where strangers could approve */
export function checkReach(host: string, { tokens, anyoneMayApprove }: OperatorOptions): void {
  if (isLoopback(host) || tokens !== undefined || anyoneMayApprove) return
  throw new Error(
    `it would listen on ${host}, where anybody who reaches it could approve. Set OPERATOR_TOKENS=name:token, or ANYONE_MAY_APPROVE=true if that is what you want.`,
  )
}
