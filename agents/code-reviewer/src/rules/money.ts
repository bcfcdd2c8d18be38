// Amounts of money in floating point, where 0.1 + 0.2 is not 0.3.
import { isSource } from '../paths.ts'
import { codeBefore, fileRule, findInAdded } from './rule.ts'

const words = ['amount', 'price', 'subtotal', 'total', 'balance', 'fee', 'cost', 'refund', 'payout', 'charge']
const capitals = words.map((word) => word[0]?.toUpperCase() + word.slice(1))
const path = '(?<![\\w$.])(?:[\\w$]+\\??\\.)*'
const stem = `${path}(?:(?:[\\w$]*_)?(?:${words.join('|')})|[\\w$]*(?:${capitals.join('|')}))s?`
/** `price`, `row.unit_price`, `order.unitPrice`. */
const money = `${stem}(?![\\w$])`
/** Those, and `priceMinor`, `amount_in_cents`: whole numbers until they are divided. */
const anyMoney = `${stem}(?:(?:_?[iI]n)?_?(?:[mM]inor|[cC]ents|[pP]ence))?(?![\\w$])`
const notRounded = '(?<!Math\\.(?:round|floor|ceil|trunc)\\()'

/** An operation, and what must stand in the code before it on its line. */
const operations: [operation: RegExp, before: RegExp, message: string][] = [
  [new RegExp(`\\bparseFloat\\((?:String\\()?${anyMoney}`, 'g'), /(?:)/, 'An amount is read as a float'],
  [/\bparseFloat\(/g, new RegExp(`${money}\\s*[:=](?!=)[^;,]*$`), 'An amount is read as a float'],
  [new RegExp(`(?<![\\w$.])Number\\(${money}\\)`, 'g'), /(?:)/, 'An amount is read as a float'],
  [/\.toFixed\(/g, new RegExp(`${anyMoney}(?: ?/ ?\\d+)?\\)*$`), 'An amount is rounded as a float'],
  [/\* ?100(?![\w.])/g, new RegExp(`(?<!/ ?)${money} ?$`), 'An amount is scaled as a float'],
  [/\/ ?100(?![\w.])/g, new RegExp(`${notRounded}${anyMoney} ?$`), 'An amount is divided into a float'],
  [/[*/] ?\d*\.\d+/g, new RegExp(`${notRounded}${money} ?$`), 'An amount is scaled by a float'],
  [
    new RegExp(`(?<![\\w.])\\d*\\.\\d+ ?\\* ?${money}`, 'g'),
    new RegExp(`${notRounded}$`),
    'An amount is scaled by a float',
  ],
]

export const moneyInFloats = fileRule(
  {
    name: 'money-in-floats',
    severity: 'major',
    finds: '`parseFloat`, `toFixed`, `* 100` and the like on amounts',
  },
  isSource,
  (file) =>
    operations.flatMap(([operation, before, message]) =>
      findInAdded(file, 'code', operation, ({ index }) =>
        before.test(codeBefore(file, index)) ? `${message}: count in whole minor units` : undefined,
      ),
    ),
)
