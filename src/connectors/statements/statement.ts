/**
 * One statement: checks it against the schema, parses its numbers and times, and makes its observation. A statement
 * with any fault is refused completely, and the wrong member is named, so that the sender can correct it.
 */

import { factTable } from '../../domain/statements/facts.ts'
import type { FactName, Observation } from '../../domain/statements/observation.ts'
import { parseEquipmentReference, parseReferenceNumber } from '../../domain/values/identifiers.ts'
import type { JsonObject } from '../../domain/values/json-value.ts'
import { checkDigitFault } from '../container-reference.ts'
import { quoteValue } from '../source-issue.ts'
import { makeSchemaCheck } from './check.ts'
import { readEvent } from './event.ts'
import { readFact, type StatedFact } from './fact.ts'
import { keyOfStatement } from './key.ts'
import { StatementProblem } from './problem.ts'
import { eventMembers, statementSchema, type WrittenStatement } from './schema.ts'
import { normalizeText } from './text.ts'
import { readWrittenAt } from './time.ts'

export interface Numbers {
  readonly container: string | null
  readonly bill: string | null
  readonly booking: string | null
}

export interface Statement {
  readonly kind: 'statement'
  readonly numbers: Numbers
  /** What is wrong with the check digit of the container, in a sentence. */
  readonly checkDigit: string | null
  readonly id: string | null
  readonly writtenAt: string | null
  /** Null for a statement that only withdraws the statement under its id. */
  readonly observation: Observation | null
  readonly withdrawn: string | null
}

export interface Refusal {
  readonly kind: 'refusal'
  readonly problem: StatementProblem
}

export function readStatement(value: JsonObject): Statement | Refusal {
  try {
    return readStatementOrThrow(value)
  } catch (error) {
    if (error instanceof StatementProblem) return { kind: 'refusal', problem: error }
    throw error
  }
}

/** Reads a fact alone, when the numbers are known from elsewhere. */
export function readStatedFact(fact: FactName, value: unknown): StatedFact | Refusal {
  try {
    return readFact({ value }, fact)
  } catch (error) {
    if (error instanceof StatementProblem) return { kind: 'refusal', problem: error }
    throw error
  }
}

function readStatementOrThrow(value: JsonObject): Statement {
  const written = checkMembers(value)
  const { numbers, checkDigit } = readNumbers(written)
  const id = written.id === undefined ? null : normalizeText(written.id, '/id')
  const isRetracted = written.retracted === true
  const writtenAt = readWrittenAt(written.written_at)
  if (written.says === undefined) {
    if (!isRetracted || id === null)
      throw new StatementProblem('missing_field', '/says', 'the member says is missing: it names an event or a fact')
    return { kind: 'statement', numbers, checkDigit, id, writtenAt, observation: null, withdrawn: id }
  }
  const content = isFact(written.says) ? readFact(written, written.says) : readEvent(written, written.says)
  const stated = { equipment: numbers.container, statedAt: writtenAt, isRetracted }
  const unkeyed = { ...content, ...stated }
  const key = keyOfStatement(unkeyed, numbers, id)
  const observation = { ...unkeyed, key } as Observation
  const withdrawn = isRetracted ? key : null
  return { kind: 'statement', numbers, checkDigit, id, writtenAt, observation, withdrawn }
}

function isFact(statedName: string): statedName is FactName {
  return Object.hasOwn(factTable, statedName)
}

const checkStatement = makeSchemaCheck(statementSchema)

function checkMembers(value: JsonObject): WrittenStatement {
  for (const name of Object.keys(value))
    if (!Object.hasOwn(statementSchema.properties, name))
      throw new StatementProblem('wrong_structure', '', `${quoteValue(name)} is not a member of a statement: remove it`)
  const written = checkStatement(value, '')
  const { says } = written
  if (says === undefined) return written
  if (!isFact(says)) {
    if (written.value === undefined) return written
    throw new StatementProblem('wrong_structure', '/value', 'only a fact has a value: remove it from this event')
  }
  for (const name of Object.keys(eventMembers))
    if (Object.hasOwn(value, name))
      throw new StatementProblem(
        'wrong_structure',
        `/${name}`,
        'only an event has this member: remove it from this fact',
      )
  return written
}

function readNumbers({ container, bill, booking }: WrittenStatement): Pick<Statement, 'numbers' | 'checkDigit'> {
  const equipment = container === undefined ? null : parseEquipmentReference(container)
  if (equipment?.ok === false)
    throw new StatementProblem('bad_equipment', '/container', equipment.reason.replaceAll('_', ' '))
  const reference = (text: string | undefined, field: string): string | null => {
    const parsed = text === undefined ? null : parseReferenceNumber(text)
    if (parsed?.ok === false) throw new StatementProblem('wrong_type', field, parsed.reason.replaceAll('_', ' '))
    return parsed?.value ?? null
  }
  const numbers = {
    container: equipment?.value.number ?? null,
    bill: reference(bill, '/bill'),
    booking: reference(booking, '/booking'),
  }
  if (Object.values(numbers).every((each) => each === null))
    throw new StatementProblem('missing_field', '', 'a container, bill or booking number is needed')
  return { numbers, checkDigit: equipment === null ? null : checkDigitFault(equipment.value) }
}
