/** Reads a kept answer: pages, events, observations, and the verdict. Never throws; a pure function of its input. */

import { type EventCounts, nothingTold } from '../../core/requests/understanding.ts'
import type { Observation } from '../../core/statements/observation.ts'
import { openTally } from '../event-tally.ts'
import { readPages } from '../pages.ts'
import type { About, LookRequest, RawSnapshot, Reading, Verdict } from '../source.ts'
import { IssueList, quoted, type SourceIssue, type SourceIssueKind } from '../source-issue.ts'
import { readAnswer } from './answer.ts'
import { eventsOfDocument } from './asked-document.ts'
import { openMemory } from './context.ts'
import { readEvent, type StatedEvent } from './event.ts'
import { writeFactObservations } from './facts.ts'
import type { DcsaProfile } from './profile.ts'
import { writeEventObservations } from './statements.ts'

/** Raised whenever the same bytes, asked for or pushed, may give other observations. */
export const readerVersion = 4

export function readSnapshot(snapshot: RawSnapshot, request: LookRequest, profile: DcsaProfile): Reading {
  const heard = readAllPages(snapshot, profile)
  if (heard.kind === 'none') return nothing(heard.verdict, heard.issues)
  const { issues } = heard
  const about = aboutOf(heard.events)
  const ours = eventsAsked(heard.events, request, issues)
  const observations: Observation[] = [
    ...writeEventObservations(ours, issues),
    ...writeFactObservations(ours, request),
  ]
  observations.sort((a, b) => (a.key < b.key ? -1 : 1))
  const lists = heard.lists
  const lostEvents = lists.reduce((sum, list) => sum + list.lostEvents, 0)
  const verdict = judge({ ...heard, ours, observations, lostEvents, profile })
  return {
    verdict,
    observations,
    issues: lists.flatMap((list) => list.all()),
    ...(lists.some((list) => list.codes().length > 0) && { codes: lists.flatMap((list) => list.codes()) }),
    withdrawn: heard.withdrawn,
    statedFullPicture:
      profile.isFullPicture &&
      heard.isComplete &&
      lostEvents === 0 &&
      request.createdSince === undefined &&
      ['found', 'known_without_data', 'cancelled'].includes(verdict),
    about,
    events: countEvents(heard, ours),
  }
}

function nothing(verdict: Verdict, issues: readonly SourceIssue[]): Reading {
  const about = { billNumbers: [], bookingNumbers: [], equipment: [] }
  return {
    verdict,
    observations: [],
    issues,
    withdrawn: [],
    statedFullPicture: false,
    about,
    events: nothingTold,
  }
}

interface Heard {
  readonly kind: 'events'
  readonly events: readonly StatedEvent[]
  readonly withdrawn: readonly string[]
  /** For each event without any result, why it was lost; null for an event that was not meant to be read. */
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
): Heard | { readonly kind: 'none'; readonly verdict: Verdict; readonly issues: readonly SourceIssue[] } {
  const { pages, complete } = readPages(snapshot)
  const memory = openMemory()
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
      if (index === 0) return { kind: 'none', verdict: answer.verdict, issues: issues.all() }
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
      const told = readEvent(value, path, context)
      for (const said of told) {
        if (said.kind === 'event') events.push(said)
        else withdrawn.add(said.id)
      }
      const why = issues.lossOfEvent
      if (told.length === 0) unreadable.push(why === 'unsupported_event' ? null : (why ?? 'wrong_structure'))
    }
  }
  const last = lists.at(-1) ?? new IssueList(1)
  if (!complete)
    last.add(
      'missing_page',
      { path: '', lost: 'answer' },
      'the answer announces another page, and that page was not received',
    )
  const read = { events, withdrawn: [...withdrawn].sort(), unreadable, count, isComplete }
  return { kind: 'events', ...read, issues: last, lists }
}

/** `ours`: the events about what was asked. The others are counted as set aside. */
function countEvents({ events, unreadable, count }: Heard, ours: readonly StatedEvent[]): EventCounts {
  const tally = openTally()
  for (const why of unreadable) {
    if (why === null) tally.setAside()
    else tally.lost(why)
  }
  for (const { type, code, place } of ours) {
    const isNowhere = type !== 'SHIPMENT' && place.unlocode === null
    if (code === null) tally.partly('unknown_code')
    else if (isNowhere) tally.partly(place.name === null ? 'no_place' : 'unknown_place')
    else tally.understood()
  }
  tally.setAside(events.length - ours.length)
  // An event that only takes something back states nothing itself, and counts as understood.
  for (let rest = count - unreadable.length - events.length; rest > 0; rest -= 1) tally.understood()
  return tally.counts()
}

/**
 * The events about what was asked. An answer about a container may also name other containers: events only about those
 * are not ours. An answer that names containers but never the one asked for is about somebody else's.
 */
function eventsAsked(
  events: readonly StatedEvent[],
  request: LookRequest,
  issues: IssueList,
): readonly StatedEvent[] {
  if (request.kind !== 'container')
    return eventsOfAskedDocument(events, { ...request, kind: request.kind }, issues)
  const heard = new Set(events.flatMap(({ equipment }) => equipment))
  if (heard.size === 0) return events
  const ours = events.flatMap((event): StatedEvent[] => {
    if (event.equipment.length === 0) return [event]
    if (event.equipment.includes(request.number)) return [{ ...event, equipment: [request.number] }]
    if (event.type === 'SHIPMENT') return []
    for (const other of event.equipment) {
      issues.addOnce(
        'other_container',
        { path: '', lost: 'event' },
        `events about ${other}, which was not asked for`,
      )
    }
    return []
  })
  return heard.has(request.number) ? ours : []
}

/**
 * As with containers: events only about another document are not ours. Mostly they belong to somebody else, or come
 * from an earlier answer.
 */
function eventsOfAskedDocument(
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
      `events about the ${kind} ${quoted(number)}, which was not asked for`,
    )
  }
  return ours
}

function aboutOf(events: readonly StatedEvent[]): About {
  const bills = new Set<string>()
  const bookings = new Set<string>()
  const boxes = new Set<string>()
  for (const { documents, equipment } of events) {
    for (const { type, number } of documents) {
      if (type === 'TRD') bills.add(number)
      else if (type === 'BKG') bookings.add(number)
    }
    for (const box of equipment) boxes.add(box)
  }
  return {
    billNumbers: [...bills].sort(),
    bookingNumbers: [...bookings].sort(),
    equipment: [...boxes].sort(),
  }
}

function judge(
  read: Pick<Heard, 'count' | 'isComplete' | 'events' | 'withdrawn'> & {
    readonly ours: readonly StatedEvent[]
    readonly observations: readonly Observation[]
    readonly lostEvents: number
    readonly profile: DcsaProfile
  },
): Verdict {
  const { count, isComplete, events, withdrawn, ours, observations, lostEvents, profile } = read
  if (count === 0) return isComplete ? profile.notFound.emptyAnswer : 'unrecognized'
  const isAnothers = ours.length === 0 && events.length > 0
  const isUnreadable = events.length === 0 && withdrawn.length === 0 && lostEvents > 0
  if (isAnothers) return 'other_number'
  if (isUnreadable) return 'unrecognized'
  const isCancelled = observations.some(
    (said) =>
      said.kind === 'fact' && said.fact === 'booking_cancelled' && said.value === true && !said.isRetracted,
  )
  if (isCancelled) return 'cancelled'
  return ours.some(({ type, isRetracted }) => type !== 'SHIPMENT' && !isRetracted)
    ? 'found'
    : 'known_without_data'
}
