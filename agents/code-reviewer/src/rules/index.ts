// All rules, in the order in which the README lists them.
import { focusedTest, leftoverDebugging, skippedTest } from './debugging.ts'
import { swallowedError } from './errors.ts'
import { codeFromStrings, shellInjection, sqlFromStrings } from './injection.ts'
import { mergeConflict, suppressedCheck, todoWithoutTicket } from './leftovers.ts'
import { destructiveMigration } from './migrations.ts'
import { moneyInFloats } from './money.ts'
import type { Rule } from './rule.ts'
import { hardCodedSecret } from './secrets.ts'
import {
  predictableRandom,
  sensitiveLog,
  tlsVerificationOff,
  unsafeComparison,
  weakHash,
} from './security.ts'
import { binaryFile, oversizedChange } from './size.ts'
import { removedTests, untestedChange } from './tests.ts'

export const rules: readonly Rule[] = [
  hardCodedSecret,
  sqlFromStrings,
  shellInjection,
  codeFromStrings,
  tlsVerificationOff,
  mergeConflict,
  moneyInFloats,
  swallowedError,
  sensitiveLog,
  unsafeComparison,
  predictableRandom,
  destructiveMigration,
  focusedTest,
  removedTests,
  untestedChange,
  oversizedChange,
  leftoverDebugging,
  skippedTest,
  suppressedCheck,
  weakHash,
  todoWithoutTicket,
  binaryFile,
]
