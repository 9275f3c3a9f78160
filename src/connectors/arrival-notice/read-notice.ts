/** Reads one notice: everything that it states about the number of the message part. */

import type { Observation } from '../../domain/statements/observation.ts'
import { noEventCounts } from '../../domain/tracking-requests/event-counts.ts'
import { createResolutionCache, type ReadingProfile } from '../dcsa/context.ts'
import { isSameDocument } from '../dcsa/events-of-document.ts'
import { readObject } from '../dcsa/json-node.ts'
import { normalizeNames } from '../dcsa/names.ts'
import { openTally } from '../event-tally.ts'
import { parseObject, withoutBlanks } from '../json-delivery.ts'
import type { PartContext } from '../pushed-source.ts'
import type { About, AnswerOutcome, RawSnapshot, Reading } from '../source.ts'
import { IssueList, type SourceIssue, type SourceIssueKind } from '../source-issue.ts'
import { readArrivals } from './arrivals.ts'
import { readCharges } from './charges.ts'
import { readContainerFacts } from './container-facts.ts'
import { readFreeTimes } from './free-times.ts'
import { type NoticeHead, readHead } from './head.ts'
import { factsOf, type NoticeContext } from './notice-facts.ts'
import { readPorts } from './ports.ts'
import type { ArrivalNoticeProfile } from './profile.ts'
import { readReleases } from './releases.ts'

export function readNotice(snapshot: RawSnapshot, of: PartContext, profile: ArrivalNoticeProfile): Reading {
  const issues = new IssueList(1)
  const value = parseObject(snapshot.body)
  if (value === null) {
    issues.add('not_json', { path: '', lost: 'answer' }, 'this is not a JSON object')
    return createEmptyReading('unrecognized', issues)
  }
  issues.pointBy(normalizeNames(value))
  const fetchedAtMs = Date.parse(snapshot.fetchedAt)
  const reading = {
    issues,
    profile: makeReadingProfile(profile),
    fetchedAtMs,
    memory: createResolutionCache(),
  }
  const whole = { value, path: '' }
  const head = readHead(whole, reading)
  if (head === null) {
    const at = { path: '/transportDocumentReference', lost: 'answer' } as const
    issues.add('missing_field', at, 'the notice has no number of a transport document (transportDocumentReference)')
    return createEmptyReading('unrecognized', issues)
  }
  const transport = readObject(whole, 'transport', issues)
  const context: NoticeContext = { ...reading, whole, transport, head }
  const facts = factsOf(context, [
    ...readPorts(context),
    ...readContainerFacts(context),
    ...readFreeTimes(context),
    ...readReleases(context),
    ...readCharges(context),
  ])
  const all: readonly Observation[] = [...readArrivals(context), ...facts]
  const isOurs = isAbout(head, of, profile)
  const observations = isOurs ? filterBySubject(all, of).toSorted(byKey) : []
  const tally = openTally()
  if (isOurs) tally.understood()
  else tally.ignored()
  const faults = dedupeIssues(issues.all())
  return {
    outcome: isOurs ? outcomeOf(observations) : 'other_number',
    observations,
    issues: faults,
    withdrawn: [],
    statedFullPicture: isOurs && head.issuedAt !== null && !faults.some(({ kind }) => gaps.has(kind)),
    about: numbersOf(head),
    events: tally.counts(),
  }
}

/**
 * Times of a notice are days at a place or instants with a zone, so no zone is needed. The IMO number of a vessel is
 * optional.
 */
export function makeReadingProfile({ enumAliases = {} }: Pick<ArrivalNoticeProfile, 'enumAliases'>): ReadingProfile {
  return { enumAliases, zoneFallback: 'none', hasDayOnlyTimes: false, mayLack: ['vesselIMONumber'] }
}

function createEmptyReading(outcome: AnswerOutcome, issues: IssueList): Reading {
  const about = { billNumbers: [], bookingNumbers: [], equipment: [] }
  const none = { observations: [], withdrawn: [], statedFullPicture: false, events: noEventCounts }
  return { outcome, issues: issues.all(), about, ...none }
}

function isAbout(
  { bill, bookings, containers }: NoticeHead,
  { messageSubject: subject }: PartContext,
  { scac }: ArrivalNoticeProfile,
): boolean {
  const { kind, number } = subject
  if (kind === 'container')
    return containers.length === 0 || containers.some((container) => container.number === number)
  // Many lines give a bill and its booking the same number.
  return (
    isSameDocument(scac, number, bill) ||
    (kind === 'booking' && bookings.map(withoutBlanks).includes(withoutBlanks(number)))
  )
}

/** If the message part is about a container: the statements about this container and about the whole notice. */
function filterBySubject(
  all: readonly Observation[],
  { messageSubject: subject }: PartContext,
): readonly Observation[] {
  return subject.kind === 'container'
    ? all.filter(({ equipment }) => equipment === null || equipment === subject.number)
    : all
}

function byKey(a: Observation, b: Observation): number {
  return a.key < b.key ? -1 : 1
}

function outcomeOf(observations: readonly Observation[]): AnswerOutcome {
  return observations.some(({ kind }) => kind === 'event') ? 'found' : 'known_without_data'
}

/** Several readers read the same member, so an issue may occur twice. */
function dedupeIssues(issues: readonly SourceIssue[]): readonly SourceIssue[] {
  return [...new Map(issues.map((issue) => [`${issue.kind} ${issue.path} ${issue.detail}`, issue])).values()]
}

/** Issues after which a fact may be missing because it could not be read: the notice is then not a full picture. */
const gaps: ReadonlySet<SourceIssueKind> = new Set([
  'wrong_type',
  'wrong_structure',
  'unreadable_time',
  'implausible_time',
  'bad_equipment',
  'more_issues',
])

function numbersOf({ bill, bookings, containers }: NoticeHead): About {
  return {
    billNumbers: [bill],
    bookingNumbers: bookings.toSorted(),
    equipment: containers.map(({ number }) => number).toSorted(),
  }
}
