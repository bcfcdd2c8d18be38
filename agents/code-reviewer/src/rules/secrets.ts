// Credentials written into the code. A message never repeats what it found.
import type { ChangedFile } from '../diff.ts'
import { isCode, isDocs, isGenerated, isTest } from '../paths.ts'
import { fileRule, findInAdded, type Place } from './rule.ts'

/** Credentials that give themselves away by their form: a finding in any file, tests and comments too. */
const forms: [name: string, form: RegExp][] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/g],
  ['an AWS access key', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g],
  ['a GitHub token', /\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_\w{22,}\b/g],
  ['a GitLab token', /\bglpat-[\w-]{20,}/g],
  ['a Slack token', /\bxox[abprs]-[\w-]{10,}/g],
  ['a Stripe live key', /\b[rs]k_live_[A-Za-z0-9]{16,}\b/g],
  ['a Google API key', /\bAIza[\w-]{35}\b/g],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}\b/g],
]

const urlWithPassword =
  /\b(?:https?|ftp|postgres(?:ql)?|mysql|mongodb(?:\+srv)?|redis|amqps?):\/\/[^\s:/@'"`]*:([^\s@/'"`]{3,})@([\w.-]+)/g

const name =
  '(?<![\\w$.-])([\\w$.-]*(?:password|passwd|pwd|secret|token|(?:api|access|private|secret|signing|encryption)_?key))'
/** `webhookSecret = '…'`, `"password": "…"`, `env.SECRET ?? '…'`. */
const assignment = new RegExp(
  `${name}['"]?(?:\\s*:\\s*string)?\\s*(?:[:=]|\\?\\?|\\|\\|)\\s*(['"\`])([^'"\`\\s]{6,})\\2`,
  'gi',
)
/** `DB_PASSWORD=…` and `password: …`, as configuration files have it. */
const setting = new RegExp(
  `^[ \\t]*(?:export |ENV |- )?${name}[ \\t]*[:=][ \\t]*([^\\s'"]{6,})[ \\t]*$`,
  'gim',
)

const keyFile = /(?:^|\/)(?:id_rsa|id_ed25519|[^/]+\.(?:p12|pfx|jks|keystore))$/
const envFile = /(?:^|\/)\.env(?:\.[\w.-]+)?$/
const isSample = (path: string) => /\.(?:example|sample|template|dist)$/.test(path)

/** Whether the value stands for a secret instead of being one. */
const isPlaceholder = (value: string) =>
  /^[<$%{[*!]|\$\{|^(.)\1*$|x{6,}|\*{3,}|\.\.\./i.test(value) ||
  /example|change|placeholder|your|dummy|redacted|replace|required|password|secret|token|key/i.test(value) ||
  /(?:^|[^a-z])(?:test|fake|sample|none|null|undefined|string|process|env)(?:[^a-z]|$)/i.test(value)

/** Whether the value is a secret, given that its name says so. Words such as `payment.authorized` are not. */
function isSecret(name: string, value: string): boolean {
  if (isPlaceholder(value)) return false
  if (/(?:password|passwd|pwd)$/i.test(name)) return true
  const isMixed = /\d/.test(value) && /[a-z]/i.test(value) && !/^[a-z]+(?:[._/-][a-z0-9]+)+$/.test(value)
  return isMixed && value.length >= (/secret$/i.test(name) ? 8 : 16)
}

export const hardCodedSecret = fileRule(
  {
    name: 'hard-coded-secret',
    severity: 'critical',
    finds: 'tokens, private keys, passwords, URLs with a password, files of keys',
  },
  () => true,
  (file) => {
    const { path } = file
    const certain = [...knownForms(file), ...keyFiles(file)]
    if (isTest(path) || isDocs(path) || isSample(path) || isGenerated(path)) return certain
    return [...certain, ...urls(file), ...assignments(file), ...(isCode(path) ? [] : settings(file))]
  },
)

const knownForms = (file: ChangedFile): Place[] =>
  forms.flatMap(([name, form]) =>
    findInAdded(file, 'text', form, ([found]) =>
      /example|x{6,}|0{8,}/i.test(found)
        ? undefined
        : `This is ${name}: revoke it, and read it from the environment`,
    ),
  )

const keyFiles = ({ path, status }: ChangedFile): Place[] =>
  status !== 'deleted' && (keyFile.test(path) || (envFile.test(path) && !isSample(path)))
    ? [{ file: path, line: 1, message: 'A file of credentials does not belong in the repository' }]
    : []

const urls = (file: ChangedFile): Place[] =>
  findInAdded(file, 'text', urlWithPassword, ([, password = '', host = '']) =>
    isPlaceholder(password) || /^(?:localhost|127\.0\.0\.1)$/.test(host)
      ? undefined
      : `The URL of ${host} holds a password: read it from the environment`,
  )

const messageFor = (name: string, value: string) =>
  isSecret(name, value)
    ? `The value of ${name} is written into the code: read it from the environment`
    : undefined

const assignments = (file: ChangedFile): Place[] =>
  findInAdded(file, 'text', assignment, ({ 0: found, 1: name = '', 2: quote, 3: value = '', index }) => {
    // In a comment, or within another string, the quote is none of the code's own.
    const opening = index + found.length - value.length - 2
    return file.source.code[opening] === quote ? messageFor(name, value) : undefined
  })

const settings = (file: ChangedFile): Place[] =>
  findInAdded(file, 'text', setting, ([, name = '', value = '']) => messageFor(name, value))
