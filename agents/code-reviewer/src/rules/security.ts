// Protection that is switched off, weak, or leaks what it should protect.
import type { ChangedFile } from '../diff.ts'
import { isCode, isDocs, isSource, isTest } from '../paths.ts'
import { codeBefore, fileRule, findInAdded } from './rule.ts'

export const tlsVerificationOff = fileRule(
  {
    name: 'tls-verification-off',
    severity: 'critical',
    finds: '`rejectUnauthorized: false`, `NODE_TLS_REJECT_UNAUTHORIZED=0`, `curl --insecure`',
  },
  (path) => !isTest(path) && !isDocs(path),
  (file) => {
    const message = 'Certificates are not verified: anyone in between can read and answer'
    const option = /\b(?:rejectUnauthorized|strictSSL)\b\s*[:=]\s*false\b/g
    const variable = /NODE_TLS_REJECT_UNAUTHORIZED['"\]]*\s*([:=])\s*['"]?0\b/dg
    return [
      ...findInAdded(file, 'code', option, message),
      // In a comment or a string, the sign between name and value is not the code's.
      ...findInAdded(file, 'text', variable, ({ indices, index, 1: sign }) =>
        file.source.code[indices?.[1]?.[0] ?? 0] === sign && !isRemark(file, index) ? message : undefined,
      ),
      ...findInAdded(file, 'code', /\bcurl\b.*/g, ({ 0: command, index }) =>
        insecure.test(command) && !isCode(file.path) && !isRemark(file, index) ? message : undefined,
      ),
    ]
  },
)

const insecure = /\s(?:--insecure|-[a-zA-Z]*k)(?=\s|$)/
const isRemark = (file: ChangedFile, offset: number) => /^\s*#/.test(codeBefore(file, offset))

export const weakHash = fileRule(
  { name: 'weak-hash', severity: 'minor', finds: 'MD5 and SHA-1' },
  isSource,
  (file) =>
    findInAdded(file, 'text', /\bcreate(?:Hash|Hmac)\(\s*(['"`])(md5|sha1)\1/gi, ({ index, 2: hash }) =>
      file.source.code[index] === 'c' ? `${hash} is broken: use sha256` : undefined,
    ),
)

const secretWords = ['id', 'token', 'secret', 'key', 'nonce', 'password', 'salt', 'otp', 'pin']
const capitals = secretWords.map((word) => word[0]?.toUpperCase() + word.slice(1))
const secretName = new RegExp(`(?:(?<![a-zA-Z])(?:${secretWords.join('|')})|${capitals.join('|')}|ID)\\b`)

export const predictableRandom = fileRule(
  { name: 'predictable-random', severity: 'major', finds: '`Math.random()` for ids, keys and tokens' },
  isSource,
  (file) =>
    findInAdded(file, 'code', /\bMath\.random\(\)/g, ({ index }) =>
      secretName.test(codeBefore(file, index))
        ? 'Math.random can be predicted: use randomUUID or randomBytes'
        : undefined,
    ),
)

const operand = '((?<![\\w$.])(?:typeof\\s+)?[\\w$.]+(?:\\([^()\\n]*\\))?|[\'"`])'
const comparison = new RegExp(`${operand}\\s*[!=]==?\\s*${operand}`, 'g')
const isSignature = (name = '') => /(?:[sS]ignature|[hH]mac)(?:\([^()]*\))?$|\.digest\([^()]*\)$/.test(name)
const isPlain = (name = '') => /^(?:typeof\s|(?:undefined|null|true|false)$|[\d'"`])/.test(name)

export const unsafeComparison = fileRule(
  { name: 'unsafe-comparison', severity: 'major', finds: 'signatures compared with `===`' },
  isSource,
  (file) =>
    findInAdded(file, 'code', comparison, ([, left, right]) =>
      (isSignature(left) || isSignature(right)) && !isPlain(left) && !isPlain(right)
        ? 'The time that this comparison takes tells how much was right: use timingSafeEqual'
        : undefined,
    ),
)

const confidential =
  /(?<![\w$])(?!has|is|no)[\w$]*(?:[pP]assword|[sS]ecret|[tT]oken|[cC]vv|[cC]vc|[cC]ardNumber|card_number|[iI]ban|[aA]uthorization|[aA]pi_?[kK]ey)\b(?! ?[?(]|\.length)/

export const sensitiveLog = fileRule(
  { name: 'sensitive-log', severity: 'major', finds: 'passwords, tokens and card data in log calls' },
  isSource,
  (file) =>
    findInAdded(file, 'code', /\b(?:console|log(?:ger)?)\.\w+\(([^;\n]*)/g, ([, logged = '']) =>
      confidential.test(logged) && !/mask|redact|hash|last4/i.test(logged)
        ? 'This writes confidential data to the log'
        : undefined,
    ),
)
