import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addressesFor, documentedPorts, publicUrl } from './addresses.ts'

const of = (env: NodeJS.ProcessEnv) => addressesFor(env, 'deployer', documentedPorts)

test('each agent has a public address of its own, and the planner finds its peers there', () => {
  const env = {
    DEPLOYER_PUBLIC_URL: 'https://deployer.example/',
    DEPLOYER_GRPC_PUBLIC_URL: 'https://deployer.example:50051',
    CODE_REVIEWER_PUBLIC_URL: 'https://reviewer.example',
  }
  expect(of(env)).toEqual({
    GRPC_PORT: '42243',
    PUBLIC_URL: 'https://deployer.example/',
    GRPC_PUBLIC_URL: 'https://deployer.example:50051',
    DEPLOYER_URL: 'https://deployer.example',
    CODE_REVIEWER_URL: 'https://reviewer.example',
  })
  expect(addressesFor(env, 'planner', documentedPorts).PUBLIC_URL).toBeUndefined()
  expect(publicUrl(env, 'planner', documentedPorts)).toBe('http://localhost:41241')
})

test('where nothing is set, agents are at localhost, by https where they have a certificate', () => {
  expect(of({})).toMatchObject({ DEPLOYER_URL: 'http://localhost:41243', PUBLIC_URL: undefined })
  expect(of({ TLS_CERT_FILE: 'cert.pem' }).CODE_REVIEWER_URL).toBe('https://localhost:41242')
  expect(of({ DEPLOYER_URL: 'https://elsewhere.example' }).DEPLOYER_URL).toBe('https://elsewhere.example')
})

test.each(['PUBLIC_URL', 'GRPC_PUBLIC_URL'])(
  '%s for all three is refused, and its kin are named',
  (variable) => {
    expect(() => of({ [variable]: 'agents.example:443' })).toThrow(
      `${variable} would give all three agents one address: set PLANNER_${variable}, CODE_REVIEWER_${variable}, DEPLOYER_${variable} instead.`,
    )
  },
)

test('the image has every file that its scripts import', () => {
  const root = join(import.meta.dirname, '..')
  const inImage = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
  const imported = (file: string): string[] => [
    file,
    ...[...readFileSync(join(root, file), 'utf8').matchAll(/ from '\.\/(\S+)'/g)].flatMap(([, name]) =>
      imported(`scripts/${name}`),
    ),
  ]
  const needed = [...imported('scripts/container.ts'), ...imported('scripts/audit.ts')]
  expect(needed).toContain('scripts/addresses.ts')
  expect(needed.filter((file) => !inImage.includes(`!${file}`))).toEqual([])
})
