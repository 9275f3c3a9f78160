/** Bodies of charge terms: the same fields as a table has, as JSON. One reader checks both. */

import { writeAmount } from '../../../core/charges/money.ts'
import { type NamedTerms, readTerms } from '../../../core/charges/read-terms.ts'
import { Type } from '../../../platform/json-schema.ts'
import { termsProperties } from '../../documents/resources/charges/charge-terms.ts'
import { Problem } from '../../http/problem.ts'
import { readAttributes } from '../bodies/body.ts'
import { bodyOf } from '../description/operation.ts'
import { closed, readOnlyOf } from './attributes.ts'

const needed = [
  'code',
  'origin',
  'kind',
  'charged_by',
  'currency',
  'start',
  'stop',
  'free',
  'free_unit',
  'tiers',
]
const attributes = Type.Object(
  Object.fromEntries(
    Object.entries({ code: Type.String({ minLength: 1, maxLength: 64 }), ...termsProperties }).map(
      ([name, each]) => [name, needed.includes(name) ? each : Type.Optional(each)],
    ),
  ),
  closed,
)
export const chargeTermsBody = bodyOf('charge_terms', attributes)

export function readNewTerms(body: unknown): NamedTerms {
  const given = readAttributes(body, {
    type: 'charge_terms',
    id: null,
    attributes,
    readOnly: readOnlyOf('charge_terms', attributes),
  }) as Readonly<Record<string, unknown>>
  const read = readTerms(
    Object.fromEntries(Object.entries(given).map(([field, value]) => [field, cellOf(field, value, given)])),
  )
  if (read.ok) return read.value
  throw new Problem(
    'invalid',
    read.faults.map(({ field, problem }) => ({
      detail: `\`${field}\` ${problem}.`,
      source: { pointer: `/data/attributes/${field}` },
    })),
  )
}

interface GivenTier {
  readonly from: number
  readonly to: number | null
  readonly rate_minor: number | null
}

/** The value as the cell of a table; the schema of the body has checked its type. */
function cellOf(field: string, value: unknown, given: Readonly<Record<string, unknown>>): string {
  if (value === null) return ''
  if (field === 'tiers')
    return (value as readonly GivenTier[])
      .map(({ from, to, rate_minor: minor }) => {
        const rate = minor === null ? '?' : writeAmount({ minor, currency: String(given['currency']) })
        return `${from}-${to ?? ''}:${rate}`
      })
      .join(' ')
  if (Array.isArray(value)) return value.join(' ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(value)
}
