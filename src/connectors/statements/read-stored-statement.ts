/** Reads one stored statement: its observation, for the number of the message part. */

import { factTable } from '../../domain/statements/facts.ts'
import { type FactObservation, nowhere, type Observation } from '../../domain/statements/observation.ts'
import { noEventCounts } from '../../domain/tracking-requests/event-counts.ts'
import { instantOf } from '../../domain/values/time.ts'
import { documentFacts } from '../document-facts.ts'
import { openTally } from '../event-tally.ts'
import { parseObject, sortMentionedNumbers, withoutBlanks } from '../json-delivery.ts'
import type { MentionedNumber, PartContext } from '../pushed-source.ts'
import type { RawSnapshot, Reading } from '../source.ts'
import { IssueList } from '../source-issue.ts'
import { type Numbers, readStatement, type Statement } from './statement.ts'

export function readStoredStatement(snapshot: RawSnapshot, { messageSubject: subject }: PartContext): Reading {
  const issues = new IssueList(1)
  const value = parseObject(snapshot.body)
  const read = value === null ? null : readStatement(value)
  if (read === null) issues.add('not_json', { path: '', lost: 'answer' }, 'this is not a JSON object')
  else if (read.kind === 'refusal') {
    const { kind, field, message } = read.problem
    issues.add(kind, { path: field, lost: 'event' }, message)
  }
  if (read?.kind !== 'statement') return createEmptyReading(issues)
  const mentioned = listStatementNumbers(read.numbers)
  const isOurs = mentioned.some(({ kind, number }) => kind === subject.kind && number === withoutBlanks(subject.number))
  const fetchedAtMs = Date.parse(snapshot.fetchedAt)
  const reading = readingOf(read, { issues, isOurs, fetchedAtMs })
  const isCancelled = reading.observations.some(isCancellation) && subject.kind === 'booking'
  return isCancelled ? { ...reading, outcome: 'cancelled' } : reading
}

function createEmptyReading(issues: IssueList): Reading {
  const about = { billNumbers: [], bookingNumbers: [], equipment: [] }
  const none = { observations: [], withdrawn: [], statedFullPicture: false, events: noEventCounts }
  return { outcome: 'unrecognized', issues: issues.all(), about, ...none }
}

interface ReadingContext {
  readonly issues: IssueList
  readonly isOurs: boolean
  readonly fetchedAtMs: number
}

function readingOf(read: Statement, { issues, isOurs, fetchedAtMs }: ReadingContext): Reading {
  const { numbers, checkDigit, withdrawn } = read
  const observation = isOurs ? checkPlausibility(read.observation, fetchedAtMs, issues) : null
  const tally = openTally()
  const placeless = observation === null ? null : findUnknownPlace(observation)
  if (!isOurs) tally.ignored()
  else if (read.observation !== null && observation === null) tally.lost('implausible_time')
  else if (placeless !== null) tally.partly('unknown_place')
  else tally.understood()
  if (placeless !== null) issues.add('unknown_place', { path: placeless, lost: 'field' }, 'the place is not known')
  if (checkDigit !== null) issues.add('check_digit', { path: '/container', lost: 'nothing' }, checkDigit)
  const isMove = observation?.kind === 'event' && !observation.isRetracted
  return {
    outcome: !isOurs ? 'other_number' : isMove ? 'found' : 'known_without_data',
    observations: observation === null ? [] : [observation, ...documentsOf(observation, numbers)],
    issues: issues.all(),
    withdrawn: isOurs && withdrawn !== null ? [withdrawn] : [],
    statedFullPicture: false,
    about: {
      billNumbers: numbers.bill === null ? [] : [numbers.bill],
      bookingNumbers: numbers.booking === null ? [] : [numbers.booking],
      equipment: numbers.container === null ? [] : [numbers.container],
    },
    events: tally.counts(),
  }
}

/**
 * Facts for the bill and booking numbers of the statement, except for a number that is the stated fact itself. None for
 * a statement that is withdrawn.
 */
function documentsOf(observation: Observation, { bill, booking }: Numbers): readonly FactObservation[] {
  if (observation.isRetracted) return []
  const numbers = { bills: bill === null ? [] : [bill], bookings: booking === null ? [] : [booking] }
  return documentFacts(numbers, observation.statedAt).filter(
    ({ fact }) => observation.kind !== 'fact' || observation.fact !== fact,
  )
}

function isCancellation(observation: Observation): boolean {
  return (
    observation.kind === 'fact' &&
    observation.fact === 'booking_cancelled' &&
    observation.value === true &&
    !observation.isRetracted
  )
}

const hourMs = 3_600_000
const yearMs = 365 * 24 * hourMs

/** Null, with an issue, for an implausible time of writing or of the event. */
function checkPlausibility(
  observation: Observation | null,
  fetchedAtMs: number,
  issues: IssueList,
): Observation | null {
  if (observation === null) return null
  const { statedAt } = observation
  const lose = (path: string, what: string): null => {
    issues.add('implausible_time', { path, lost: 'event' }, what)
    return null
  }
  if (statedAt !== null && Date.parse(statedAt) > fetchedAtMs + 48 * hourMs)
    return lose('/written_at', 'the time of writing is later than the time of receipt')
  if (observation.kind !== 'event') return observation
  return Date.parse(instantOf(observation.time, null).at) > fetchedAtMs + 2 * yearMs
    ? lose('/at', 'the time is more than two years ahead: a placeholder or a mistake')
    : observation
}

/** Where the statement has an unknown place; null when it has none. */
function findUnknownPlace(observation: Observation): string | null {
  if (observation.kind === 'event') {
    const { place } = observation
    return place !== nowhere && place.unlocode === null ? '/place' : null
  }
  if (factTable[observation.fact].value !== 'place') return null
  const { value } = observation
  return value !== null && typeof value === 'object' && 'unlocode' in value && value.unlocode === null ? '/value' : null
}

export function listStatementNumbers({ bill, booking, container }: Numbers): readonly MentionedNumber[] {
  const toMentioned = (kind: MentionedNumber['kind'], number: string | null): readonly MentionedNumber[] =>
    number === null ? [] : [{ kind, number }]
  return sortMentionedNumbers([
    ...toMentioned('bill_of_lading', bill),
    ...toMentioned('booking', booking),
    ...toMentioned('container', container),
  ])
}
