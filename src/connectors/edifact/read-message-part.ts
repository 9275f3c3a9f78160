/**
 * Reads a stored message part: its statements about the number of the part, and the outcome. Never throws; a pure
 * function of its input.
 */

import type { Observation } from '../../domain/statements/observation.ts'
import { noEventCounts } from '../../domain/tracking-requests/event-counts.ts'
import { openTally } from '../event-tally.ts'
import type { MentionedNumber, PartContext } from '../pushed-source.ts'
import type { About, AnswerOutcome, RawSnapshot, Reading } from '../source.ts'
import { collectStatedCodes, IssueList } from '../source-issue.ts'
import type { EdifactMessageContext, ReadContext } from './context.ts'
import { codeOf } from './fields.ts'
import { readStatuses } from './iftsta.ts'
import { type Message, readMessages } from './messages.ts'
import { readWrittenAt } from './moment.ts'
import type { EdifactProfile } from './profile.ts'
import { readReport } from './reports.ts'
import { readSegments, type SyntaxFault } from './segments.ts'
import { noteFault } from './split-delivery.ts'
import { type CommonStatement, observeDocuments, withUniqueKeys } from './statements.ts'
import { listUnitNumbers, type Unit, type UnitType, unitTypes } from './unit.ts'
import { readUnits } from './units.ts'

export function readMessagePart(snapshot: RawSnapshot, of: PartContext, profile: EdifactProfile): Reading {
  const issues = new IssueList(1)
  const fetchedAtMs = Date.parse(snapshot.fetchedAt)
  const context = { issues, profile, speaker: of.speaker, fetchedAtMs }
  const tally = openTally()
  // A missing envelope was already reported when the delivery came.
  const note = (fault: SyntaxFault): void => {
    if (fault.kind !== 'bare') noteFault(fault, issues)
  }
  const observed: Observation[] = []
  const about: MentionedNumber[] = []
  let isAny = false
  let isOurs = false
  for (const message of readMessages(readSegments([snapshot.body], note), note)) {
    const type = unitTypes.find((each) => each === message.type)
    if (type === undefined || !message.isWhole) continue
    const common = readCommonStatement(message, context)
    for (const unit of readUnits(type, message, { profile, issues })) {
      const named = listUnitNumbers(unit)
      isAny = true
      about.push(...named)
      if (!named.some((each) => isSame(each, of.messageSubject))) continue
      isOurs = true
      const ofMessage = {
        version: message.version,
        context,
        tally,
        by: { ...common, documents: unit.documents },
      }
      for (const each of observeUnit(unit, type, ofMessage)) if (isAbout(each, of.messageSubject)) observed.push(each)
    }
  }
  const observations = withUniqueKeys(observed)
  return {
    outcome: decideOutcome(observations, { isAny, isOurs }),
    observations,
    issues: issues.all(),
    ...collectStatedCodes(issues),
    withdrawn: [],
    statedFullPicture: false,
    about: sortedNumbers(about),
    events: isOurs ? tally.counts() : noEventCounts,
  }
}

function readCommonStatement({ segments }: Message, context: ReadContext): Omit<CommonStatement, 'documents'> {
  const beginning = segments.find(({ tag }) => tag === 'BGM')
  return {
    statedAt: readWrittenAt(segments, context),
    // BGM, element 1225: 1 cancels an earlier message with the same content.
    isRetracted: beginning !== undefined && codeOf(beginning, 2) === '1',
  }
}

function observeUnit(unit: Unit, type: UnitType, of: EdifactMessageContext): readonly Observation[] {
  const statements =
    unit.kind === 'statuses' ? readStatuses(unit, of) : readReport(type === 'COARRI' ? 'COARRI' : 'CODECO', unit, of)
  return [...observeDocuments(of.by), ...statements]
}

/**
 * If the message part is about a container, statements about other containers are left out, even under the same bill.
 */
function isAbout({ equipment }: Observation, messageSubject: MentionedNumber): boolean {
  return messageSubject.kind !== 'container' || equipment === null || equipment === messageSubject.number
}

function isSame(a: MentionedNumber, b: MentionedNumber): boolean {
  return a.kind === b.kind && a.number === b.number.toUpperCase().replace(/\s+/g, '')
}

function decideOutcome(
  observations: readonly Observation[],
  { isAny, isOurs }: { readonly isAny: boolean; readonly isOurs: boolean },
): AnswerOutcome {
  if (!isAny) return 'unrecognized'
  if (!isOurs) return 'other_number'
  const active = observations.filter(({ isRetracted }) => !isRetracted)
  if (active.some((each) => each.kind === 'fact' && each.fact === 'booking_cancelled')) return 'cancelled'
  return active.some((each) => each.kind === 'event' && each.code !== null) ? 'found' : 'known_without_data'
}

function sortedNumbers(about: readonly MentionedNumber[]): About {
  const sorted = (kind: MentionedNumber['kind']) =>
    [...new Set(about.filter((each) => each.kind === kind).map(({ number }) => number))].sort()
  return {
    billNumbers: sorted('bill_of_lading'),
    bookingNumbers: sorted('booking'),
    equipment: sorted('container'),
  }
}
