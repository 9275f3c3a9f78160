/** Money and sums of money as JSON. */

import * as schema from '../../api/shape/schema.ts'
import type { Money } from '../../domain/charges/money.ts'
import type { BillSum } from '../../domain/charges/tally.ts'
import { Type } from '../../platform/json-schema.ts'

const whole = Type.Integer({ minimum: 0 })
export const money = schema.object({
  minor: Type.Integer({ description: 'Minor units: 12050 of USD is 120.50.' }),
  currency: schema.text(),
})
export const moneyOrNull = schema.anyOf([money, schema.nothing()])

export const sums = {
  totals: schema.list(money, { description: 'One for each currency.' }),
  charged_days: whole,
  unpriced_days: Type.Integer({ minimum: 0, description: 'Charged days with a rate that is not known.' }),
  unknown_days: Type.Integer({
    minimum: 0,
    description: 'Days for which it is not known whether they are charged.',
  }),
}
export const sumSchema = schema.object(sums)

export function writeMoney({ minor, currency }: Money): object {
  return { minor, currency }
}

export function writeSum({ totals, chargedDays, unpricedDays, unknownDays }: BillSum): object {
  return {
    totals: totals.map(writeMoney),
    charged_days: chargedDays,
    unpriced_days: unpricedDays,
    unknown_days: unknownDays,
  }
}
