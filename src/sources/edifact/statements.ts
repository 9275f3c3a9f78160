/** Statements as observations, each under a key that stays the same when the partner says the same thing anew. */

import type { EventObservation, FactObservation, Observation, ObservedPlace } from '../../core/observation.ts'
import { type EventTime, localDateIn } from '../../core/time.ts'
import { type Documents, documentKeyOf } from './documents.ts'

/** What the whole message says of its statements. */
export interface StatedBy {
  readonly documents: Documents
  readonly statedAt: string | null
  /** The message takes back what an earlier one of the same content said (BGM, function 1). */
  readonly isRetracted: boolean
}

export type SaidEvent = Omit<
  EventObservation,
  'kind' | 'key' | 'statedAt' | 'isRetracted' | 'callId' | 'callSequence'
>
/** `part` tells apart what one fact says several times of a box: the name of a hold. */
export type SaidFact = Pick<FactObservation, 'fact' | 'value' | 'equipment'> & { readonly part?: string }

/**
 * The interchange is no part of it: document, what, where and box. An actual that names no document bears its own day,
 * for the box comes through the same gate again with other cargo; one that names a voyage bears it, for under one document
 * the box may call at the same port again on another ship.
 */
export function observeEvent(said: SaidEvent, by: StatedBy): EventObservation {
  const { classifier, code, load, mode, place, voyage, equipment, original, time } = said
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
    ...said,
    kind: 'event',
    key: [document ?? '-', ...what].join('|'),
    statedAt: by.statedAt,
    isRetracted: by.isRetracted,
    callId: null,
    callSequence: null,
  }
}

/** The day of a time at its place, for what has nothing else to be told apart by. */
function dayOf(time: EventTime, place: ObservedPlace): string {
  if (time.kind === 'day') return time.on
  if (time.kind === 'local') return time.local.slice(0, 10)
  return localDateIn(time.at, place.timeZone)
}

export function observeFact({ part, fact, value, equipment }: SaidFact, by: StatedBy): FactObservation {
  const { statedAt, isRetracted, documents } = by
  const names = part === undefined ? [fact] : [fact, part]
  const key = [documentKeyOf(documents) ?? '-', ...names, equipment ?? '-'].join('|')
  // A fact and its value come together, as `SaidFact` has them.
  return { kind: 'fact', key, fact, value, equipment, statedAt, isRetracted } as FactObservation
}

/** Numbers of documents are facts of the shipment. */
export function observeDocuments(by: StatedBy): readonly FactObservation[] {
  const facts = ([fact, numbers]: readonly ['bill_of_lading_number' | 'booking_number', readonly string[]]) =>
    numbers.map((value) => observeFact({ fact, value, equipment: null, part: value }, by))
  return [
    ...facts(['bill_of_lading_number', by.documents.bills]),
    ...facts(['booking_number', by.documents.bookings]),
  ]
}

/**
 * One statement a key: what is said twice counts once; of a fact that is said twice differently the last, of events that
 * share a key each, in the order of what they say.
 */
export function withUniqueKeys(drafts: readonly Observation[]): readonly Observation[] {
  const byKey = Map.groupBy(drafts, ({ kind, key }) => `${kind} ${key}`)
  const used = new Set(drafts.map(({ key }) => key))
  const kept = [...byKey.values()].flatMap((sharing): readonly Observation[] => {
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
  return kept.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
}
