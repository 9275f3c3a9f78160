/** A statement of a fact: reads its value in the shape that the fact has. */

import { type FactValueKind, factTable } from '../../domain/statements/facts.ts'
import type { FactName, FactObservation, FactValues } from '../../domain/statements/observation.ts'
import { parseReferenceNumber } from '../../domain/values/identifiers.ts'
import { unreachable } from '../../domain/values/unreachable.ts'
import { makeSchemaCheck } from './check.ts'
import { readPlace } from './place.ts'
import { StatementProblem } from './problem.ts'
import { valueSchemas, type WrittenStatement } from './schema.ts'
import { normalizeText } from './text.ts'
import { readTime } from './time.ts'

const checks = {
  text: makeSchemaCheck(valueSchemas.text),
  number: makeSchemaCheck(valueSchemas.number),
  boolean: makeSchemaCheck(valueSchemas.boolean),
  time: makeSchemaCheck(valueSchemas.time),
  timeOrNull: makeSchemaCheck(valueSchemas.timeOrNull),
  hold: makeSchemaCheck(valueSchemas.hold),
  holds: makeSchemaCheck(valueSchemas.holds),
  fee: makeSchemaCheck(valueSchemas.fee),
  fees: makeSchemaCheck(valueSchemas.fees),
}

export type StatedFact = Pick<FactObservation, 'kind' | 'fact' | 'value'>

export function readFact({ value }: WrittenStatement, fact: FactName): StatedFact {
  if (value === undefined) throw new StatementProblem('missing_field', '/value', 'the fact has no value')
  const read = readFactValue(factTable[fact].value, value)
  // `factTable` gives the kind of each fact's value, so the type of the value fits.
  return { kind: 'fact', fact, value: isNumber(fact) ? numberOf(read) : read } as StatedFact
}

function readFactValue(kind: FactValueKind, value: unknown): FactValues[FactName] {
  switch (kind) {
    case 'place':
      return readPlace(value, '/value')
    case 'text':
      return normalizeText(checks[kind](value, '/value'), '/value')
    case 'time':
      return readTime(checks[kind](value, '/value'), '/value')
    case 'timeOrNull': {
      const text = checks[kind](value, '/value')
      return text === null ? null : readTime(text, '/value')
    }
    case 'number':
    case 'boolean':
      return checks[kind](value, '/value')
    case 'hold':
      return normalizeDescription(checks[kind](value, '/value'))
    case 'holds':
      return checks[kind](value, '/value').map(normalizeDescription)
    case 'fee': {
      const { type, status, amount = null, currency = null, description } = checks[kind](value, '/value')
      return { type, status, amount, currencyCode: currency, ...normalizeDescription({ description }) }
    }
    case 'fees':
      return checks[kind](value, '/value').map(({ type, amount, currency }) => ({
        type,
        amount,
        currencyCode: currency,
      }))
    default:
      return unreachable(kind)
  }
}

function normalizeDescription<Item extends { readonly description?: string | null | undefined }>(
  item: Item,
): Omit<Item, 'description'> & { readonly description: string | null } {
  const { description } = item
  return {
    ...item,
    description: description == null ? null : normalizeText(description, '/value/description'),
  }
}

function isNumber(fact: FactName): boolean {
  return fact === 'bill_of_lading_number' || fact === 'booking_number'
}

function numberOf(value: FactValues[FactName]): string {
  const parsed = parseReferenceNumber(String(value))
  if (parsed.ok) return parsed.value
  throw new StatementProblem('wrong_type', '/value', parsed.reason.replaceAll('_', ' '))
}
