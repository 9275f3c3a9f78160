/**
 * Reads a kept part of a delivery: what it says about the subject, and the verdict. Never throws; a pure function of
 * its input.
 */

import { nothingTold } from '../../core/requests/understanding.ts'
import type { Observation } from '../../core/statements/observation.ts'
import { openTally } from '../event-tally.ts'
import type { About, RawSnapshot, Reading, Verdict } from '../source.ts'
import { IssueList, saidCodes } from '../source-issue.ts'
import type { SpokenOf, ToldOf } from '../told.ts'
import type { OfMessage, ReadContext } from './context.ts'
import { codeOf } from './fields.ts'
import { readStatuses } from './iftsta.ts'
import { type Message, readMessages } from './messages.ts'
import { readWrittenAt } from './moment.ts'
import { noteFault } from './parts.ts'
import type { EdifactProfile } from './profile.ts'
import { readReport } from './reports.ts'
import { readSegments, type SyntaxFault } from './segments.ts'
import { observeDocuments, type StatedBy, withUniqueKeys } from './statements.ts'
import { aboutOf, type Unit, type UnitType, unitTypes } from './unit.ts'
import { readUnits } from './units.ts'

export function readPart(snapshot: RawSnapshot, of: ToldOf, profile: EdifactProfile): Reading {
  const issues = new IssueList(1)
  const fetchedAtMs = Date.parse(snapshot.fetchedAt)
  const context = { issues, profile, speaker: of.speaker, fetchedAtMs }
  const tally = openTally()
  // A missing envelope was already reported when the delivery came.
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
    const said = saidOfAll(message, context)
    for (const unit of readUnits(type, message, { profile, issues })) {
      const named = aboutOf(unit)
      isAny = true
      about.push(...named)
      if (!named.some((each) => isSame(each, of.subject))) continue
      isOurs = true
      const ofMessage = {
        version: message.version,
        context,
        tally,
        by: { ...said, documents: unit.documents },
      }
      for (const each of observe(unit, type, ofMessage)) if (isAbout(each, of.subject)) observed.push(each)
    }
  }
  const observations = withUniqueKeys(observed)
  return {
    verdict: judge(observations, { isAny, isOurs }),
    observations,
    issues: issues.all(),
    ...saidCodes(issues),
    withdrawn: [],
    statedFullPicture: false,
    about: sortedNumbers(about),
    events: isOurs ? tally.counts() : nothingTold,
  }
}

function saidOfAll({ segments }: Message, context: ReadContext): Omit<StatedBy, 'documents'> {
  const beginning = segments.find(({ tag }) => tag === 'BGM')
  return {
    statedAt: readWrittenAt(segments, context),
    // BGM, element 1225: 1 cancels what an earlier message with the same content said.
    isRetracted: beginning !== undefined && codeOf(beginning, 2) === '1',
  }
}

function observe(unit: Unit, type: UnitType, of: OfMessage): readonly Observation[] {
  const said =
    unit.kind === 'statuses'
      ? readStatuses(unit, of)
      : readReport(type === 'COARRI' ? 'COARRI' : 'CODECO', unit, of)
  return [...observeDocuments(of.by), ...said]
}

/** If the subject is a box, statements about other boxes are left out, even under the same bill. */
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
