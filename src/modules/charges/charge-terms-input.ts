/** Bodies of charge terms: the same fields as a table has, as JSON. One reader checks both. */

import { Problem } from '../../api/errors/problem.ts'
import { closed } from '../../api/request-body/attributes.ts'
import { defineCreateBody } from '../../api/request-body/resource-body.ts'
import { writeAmount } from '../../domain/charges/money.ts'
import { type NamedTerms, readTerms } from '../../domain/charges/read-terms.ts'
import { Type } from '../../platform/json-schema.ts'
import { chargeTerms, termsProperties } from './charge-terms-resource.ts'

const needed = ['code', 'origin', 'kind', 'charged_by', 'currency', 'start', 'stop', 'free', 'free_unit', 'tiers']
const attributes = Type.Object(
  Object.fromEntries(
    Object.entries({ code: Type.String({ minLength: 1, maxLength: 64 }), ...termsProperties }).map(([name, each]) => [
      name,
      needed.includes(name) ? each : Type.Optional(each),
    ]),
  ),
  closed,
)
export const newTerms = defineCreateBody(chargeTerms, attributes, readNewTerms)

function readNewTerms(given: Readonly<Record<string, unknown>>): NamedTerms {
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

interface TierAttributes {
  readonly from: number
  readonly to: number | null
  readonly rate_minor: number | null
}

/** The value as the cell of a table; the schema of the body has checked its type. */
function cellOf(field: string, value: unknown, given: Readonly<Record<string, unknown>>): string {
  if (value === null) return ''
  if (field === 'tiers')
    return (value as readonly TierAttributes[])
      .map(({ from, to, rate_minor: minor }) => {
        const rate = minor === null ? '?' : writeAmount({ minor, currency: String(given['currency']) })
        return `${from}-${to ?? ''}:${rate}`
      })
      .join(' ')
  if (Array.isArray(value)) return value.join(' ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(value)
}
