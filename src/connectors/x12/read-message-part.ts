/**
 * Reads one message part: its message, the statements of the message, and the outcome. Never throws; a pure function of
 * its input.
 */

import type { Observation } from '../../domain/statements/observation.ts'
import { type EventCounts, noEventCounts } from '../../domain/tracking-requests/event-counts.ts'
import { openTally } from '../event-tally.ts'
import type { MentionedNumber, PartContext } from '../pushed-source.ts'
import type { About, AnswerOutcome, RawSnapshot, Reading } from '../source.ts'
import { collectStatedCodes, IssueList, quoteValue } from '../source-issue.ts'
import { type ReadContext, readStatuses } from './context.ts'
import { writeEvents } from './events.ts'
import { writeFacts } from './facts.ts'
import { type Message, readMessages } from './messages.ts'
import { listMentionedNumbers } from './numbers.ts'
import { dialectOf, type X12Profile } from './profile.ts'
import { elementOf, isFault, readSegments } from './segments.ts'
import { readStatedMessage } from './stated-message.ts'

export function readMessagePart(snapshot: RawSnapshot, of: PartContext, profile: X12Profile): Reading {
  const issues = new IssueList(1)
  const message = findMessage(snapshot.body, issues)
  const type = message === null ? '' : elementOf(message.head, 1)
  if (message === null || (type !== '315' && type !== '322')) {
    const at = { path: message === null ? '' : `/${message.head.number}/1`, lost: 'answer' } as const
    const detail =
      message === null ? 'the body has no message' : `${quoteValue(type)} is not a message type that is read`
    issues.add(message === null ? 'not_edi' : 'unsupported_message', at, detail)
    return makeReading('unrecognized', { issues })
  }
  const stated = readStatedMessage(message.segments, { type, profile, issues })
  const about = groupMentionedNumbers(listMentionedNumbers(stated.numbers))
  if (!listMentionedNumbers(stated.numbers).some((each) => isSubjectNumber(each, of.messageSubject))) {
    const kind = of.messageSubject.kind === 'container' ? 'other_container' : 'other_document'
    issues.add(kind, { path: '', lost: 'event' }, 'the message does not name the number for which it was stored')
    return makeReading('other_number', { issues, about })
  }
  const tally = openTally()
  const context: ReadContext = {
    issues,
    tally,
    profile,
    speaker: of.speaker,
    dialect: dialectOf(profile, of.speaker),
    fetchedAtMs: Date.parse(snapshot.fetchedAt),
    stated,
  }
  const statuses = readStatuses(context)
  if (statuses.length === 0) issues.add('missing_field', { path: '', lost: 'event' }, 'the message has no status')
  const events = writeEvents(statuses, context)
  const observations = [...events, ...writeFacts(statuses, context)]
  observations.sort((a, b) => (a.key < b.key ? -1 : 1))
  const isMoving = events.some(({ code }) => code !== null)
  const outcome = isMoving ? 'found' : observations.length > 0 ? 'known_without_data' : 'unrecognized'
  return makeReading(outcome, { issues, about, observations, events: tally.counts() })
}

/**
 * The first complete message: a message part has only one. Count mismatches of the envelope were already reported with
 * the delivery.
 */
function findMessage(body: Buffer, issues: IssueList): Message | null {
  let found: Message | null = null
  for (const item of readMessages(readSegments([body]))) {
    if (isFault(item)) {
      if (item.kind !== 'count_mismatch') issues.add(item.kind, item, item.detail)
    } else if (item.kind === 'message' && item.isWhole) found ??= item
  }
  return found
}

function isSubjectNumber(mentioned: MentionedNumber, messageSubject: MentionedNumber): boolean {
  return (
    mentioned.kind === messageSubject.kind &&
    mentioned.number === messageSubject.number.replace(/\s+/g, '').toUpperCase()
  )
}

function groupMentionedNumbers(mentioned: readonly MentionedNumber[]): About {
  const numbers = (kind: MentionedNumber['kind']) =>
    [...new Set(mentioned.filter((each) => each.kind === kind).map(({ number }) => number))].sort()
  return {
    billNumbers: numbers('bill_of_lading'),
    bookingNumbers: numbers('booking'),
    equipment: numbers('container'),
  }
}

const nobody: About = { billNumbers: [], bookingNumbers: [], equipment: [] }

/** What a message leaves out is not withdrawn: a message is never a full picture. */
function makeReading(
  outcome: AnswerOutcome,
  contents: {
    readonly issues: IssueList
    readonly about?: About
    readonly observations?: readonly Observation[]
    readonly events?: EventCounts
  },
): Reading {
  const { issues, about = nobody, observations = [], events = noEventCounts } = contents
  return {
    outcome,
    observations,
    issues: issues.all(),
    ...collectStatedCodes(issues),
    withdrawn: [],
    statedFullPicture: false,
    about,
    events,
  }
}
