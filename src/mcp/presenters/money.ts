/** Money as sources name it: a currency that is no code is data. */

import { type Money, writeMoney } from '../../domain/charges/money.ts'
import { markUnlessCode } from './fence.ts'

export function writeNamedMoney({ minor, currency }: Money): string {
  return writeMoney({ minor, currency: markUnlessCode(currency) })
}
