/** Reads one notice: everything that it says about the number of the subject. */

import { nothingTold } from '../../core/requests/understanding.ts'
import type { Observation } from '../../core/statements/observation.ts'
import { isSameDocument } from '../dcsa/asked-document.ts'
import { openMemory, type ReadingProfile } from '../dcsa/context.ts'
import { settleNames } from '../dcsa/names.ts'
import { readPart } from '../dcsa/part.ts'
import { openTally } from '../event-tally.ts'
import { parseObject, withoutBlanks } from '../json-delivery.ts'
import type { About, RawSnapshot, Reading, Verdict } from '../source.ts'
import { IssueList, type SourceIssue, type SourceIssueKind } from '../source-issue.ts'
import type { ToldOf } from '../told.ts'
import { readArrivals } from './arrivals.ts'
import { readBoxWords } from './box-words.ts'
import { readCharges } from './charges.ts'
import { readFreeTimes } from './free-times.ts'
import { type NoticeHead, readHead } from './head.ts'
import { readPorts } from './ports.ts'
import type { ArrivalNoticeProfile } from './profile.ts'
import { readReleases } from './releases.ts'
import { factsOf, type NoticeContext } from './said.ts'

export function readNotice(snapshot: RawSnapshot, of: ToldOf, profile: ArrivalNoticeProfile): Reading {
  const issues = new IssueList(1)
  const value = parseObject(snapshot.body)
  if (value === null) {
    issues.add('not_json', { path: '', lost: 'answer' }, 'this is not a JSON object')
    return nothing('unrecognized', issues)
  }
  issues.pointBy(settleNames(value))
  const fetchedAtMs = Date.parse(snapshot.fetchedAt)
  const reading = { issues, profile: readingBy(profile), fetchedAtMs, memory: openMemory() }
  const whole = { value, path: '' }
  const head = readHead(whole, reading)
  if (head === null) {
    const at = { path: '/transportDocumentReference', lost: 'answer' } as const
    issues.add(
      'missing_field',
      at,
      'the notice has no number of a transport document (transportDocumentReference)',
    )
    return nothing('unrecognized', issues)
  }
  const transport = readPart(whole, 'transport', issues)
  const context: NoticeContext = { ...reading, whole, transport, head }
  const said = factsOf(context, [
    ...readPorts(context),
    ...readBoxWords(context),
    ...readFreeTimes(context),
    ...readReleases(context),
    ...readCharges(context),
  ])
  const all: readonly Observation[] = [...readArrivals(context), ...said]
  const isOurs = isAbout(head, of, profile)
  const observations = isOurs ? ofSubject(all, of).toSorted(byKey) : []
  const tally = openTally()
  if (isOurs) tally.understood()
  else tally.setAside()
  const faults = eachOnce(issues.all())
  return {
    verdict: isOurs ? verdictOf(observations) : 'other_number',
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
export function readingBy({ enumAliases = {} }: Pick<ArrivalNoticeProfile, 'enumAliases'>): ReadingProfile {
  return { enumAliases, zoneFallback: 'none', hasDayOnlyTimes: false, mayLack: ['vesselIMONumber'] }
}

function nothing(verdict: Verdict, issues: IssueList): Reading {
  const about = { billNumbers: [], bookingNumbers: [], equipment: [] }
  const none = { observations: [], withdrawn: [], statedFullPicture: false, events: nothingTold }
  return { verdict, issues: issues.all(), about, ...none }
}

function isAbout(
  { bill, bookings, boxes }: NoticeHead,
  { subject }: ToldOf,
  { scac }: ArrivalNoticeProfile,
): boolean {
  const { kind, number } = subject
  if (kind === 'container') return boxes.length === 0 || boxes.some((box) => box.number === number)
  // Many lines give a bill and its booking the same number.
  return (
    isSameDocument(scac, number, bill) ||
    (kind === 'booking' && bookings.map(withoutBlanks).includes(withoutBlanks(number)))
  )
}

/** For a subject that is a box: statements about this box and about the whole notice. */
function ofSubject(all: readonly Observation[], { subject }: ToldOf): readonly Observation[] {
  return subject.kind === 'container'
    ? all.filter(({ equipment }) => equipment === null || equipment === subject.number)
    : all
}

function byKey(a: Observation, b: Observation): number {
  return a.key < b.key ? -1 : 1
}

function verdictOf(observations: readonly Observation[]): Verdict {
  return observations.some(({ kind }) => kind === 'event') ? 'found' : 'known_without_data'
}

/** Several readers read the same member, so an issue may occur twice. */
function eachOnce(issues: readonly SourceIssue[]): readonly SourceIssue[] {
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

function numbersOf({ bill, bookings, boxes }: NoticeHead): About {
  return {
    billNumbers: [bill],
    bookingNumbers: bookings.toSorted(),
    equipment: boxes.map(({ number }) => number).toSorted(),
  }
}
