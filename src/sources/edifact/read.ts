/** Reads a kept part of a delivery: what it says of the subject, and what the whole is worth. Total, and a function of its input. */

import type { Observation } from '../../core/observation.ts'
import { nothingTold } from '../../core/understanding.ts'
import { type EventTally, openTally } from '../event-tally.ts'
import type { About, RawSnapshot, Reading, Verdict } from '../source.ts'
import { IssueList } from '../source-issue.ts'
import type { SpokenOf, ToldOf } from '../told.ts'
import type { ReadContext } from './context.ts'
import { codeOf, segmentsOf } from './fields.ts'
import { type OfMessage, readStatuses } from './iftsta.ts'
import { type Message, readMessages } from './messages.ts'
import { readWrittenAt } from './moment.ts'
import { noteFault } from './parts.ts'
import type { EdifactProfile } from './profile.ts'
import { readReport } from './reports.ts'
import { readSegments, type SyntaxFault } from './segments.ts'
import { observeDocuments, withUniqueKeys } from './statements.ts'
import { aboutOf, readUnits, type Unit, unitTypes } from './units.ts'

export function readPart(snapshot: RawSnapshot, of: ToldOf, profile: EdifactProfile): Reading {
  const issues = new IssueList(1)
  const fetchedAtMs = Date.parse(snapshot.fetchedAt)
  const context = { issues, profile, speaker: of.speaker, fetchedAtMs }
  const tally = openTally()
  // That the delivery had no envelope was told when it came.
  const note = (fault: SyntaxFault): void => {
    if (fault.kind !== 'bare') noteFault(fault, issues)
  }
  const observed: Observation[] = []
  const about: SpokenOf[] = []
  let isAny = false
  let isOurs = false
  for (const message of readMessages(readSegments([snapshot.body], note), note)) {
    const type = unitTypes.find((each) => each === message.type)
    if (type === undefined || !message.isWhole) continue
    for (const unit of readUnits(type, message, profile)) {
      const named = aboutOf(unit)
      isAny = true
      about.push(...named)
      if (!named.some((each) => isSame(each, of.subject))) continue
      isOurs = true
      const said = observe(unit, { message, type, context, tally })
      observed.push(...said.filter((each) => isAbout(each, of.subject)))
    }
  }
  const observations = withUniqueKeys(observed)
  return {
    verdict: judge(observations, { isAny, isOurs }),
    observations,
    issues: issues.all(),
    withdrawn: [],
    statedFullPicture: false,
    about: sortedNumbers(about),
    events: isOurs ? tally.counts() : nothingTold,
  }
}

function observe(
  unit: Unit,
  of: {
    readonly message: Message
    readonly type: (typeof unitTypes)[number]
    readonly context: ReadContext
    readonly tally: EventTally
  },
): readonly Observation[] {
  const { message, type, context, tally } = of
  const [beginning] = segmentsOf(message.segments, 'BGM')
  const by = {
    documents: unit.documents,
    statedAt: readWrittenAt(message.segments, context),
    // BGM, element 1225: 1 cancels what a message of the same content said.
    isRetracted: beginning !== undefined && codeOf(beginning, 2) === '1',
  }
  const ofMessage: OfMessage = { version: message.version, by, context, tally }
  const said =
    unit.kind === 'statuses'
      ? readStatuses(unit, ofMessage)
      : readReport(type === 'COARRI' ? 'COARRI' : 'CODECO', unit, ofMessage)
  return [...observeDocuments(by), ...said]
}

/** Of a box its companions are of no concern, though they stand under the same bill. */
function isAbout({ equipment }: Observation, subject: SpokenOf): boolean {
  return subject.kind !== 'container' || equipment === null || equipment === subject.number
}

function isSame(a: SpokenOf, b: SpokenOf): boolean {
  return a.kind === b.kind && a.number === b.number.toUpperCase().replace(/\s+/g, '')
}

function judge(
  observations: readonly Observation[],
  { isAny, isOurs }: { readonly isAny: boolean; readonly isOurs: boolean },
): Verdict {
  if (!isAny) return 'unrecognized'
  if (!isOurs) return 'other_number'
  const standing = observations.filter(({ isRetracted }) => !isRetracted)
  if (standing.some((each) => each.kind === 'fact' && each.fact === 'booking_cancelled')) return 'cancelled'
  return standing.some((each) => each.kind === 'event' && each.code !== null) ? 'found' : 'known_without_data'
}

function sortedNumbers(about: readonly SpokenOf[]): About {
  const sorted = (kind: SpokenOf['kind']) =>
    [...new Set(about.filter((each) => each.kind === kind).map(({ number }) => number))].sort()
  return {
    billNumbers: sorted('bill_of_lading'),
    bookingNumbers: sorted('booking'),
    equipment: sorted('container'),
  }
}
