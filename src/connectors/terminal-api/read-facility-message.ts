/** Reads one container of an answer: everything that it states about the number of the message part. */

import type { FactName, FactObservation, Observation } from '../../domain/statements/observation.ts'
import { noEventCounts } from '../../domain/tracking-requests/event-counts.ts'
import { openTally } from '../event-tally.ts'
import { parseObject, withoutBlanks } from '../json-delivery.ts'
import type { PartContext } from '../pushed-source.ts'
import type { RawSnapshot, Reading } from '../source.ts'
import { collectStatedCodes, IssueList, type SourceIssueKind } from '../source-issue.ts'
import { type ContainerContext, facilityOf, factOf, meetsCondition, placeOf, textAt } from './container-context.ts'
import { readContainerNumber } from './container-number.ts'
import { readEvents } from './events.ts'
import { readFacts } from './facts.ts'
import { readFees } from './fees.ts'
import { readHolds } from './holds.ts'
import type { FacilityProfile } from './profile.ts'

export function readFacilityMessage(
  snapshot: RawSnapshot,
  { messageSubject: subject, speaker }: PartContext,
  profile: FacilityProfile,
): Reading {
  const issues = new IssueList(1)
  const value = parseObject(snapshot.body)
  if (value === null) {
    issues.add('not_json', { path: '', lost: 'answer' }, 'this is not a JSON object')
    return { ...nothing, outcome: 'unrecognized', issues: issues.all() }
  }
  const containerNumber = readContainerNumber(value, { profile, issues, path: '' })
  if (containerNumber === null) return { ...nothing, outcome: 'unrecognized', issues: issues.all() }
  const about = { billNumbers: [], bookingNumbers: [], equipment: [containerNumber] }
  const tally = openTally()
  if (subject.kind !== 'container' || withoutBlanks(subject.number) !== containerNumber) {
    tally.ignored()
    return { ...nothing, outcome: 'other_number', issues: issues.all(), about, events: tally.counts() }
  }
  const observations = observationsOf({
    containerNumber,
    value,
    profile,
    speaker,
    issues,
    fetchedAt: snapshot.fetchedAt,
  })
  if (observations === null) {
    tally.ignored()
    return { ...nothing, outcome: 'known_without_data', issues: issues.all(), about, events: tally.counts() }
  }
  const all = issues.all()
  if (all.some(({ kind }) => kind === 'unmapped_code')) tally.partly('unmapped_code')
  else tally.understood()
  const isMove = observations.some(({ kind }) => kind === 'event')
  return {
    outcome: isMove ? 'found' : 'known_without_data',
    observations,
    issues: all,
    ...collectStatedCodes(issues),
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
  events: noEventCounts,
} as const

/** Null for a container that the profile sets aside. */
function observationsOf({
  fetchedAt,
  ...of
}: Pick<ContainerContext, 'containerNumber' | 'value' | 'profile' | 'speaker' | 'issues'> & {
  readonly fetchedAt: string
}): readonly Observation[] | null {
  const { value, profile, speaker } = of
  const node = { value, path: '' }
  if (profile.only?.some((condition) => !meetsCondition(of, condition, node)) === true) return null
  const facility = facilityOf(profile, profile.facility === undefined ? null : textAt(of, profile.facility, node))
  const place = placeOf(facility, speaker)
  const zone = facility?.zone ?? (profile.zone === 'place' ? place.timeZone : (profile.zone ?? null))
  const context: ContainerContext = { ...of, place, zone, fetchedAtMs: Date.parse(fetchedAt) }
  const facts = readFacts(context, node)
  const allObservations: readonly Observation[] = [
    ...facts,
    ...readHolds(context, node),
    ...readFees(context, node),
    ...readEvents(context, node),
    ...derivePodTerminalFact(context, facts),
  ]
  return [...new Map(allObservations.map((each) => [each.key, each])).values()].toSorted((a, b) =>
    a.key < b.key ? -1 : 1,
  )
}

const onlyOfImports: ReadonlySet<FactName> = new Set(['available', 'pickup_lfd_terminal', 'pickup_appointment'])

/**
 * A terminal that states when a container can be picked up has the container or will have it, even if no source has
 * named the terminal of discharge.
 */
function derivePodTerminalFact(
  context: ContainerContext,
  facts: readonly FactObservation[],
): readonly FactObservation[] {
  const isToBeFetched = facts.some(({ fact }) => onlyOfImports.has(fact))
  if (!isToBeFetched || context.place.terminalId === null) return []
  return [factOf('pod_terminal', context.place, context)]
}
