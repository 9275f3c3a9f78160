/**
 * One statement: checks it against the schema, parses its numbers and times, and makes its observation. A statement
 * with any fault is refused as a whole, and the wrong member is named, so that the sender can correct it.
 */

import type { FactName, Observation } from '../../core/statements/observation.ts'
import { parseContainerNumber, parseReferenceNumber } from '../../core/values/identifiers.ts'
import type { JsonObject } from '../../core/values/json-value.ts'
import { quoted } from '../source-issue.ts'
import { openCheck } from './check.ts'
import { readEvent } from './event.ts'
import { readFact, type SaidFact } from './fact.ts'
import { keyOfStatement } from './key.ts'
import { StatementProblem } from './problem.ts'
import { eventMembers, factShapes, statementSchema, type WrittenStatement } from './schema.ts'
import { tidied } from './text.ts'
import { readWrittenAt } from './time.ts'

export interface Numbers {
  readonly container: string | null
  readonly bill: string | null
  readonly booking: string | null
}

export interface Statement {
  readonly kind: 'statement'
  readonly numbers: Numbers
  readonly id: string | null
  readonly writtenAt: string | null
  /** Null for a statement that only takes back what was said under its id. */
  readonly observation: Observation | null
  readonly withdrawn: string | null
}

export interface Refusal {
  readonly kind: 'refusal'
  readonly problem: StatementProblem
}

export function readStatement(value: JsonObject): Statement | Refusal {
  try {
    return readChecked(value)
  } catch (error) {
    if (error instanceof StatementProblem) return { kind: 'refusal', problem: error }
    throw error
  }
}

/** Reads a fact alone, when the numbers are known from elsewhere. */
export function readSaidFact(fact: FactName, value: unknown): SaidFact | Refusal {
  try {
    return readFact({ value }, fact)
  } catch (error) {
    if (error instanceof StatementProblem) return { kind: 'refusal', problem: error }
    throw error
  }
}

function readChecked(value: JsonObject): Statement {
  const written = check(value)
  const numbers = readNumbers(written)
  const id = written.id === undefined ? null : tidied(written.id, '/id')
  const isRetracted = written.retracted === true
  const writtenAt = readWrittenAt(written.written_at)
  if (written.says === undefined) {
    if (!isRetracted || id === null)
      throw new StatementProblem(
        'missing_field',
        '/says',
        'the member says is missing: it names an event or a fact',
      )
    return { kind: 'statement', numbers, id, writtenAt, observation: null, withdrawn: id }
  }
  const said = isFact(written.says) ? readFact(written, written.says) : readEvent(written, written.says)
  const stated = { equipment: numbers.container, statedAt: writtenAt, isRetracted }
  const unkeyed = { ...said, ...stated }
  const key = keyOfStatement(unkeyed, numbers, id)
  const observation = { ...unkeyed, key } as Observation
  return { kind: 'statement', numbers, id, writtenAt, observation, withdrawn: isRetracted ? key : null }
}

function isFact(says: string): says is keyof typeof factShapes {
  return Object.hasOwn(factShapes, says)
}

const checkStatement = openCheck(statementSchema)

function check(value: JsonObject): WrittenStatement {
  for (const name of Object.keys(value))
    if (!Object.hasOwn(statementSchema.properties, name))
      throw new StatementProblem(
        'wrong_structure',
        '',
        `${quoted(name)} is not a member of a statement: remove it`,
      )
  const written = checkStatement(value, '')
  const { says } = written
  if (says === undefined) return written
  if (!isFact(says)) {
    if (written.value === undefined) return written
    throw new StatementProblem(
      'wrong_structure',
      '/value',
      'only a fact has a value: remove it from this event',
    )
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

function readNumbers({ container, bill, booking }: WrittenStatement): Numbers {
  const box = container === undefined ? null : parseContainerNumber(container)
  if (box?.ok === false)
    throw new StatementProblem('bad_equipment', '/container', box.reason.replaceAll('_', ' '))
  const reference = (text: string | undefined, field: string): string | null => {
    const parsed = text === undefined ? null : parseReferenceNumber(text)
    if (parsed?.ok === false)
      throw new StatementProblem('wrong_type', field, parsed.reason.replaceAll('_', ' '))
    return parsed?.value ?? null
  }
  const numbers = {
    container: box?.value ?? null,
    bill: reference(bill, '/bill'),
    booking: reference(booking, '/booking'),
  }
  if (Object.values(numbers).every((each) => each === null))
    throw new StatementProblem('missing_field', '', 'a container, bill or booking number is needed')
  return numbers
}
