// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the cases are code that holds templates
import { at, ruleCases } from './rule-cases.ts'

ruleCases('tls-verification-off', {
  planted: [
    'new Agent({ rejectUnauthorized: false })',
    `request({ url, strictSSL : false })`,
    `process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'`,
    `process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'`,
    at('Dockerfile', 'ENV NODE_TLS_REJECT_UNAUTHORIZED=0'),
    at('deploy.sh', 'curl --insecure https://example.com'),
    at('deploy.sh', 'curl -sk https://example.com'),
  ],
  quiet: [
    'new Agent({ rejectUnauthorized: true })',
    'new Agent({ rejectUnauthorized: config.verify })',
    '// rejectUnauthorized: false',
    "// process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'",
    `const help = 'NODE_TLS_REJECT_UNAUTHORIZED=0'`,
    `const help = 'rejectUnauthorized: false'`,
    at('Dockerfile', '# ENV NODE_TLS_REJECT_UNAUTHORIZED=0'),
    at('deploy.sh', 'curl -o key https://example.com'),
    at('deploy.sh', 'curl https://example.com/-k/a'),
    at('test/a.test.ts', 'new Agent({ rejectUnauthorized: false })'),
    at('README.md', 'curl -k https://localhost'),
  ],
})

ruleCases('weak-hash', {
  planted: [`createHash('md5')`, 'crypto.createHash("SHA1").update(body)', `createHmac('sha1', key)`],
  quiet: [
    `createHash('sha256')`,
    `// createHash('md5')`,
    `const text = "createHash('md5')"`,
    at('test/a.test.ts', `createHash('md5')`),
  ],
})

ruleCases('predictable-random', {
  planted: [
    'const id = Math.random().toString(36)',
    'const sessionToken = `t-${Math.random()}`',
    'return { orderId: Math.floor(Math.random() * 1e9) }',
  ],
  quiet: [
    'const id = randomUUID()',
    'const delay = base * (1 + Math.random())',
    'const grid = Math.random()',
    '// id = Math.random()',
    `const text = 'id = Math.random()'`,
    at('test/a.test.ts', 'const id = Math.random()'),
  ],
})

ruleCases('unsafe-comparison', {
  planted: [
    'if (signature === expected) return true',
    'return header !== expectedSignature',
    `if (hmac.digest('hex') === given) return`,
    'if (request.signature == computed) return',
  ],
  quiet: [
    'if (signature === undefined) return false',
    'if (signature !== null) return',
    `if (typeof signature === 'string') return`,
    'if (signature.length !== 64) return false',
    'if (undefined === signature) return',
    'return timingSafeEqual(signature, expected)',
    'if (signatureCount === 2) return',
    'if (file.digest === known.digest) return',
    '// signature === expected',
    at('test/a.test.ts', 'assert(signature === expected)'),
  ],
})

ruleCases('sensitive-log', {
  planted: [
    'console.error(password)',
    `log.info('signed in', { user, token })`,
    'logger.debug({ card: card.cardNumber, cvv })',
    'log.error(request.headers.authorization)',
    'log.info(`secret is ${config.webhookSecret}`)',
  ],
  quiet: [
    `log.info('the password was changed', { user })`,
    'log.info({ tokenCount, hasPassword, tokens: tokens.length })',
    'log.info({ token: redact(token) })',
    'log.info({ card: card.last4 })',
    'const token = log.info(user)',
    '// log.info(password)',
    at('test/a.test.ts', 'console.log(token)'),
  ],
})
