/** Converts statements into observations. The key of a statement stays the same when the partner repeats it. */

import type {
  EventObservation,
  FactObservation,
  Observation,
  ObservedPlace,
} from '../../domain/statements/observation.ts'
import { type EventTime, localDateIn } from '../../domain/values/time.ts'
import { type Documents, documentKeyOf } from './documents.ts'

/** What the message states about all its statements. */
export interface CommonStatement {
  readonly documents: Documents
  readonly statedAt: string | null
  /** True when the message withdraws an earlier one with the same content (BGM, function 1). */
  readonly isRetracted: boolean
}

export type StatedEvent = Omit<
  EventObservation,
  'kind' | 'key' | 'statedAt' | 'isRetracted' | 'callId' | 'callSequence'
>
/** `part` distinguishes several facts with one name of the same container: the name of a hold. */
export type StatedFact = Pick<FactObservation, 'fact' | 'value' | 'equipment'> & { readonly part?: string }

/**
 * The key consists of document, event, place and container, and never of the interchange. An actual event without a
 * document also has its day, because a container passes the same gate again with other cargo. An actual event with a
 * voyage has the voyage too, because under one document the container may call at the same port again on another ship.
 */
export function observeEvent(event: StatedEvent, by: CommonStatement): EventObservation {
  const { classifier, code, load, mode, place, voyage, equipment, original, time } = event
  const document = documentKeyOf(by.documents)
  const where = place.unlocode ?? place.facilityCode ?? place.name ?? '-'
  const day = document === null && classifier === 'ACT' ? [dayOf(time, place)] : []
  const what = [
    classifier,
    code ?? original ?? '-',
    load ?? '-',
    mode ?? '-',
    where,
    equipment ?? '-',
    ...day,
    ...(classifier === 'ACT' && voyage !== null ? [voyage] : []),
  ]
  return {
    ...event,
    kind: 'event',
    key: [document ?? '-', ...what].join('|'),
    statedAt: by.statedAt,
    isRetracted: by.isRetracted,
    callId: null,
    callSequence: null,
  }
}

/** The local day of a time at its place. */
function dayOf(time: EventTime, place: ObservedPlace): string {
  if (time.kind === 'day') return time.on
  if (time.kind === 'local') return time.local.slice(0, 10)
  return localDateIn(time.at, place.timeZone)
}

export function observeFact({ part, fact, value, equipment }: StatedFact, by: CommonStatement): FactObservation {
  const { statedAt, isRetracted, documents } = by
  const names = part === undefined ? [fact] : [fact, part]
  const key = [documentKeyOf(documents) ?? '-', ...names, equipment ?? '-'].join('|')
  // The type of the value fits the fact, because `SaidFact` has both together.
  return { kind: 'fact', key, fact, value, equipment, statedAt, isRetracted } as FactObservation
}

/** Bill and booking numbers are facts of the shipment. */
export function observeDocuments(by: CommonStatement): readonly FactObservation[] {
  const facts = ([fact, numbers]: readonly ['bill_of_lading_number' | 'booking_number', readonly string[]]) =>
    numbers.map((value) => observeFact({ fact, value, equipment: null, part: value }, by))
  return [...facts(['bill_of_lading_number', by.documents.bills]), ...facts(['booking_number', by.documents.bookings])]
}

/**
 * Makes keys unique. Repetitions count once. Of different facts with one key the last counts; different events with one
 * key are all retained and numbered, in the order of their content.
 */
export function withUniqueKeys(drafts: readonly Observation[]): readonly Observation[] {
  const byKey = Map.groupBy(drafts, ({ kind, key }) => `${kind} ${key}`)
  const used = new Set(drafts.map(({ key }) => key))
  const unique = [...byKey.values()].flatMap((sharing): readonly Observation[] => {
    if (sharing.length === 1) return sharing
    const distinct = [...new Map(sharing.map((each) => [JSON.stringify(each), each]))]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, each]) => each)
    const last = sharing.at(-1)
    if (last?.kind === 'fact') return [last]
    let ordinal = 1
    return distinct.map((each, index) => {
      if (index === 0) return each
      do ordinal += 1
      while (used.has(`${each.key}~${ordinal}`))
      used.add(`${each.key}~${ordinal}`)
      return { ...each, key: `${each.key}~${ordinal}` }
    })
  })
  return unique.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
}
