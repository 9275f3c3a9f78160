/** Reads a stored answer: pages, events, observations, and the outcome. Never throws; a pure function of its input. */

import type { Observation } from '../../domain/statements/observation.ts'
import { type EventCounts, noEventCounts } from '../../domain/tracking-requests/event-counts.ts'
import { openTally } from '../event-tally.ts'
import { readPages } from '../pages.ts'
import type { About, AnswerOutcome, PollRequest, RawSnapshot, Reading } from '../source.ts'
import { IssueList, quoteValue, type SourceIssue, type SourceIssueKind } from '../source-issue.ts'
import { readAnswer } from './answer.ts'
import { createResolutionCache } from './context.ts'
import { readEvent, type StatedEvent } from './event.ts'
import { eventsOfDocument } from './events-of-document.ts'
import { writeFactObservations } from './facts.ts'
import type { DcsaProfile } from './profile.ts'
import { writeEventObservations } from './statements.ts'

const dayOnlyTimesMin = 5
const dayOnlyZonesMin = 2

/** Raised whenever the same bytes, polled or pushed, may give other observations. */
export const readerVersion = 5

export function readSnapshot(snapshot: RawSnapshot, request: PollRequest, profile: DcsaProfile): Reading {
  const answerEvents = readAllPages(snapshot, profile)
  if (answerEvents.kind === 'none') return emptyReading(answerEvents.outcome, answerEvents.issues)
  const { issues } = answerEvents
  const about = aboutOf(answerEvents.events)
  const ours = selectRequestedEvents(answerEvents.events, request, issues)
  const observations: Observation[] = [...writeEventObservations(ours, issues), ...writeFactObservations(ours, request)]
  observations.sort((a, b) => (a.key < b.key ? -1 : 1))
  const lists = answerEvents.lists
  const lostEvents = lists.reduce((sum, list) => sum + list.lostEvents, 0)
  const outcome = decideOutcome({ ...answerEvents, ours, observations, lostEvents, profile })
  return {
    outcome,
    observations,
    issues: lists.flatMap((list) => list.all()),
    ...(lists.some((list) => list.codes().length > 0) && { codes: lists.flatMap((list) => list.codes()) }),
    withdrawn: answerEvents.withdrawn,
    statedFullPicture:
      profile.isFullPicture &&
      answerEvents.isComplete &&
      lostEvents === 0 &&
      request.createdSince === undefined &&
      ['found', 'known_without_data', 'cancelled'].includes(outcome),
    about,
    events: countEvents(answerEvents, ours),
  }
}

function emptyReading(outcome: AnswerOutcome, issues: readonly SourceIssue[]): Reading {
  const about = { billNumbers: [], bookingNumbers: [], equipment: [] }
  return {
    outcome,
    observations: [],
    issues,
    withdrawn: [],
    statedFullPicture: false,
    about,
    events: noEventCounts,
  }
}

interface AnswerEvents {
  readonly kind: 'events'
  readonly events: readonly StatedEvent[]
  readonly withdrawn: readonly string[]
  /** For each event without any result, why it was lost; null for an event that is not read on purpose. */
  readonly unreadable: readonly (SourceIssueKind | null)[]
  /** Number of events in the answer, readable or not. */
  readonly count: number
  readonly isComplete: boolean
  /** The issues of the last page. Issues about the whole answer are added here. */
  readonly issues: IssueList
  readonly lists: readonly IssueList[]
}

/** The first page decides what kind of answer it is; a later page that cannot be read is a gap in the answer. */
function readAllPages(
  snapshot: RawSnapshot,
  profile: DcsaProfile,
): AnswerEvents | { readonly kind: 'none'; readonly outcome: AnswerOutcome; readonly issues: readonly SourceIssue[] } {
  const { pages, complete } = readPages(snapshot)
  const memory = createResolutionCache()
  const events: StatedEvent[] = []
  const withdrawn = new Set<string>()
  const lists: IssueList[] = []
  const unreadable: (SourceIssueKind | null)[] = []
  let count = 0
  let isComplete = complete
  for (const [index, page] of pages.entries()) {
    const issues = new IssueList(index + 1)
    lists.push(issues)
    const answer = readAnswer(page, { issues, profile })
    if (answer.kind === 'none') {
      if (index === 0) return { kind: 'none', outcome: answer.outcome, issues: issues.all() }
      issues.add(
        'missing_page',
        { path: '', lost: 'answer' },
        'the answer announces another page, and that page could not be read',
      )
      isComplete = false
      continue
    }
    count += answer.events.length
    const context = { issues, profile, fetchedAtMs: Date.parse(snapshot.fetchedAt), memory }
    for (const { value, path } of answer.events) {
      issues.beginEvent()
      const results = readEvent(value, path, context)
      for (const result of results) {
        if (result.kind === 'event') events.push(result)
        else withdrawn.add(result.id)
      }
      const why = issues.lossOfEvent
      if (results.length === 0) unreadable.push(why === 'unsupported_event' ? null : (why ?? 'wrong_structure'))
    }
  }
  const last = lists.at(-1) ?? new IssueList(1)
  if (!complete)
    last.add(
      'missing_page',
      { path: '', lost: 'answer' },
      'the answer announces another page, and that page was not received',
    )
  const dated = withDaysOnly(events, last)
  const read = { events: dated, withdrawn: [...withdrawn].sort(), unreadable, count, isComplete }
  return { kind: 'events', ...read, issues: last, lists }
}

/** `ours`: the events about the poll target. The others are counted as set aside. */
function countEvents({ events, unreadable, count }: AnswerEvents, ours: readonly StatedEvent[]): EventCounts {
  const tally = openTally()
  for (const why of unreadable) {
    if (why === null) tally.ignored()
    else tally.lost(why)
  }
  for (const { type, code, place } of ours) {
    const isNowhere = type !== 'SHIPMENT' && place.unlocode === null
    if (code === null) tally.partly('unknown_code')
    else if (isNowhere) tally.partly(place.name === null ? 'no_place' : 'unknown_place')
    else tally.understood()
  }
  tally.ignored(events.length - ours.length)
  // An event that only withdraws something states nothing itself, and counts as understood.
  for (let remaining = count - unreadable.length - events.length; remaining > 0; remaining -= 1) tally.understood()
  return tally.counts()
}

/**
 * The events about the poll target. An answer about a container may also name other containers: events only about those
 * do not belong to the poll target. An answer that names containers but never the polled one is about containers of
 * somebody else.
 */
function selectRequestedEvents(
  events: readonly StatedEvent[],
  request: PollRequest,
  issues: IssueList,
): readonly StatedEvent[] {
  if (request.kind !== 'container') return selectDocumentEvents(events, { ...request, kind: request.kind }, issues)
  const mentioned = new Set(events.flatMap(({ equipment }) => equipment))
  if (mentioned.size === 0) return events
  const ours = events.flatMap((event): StatedEvent[] => {
    if (event.equipment.length === 0) return [event]
    if (event.equipment.includes(request.number)) return [{ ...event, equipment: [request.number] }]
    if (event.type === 'SHIPMENT') return []
    for (const other of event.equipment) {
      issues.addOnce('other_container', { path: '', lost: 'event' }, `events about ${other}, which was not asked for`)
    }
    return []
  })
  return mentioned.has(request.number) ? ours : []
}

/**
 * As with containers: events only about another document are not ours. Mostly they belong to somebody else, or come
 * from an earlier answer.
 */
function selectDocumentEvents(
  events: readonly StatedEvent[],
  request: Parameters<typeof eventsOfDocument>[1],
  issues: IssueList,
): readonly StatedEvent[] {
  const { ours, otherNumbers } = eventsOfDocument(events, request)
  const kind = request.kind === 'booking' ? 'booking' : 'bill'
  for (const number of otherNumbers) {
    issues.addOnce(
      'other_document',
      { path: '', lost: 'event' },
      `events about the ${kind} ${quoteValue(number)}, which was not asked for`,
    )
  }
  return ours
}

function aboutOf(events: readonly StatedEvent[]): About {
  const bills = new Set<string>()
  const bookings = new Set<string>()
  const containers = new Set<string>()
  for (const { documents, equipment } of events) {
    for (const { type, number } of documents) {
      if (type === 'TRD') bills.add(number)
      else if (type === 'BKG') bookings.add(number)
    }
    for (const container of equipment) containers.add(container)
  }
  return {
    billNumbers: [...bills].sort(),
    bookingNumbers: [...bookings].sort(),
    equipment: [...containers].sort(),
  }
}

function decideOutcome(
  read: Pick<AnswerEvents, 'count' | 'isComplete' | 'events' | 'withdrawn'> & {
    readonly ours: readonly StatedEvent[]
    readonly observations: readonly Observation[]
    readonly lostEvents: number
    readonly profile: DcsaProfile
  },
): AnswerOutcome {
  const { count, isComplete, events, withdrawn, ours, observations, lostEvents, profile } = read
  if (count === 0) return isComplete ? profile.notFound.emptyAnswer : 'unrecognized'
  const isAnothers = ours.length === 0 && events.length > 0
  const isUnreadable = events.length === 0 && withdrawn.length === 0 && lostEvents > 0
  if (isAnothers) return 'other_number'
  if (isUnreadable) return 'unrecognized'
  const isCancelled = observations.some(
    (observation) =>
      observation.kind === 'fact' &&
      observation.fact === 'booking_cancelled' &&
      observation.value === true &&
      !observation.isRetracted,
  )
  if (isCancelled) return 'cancelled'
  return ours.some(({ type, isRetracted }) => type !== 'SHIPMENT' && !isRetracted) ? 'found' : 'known_without_data'
}

/**
 * The events, with days instead of times if the source knows only days and writes each as midnight UTC; then there is an
 * issue. Between places of several zones no five real times are all midnight of one zone.
 */
function withDaysOnly(events: readonly StatedEvent[], issues: IssueList): readonly StatedEvent[] {
  const timed = events.filter(({ time }) => time !== null && time.kind !== 'day')
  const zones = new Set(timed.flatMap(({ place }) => place.timeZone ?? []))
  const isDaysOnly = timed.length >= dayOnlyTimesMin && zones.size >= dayOnlyZonesMin && timed.every(isMidnightUtc)
  if (!isDaysOnly) return events
  const detail = `each of the ${timed.length} times is midnight UTC: they are read as days`
  issues.add('day_only_times', { path: '', lost: 'nothing' }, detail)
  return events.map((event) => {
    const { time } = event
    return time?.kind === 'instant' ? { ...event, time: { kind: 'day', on: time.at.slice(0, 10) } } : event
  })
}

function isMidnightUtc({ time }: StatedEvent): boolean {
  return time?.kind === 'instant' && time.at.endsWith('T00:00:00.000Z')
}
