/** Reads one box of an answer: everything that it says about the number of the subject. */

import { nothingTold } from '../../core/requests/understanding.ts'
import type { FactName, FactObservation, Observation } from '../../core/statements/observation.ts'
import { openTally } from '../event-tally.ts'
import { parseObject, withoutBlanks } from '../json-delivery.ts'
import type { RawSnapshot, Reading } from '../source.ts'
import { IssueList, type SourceIssueKind, saidCodes } from '../source-issue.ts'
import type { ToldOf } from '../told.ts'
import { type BoxContext, facilityOf, factOf, holdsTrue, placeOf, textAt } from './box-context.ts'
import { readBoxNumber } from './boxes.ts'
import { readEvents } from './events.ts'
import { readFacts } from './facts.ts'
import { readFees } from './fees.ts'
import { readHolds } from './holds.ts'
import type { FacilityProfile } from './profile.ts'

export function readBox(
  snapshot: RawSnapshot,
  { subject, speaker }: ToldOf,
  profile: FacilityProfile,
): Reading {
  const issues = new IssueList(1)
  const value = parseObject(snapshot.body)
  if (value === null) {
    issues.add('not_json', { path: '', lost: 'answer' }, 'this is not a JSON object')
    return { ...nothing, verdict: 'unrecognized', issues: issues.all() }
  }
  const box = readBoxNumber(value, { profile, issues, path: '' })
  if (box === null) return { ...nothing, verdict: 'unrecognized', issues: issues.all() }
  const about = { billNumbers: [], bookingNumbers: [], equipment: [box] }
  const tally = openTally()
  if (subject.kind !== 'container' || withoutBlanks(subject.number) !== box) {
    tally.setAside()
    return { ...nothing, verdict: 'other_number', issues: issues.all(), about, events: tally.counts() }
  }
  const observations = observationsOf({ box, value, profile, speaker, issues, fetchedAt: snapshot.fetchedAt })
  if (observations === null) {
    tally.setAside()
    return { ...nothing, verdict: 'known_without_data', issues: issues.all(), about, events: tally.counts() }
  }
  const all = issues.all()
  if (all.some(({ kind }) => kind === 'unmapped_code')) tally.partly('unmapped_code')
  else tally.understood()
  const isMove = observations.some(({ kind }) => kind === 'event')
  return {
    verdict: isMove ? 'found' : 'known_without_data',
    observations,
    issues: all,
    ...saidCodes(issues),
    withdrawn: [],
    statedFullPicture:
      profile.isFullPicture === true && !all.some(({ kind, lost }) => lost !== 'nothing' || gaps.has(kind)),
    about,
    events: tally.counts(),
  }
}

/**
 * Where issues were left out, a fact may be missing because it could not be read: the answer is then not a full
 * picture.
 */
const gaps: ReadonlySet<SourceIssueKind> = new Set(['more_issues'])

const nothing = {
  observations: [],
  withdrawn: [],
  statedFullPicture: false,
  about: { billNumbers: [], bookingNumbers: [], equipment: [] },
  events: nothingTold,
} as const

/** Null for a box that the profile sets aside. */
function observationsOf({
  fetchedAt,
  ...of
}: Pick<BoxContext, 'box' | 'value' | 'profile' | 'speaker' | 'issues'> & {
  readonly fetchedAt: string
}): readonly Observation[] | null {
  const { value, profile, speaker } = of
  const part = { value, path: '' }
  if (profile.only?.some((condition) => !holdsTrue(of, condition, part)) === true) return null
  const facility = facilityOf(
    profile,
    profile.facility === undefined ? null : textAt(of, profile.facility, part),
  )
  const place = placeOf(facility, speaker)
  const zone = facility?.zone ?? (profile.zone === 'place' ? place.timeZone : (profile.zone ?? null))
  const context: BoxContext = { ...of, place, zone, fetchedAtMs: Date.parse(fetchedAt) }
  const facts = readFacts(context, part)
  const said: readonly Observation[] = [
    ...facts,
    ...readHolds(context, part),
    ...readFees(context, part),
    ...readEvents(context, part),
    ...terminalOf(context, facts),
  ]
  return [...new Map(said.map((each) => [each.key, each])).values()].toSorted((a, b) =>
    a.key < b.key ? -1 : 1,
  )
}

const onlyOfImports: ReadonlySet<FactName> = new Set([
  'available',
  'pickup_lfd_terminal',
  'pickup_appointment',
])

/**
 * A terminal that says when a box can be picked up has the box or will have it, even if nobody has named the terminal
 * of discharge.
 */
function terminalOf(context: BoxContext, facts: readonly FactObservation[]): readonly FactObservation[] {
  const isToBeFetched = facts.some(({ fact }) => onlyOfImports.has(fact))
  if (!isToBeFetched || context.place.terminalId === null) return []
  return [factOf('pod_terminal', context.place, context)]
}
