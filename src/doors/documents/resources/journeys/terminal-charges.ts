/** Holds and fees at a terminal or ramp, as the wire shows them. */

import { type Fee, feeTypes, type Hold } from '../../../../core/statements/observation.ts'
import * as schema from '../../shape/schema.ts'

export const holdSchema = schema.object({
  name: schema.text({ description: 'freight, customs, USDA, VACIS, TMF or other' }),
  status: schema.oneOf(['pending', 'hold']),
  description: schema.textOrNull(),
})

export const feeSchema = schema.object({
  type: schema.oneOf(feeTypes),
  amount: { type: 'number' },
  currency_code: schema.text({ description: 'ISO 4217' }),
})

export function writeHold({ name, status, description }: Hold) {
  return { name, status, description }
}

/** The amount of a `total` may contain that of other fees, so they cannot be added. 0 is a valid amount. */
export function writeFee({ type, amount, currencyCode }: Fee) {
  return { type, amount, currency_code: currencyCode }
}
