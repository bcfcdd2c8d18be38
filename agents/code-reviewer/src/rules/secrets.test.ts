// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the cases are code that holds templates
import { at, ruleCases } from './rule-cases.ts'

// Tokens are put together here, so that no scanner takes this file for a leak.
const live = (prefix: string, length: number) => prefix + 'a1B2c3D4e5F6g7H8i9J0'.repeat(3).slice(0, length)
const awsKey = `AKIA${'Q3RT5UVWXY2Z4ABC'}`
const pem = ['-----BEGIN', 'RSA PRIVATE KEY-----'].join(' ')

ruleCases('hard-coded-secret', {
  planted: [
    `const key = '${awsKey}'`,
    `// old key: ${awsKey}`,
    `const github = "${live('ghp_', 36)}"`,
    `stripe('${live('sk_live_', 24)}')`,
    at('test/a.test.ts', `const key = '${live('xoxb-', 20)}'`),
    at('docs/setup.md', `export KEY=${live('npm_', 36)}`),
    at('config/key.txt', pem),
    `const password = 'letmein!'`,
    `const password: string = "correcthorse"`,
    `const webhookSecret = 'q8Zr2LwX0vTn5KdB7sYf'`,
    `login({ user: 'ann', dbPassword: 'hunter22' })`,
    `const secret = env.WEBHOOK_SECRET ?? 'q8Zr2LwX0vTn5KdB7sYf'`,
    `const token = process.env.API_TOKEN || '3f9a1c77b2d84e05a1b2'`,
    `const url = 'postgres://payments:Vie2ohgh7u@db.example.com/payments'`,
    at('config.json', '{ "apiKey": "9f8e7d6c5b4a39281706" }'),
    at('compose.yaml', '      POSTGRES_PASSWORD: hunter22'),
    at('deploy.sh', 'export DB_PASSWORD=hunter22'),
    at('.env', 'PORT=8080'),
    at('keys/id_rsa', 'anything'),
  ],
  quiet: [
    'const password = process.env.DB_PASSWORD',
    `const password = required('DB_PASSWORD')`,
    `const password = ''`,
    `const password = '<your password>'`,
    `const secret = 'changeme-please'`,
    `const apiKey = 'xxxxxxxxxxxxxxxx'`,
    `const key = 'AKIAIOSFODNN7EXAMPLE'`,
    'const token = `${prefix}-${randomUUID()}`',
    `const passwordField = 'input-password-1'`,
    `const tokenType = 'urn:ietf:params:oauth:1'`,
    `const token = 'payment.authorized.v1'`,
    `if (password === 'letmein99') throw new Error('too simple')`,
    `const errors = { password: 'is required', token: 'has expired' }`,
    `const codes = { token: 'invalid_token', password: 'password_wrong' }`,
    `// the password: 'letmein99' of the tests`,
    `const help = "set password='letmein99' to try it"`,
    'interface Login { password: string }',
    `const url = 'postgres://payments:secret@localhost/payments'`,
    'const url = `postgres://${user}:${password}@${host}/payments`',
    at('test/login.test.ts', `login({ password: 'letmein99' })`),
    at('README.md', `    password = 'letmein99'`),
    at('.env.example', 'DB_PASSWORD=hunter22'),
    at('.env.example', 'WEBHOOK_SECRET=<from the secret store>'),
    at('compose.yaml', '      POSTGRES_PASSWORD: ${POSTGRES_PASSWORD}'),
    at('k8s.yaml', '        secret: payments-webhook-v2'),
    at('package-lock.json', '"token": "a1b2c3d4e5f6a7b8c9d0"'),
  ],
})
