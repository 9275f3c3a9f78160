/** A statement of a fact: reads its value in the shape that the fact has. */

import type { FactName, FactObservation, FactValues } from '../../core/statements/observation.ts'
import { parseReferenceNumber } from '../../core/values/identifiers.ts'
import { unreachable } from '../../core/values/unreachable.ts'
import { openCheck } from './check.ts'
import { readPlace } from './place.ts'
import { StatementProblem } from './problem.ts'
import { type FactShape, factShapes, valueSchemas, type WrittenStatement } from './schema.ts'
import { tidied } from './text.ts'
import { readTime } from './time.ts'

const checks = {
  text: openCheck(valueSchemas.text),
  number: openCheck(valueSchemas.number),
  boolean: openCheck(valueSchemas.boolean),
  time: openCheck(valueSchemas.time),
  timeOrNull: openCheck(valueSchemas.timeOrNull),
  hold: openCheck(valueSchemas.hold),
  holds: openCheck(valueSchemas.holds),
  fee: openCheck(valueSchemas.fee),
  fees: openCheck(valueSchemas.fees),
}

export type SaidFact = Pick<FactObservation, 'kind' | 'fact' | 'value'>

export function readFact({ value }: WrittenStatement, fact: FactName): SaidFact {
  if (value === undefined) throw new StatementProblem('missing_field', '/value', 'the fact has no value')
  const read = valueIn(factShapes[fact], value)
  // `factShapes` gives the shape of each fact, so the type of the value fits.
  return { kind: 'fact', fact, value: isNumber(fact) ? numberOf(read) : read } as SaidFact
}

function valueIn(shape: FactShape, value: unknown): FactValues[FactName] {
  switch (shape) {
    case 'place':
      return readPlace(value, '/value')
    case 'text':
      return tidied(checks[shape](value, '/value'), '/value')
    case 'time':
      return readTime(checks[shape](value, '/value'), '/value')
    case 'timeOrNull': {
      const text = checks[shape](value, '/value')
      return text === null ? null : readTime(text, '/value')
    }
    case 'number':
    case 'boolean':
      return checks[shape](value, '/value')
    case 'hold':
      return described(checks[shape](value, '/value'))
    case 'holds':
      return checks[shape](value, '/value').map(described)
    case 'fee': {
      const { type, status, amount = null, currency = null, description } = checks[shape](value, '/value')
      return { type, status, amount, currencyCode: currency, ...described({ description }) }
    }
    case 'fees':
      return checks[shape](value, '/value').map(({ type, amount, currency }) => ({
        type,
        amount,
        currencyCode: currency,
      }))
    default:
      return unreachable(shape)
  }
}

function described<Said extends { readonly description?: string | null | undefined }>(
  said: Said,
): Omit<Said, 'description'> & { readonly description: string | null } {
  const { description } = said
  return { ...said, description: description == null ? null : tidied(description, '/value/description') }
}

function isNumber(fact: FactName): boolean {
  return fact === 'bill_of_lading_number' || fact === 'booking_number'
}

function numberOf(value: FactValues[FactName]): string {
  const parsed = parseReferenceNumber(String(value))
  if (parsed.ok) return parsed.value
  throw new StatementProblem('wrong_type', '/value', parsed.reason.replaceAll('_', ' '))
}
