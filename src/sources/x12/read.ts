/**
 * Reads one part of a delivery: its message, what the message states, and the verdict. Never throws; a pure function of
 * its input.
 */

import { type EventCounts, nothingTold } from '../../core/requests/understanding.ts'
import type { Observation } from '../../core/statements/observation.ts'
import { openTally } from '../event-tally.ts'
import type { About, RawSnapshot, Reading, Verdict } from '../source.ts'
import { IssueList, quoted, saidCodes } from '../source-issue.ts'
import type { SpokenOf, ToldOf } from '../told.ts'
import { type ReadContext, readStatuses } from './context.ts'
import { writeEvents } from './events.ts'
import { writeFacts } from './facts.ts'
import { elementOf, isFault, readSegments } from './interchange.ts'
import { type Message, readMessages } from './messages.ts'
import { spokenOf } from './numbers.ts'
import { dialectOf, type X12Profile } from './profile.ts'
import { readStated } from './stated.ts'

export function readPart(snapshot: RawSnapshot, of: ToldOf, profile: X12Profile): Reading {
  const issues = new IssueList(1)
  const message = findMessage(snapshot.body, issues)
  const type = message === null ? '' : elementOf(message.head, 1)
  if (message === null || (type !== '315' && type !== '322')) {
    const at = { path: message === null ? '' : `/${message.head.number}/1`, lost: 'answer' } as const
    const detail =
      message === null ? 'the body has no message' : `${quoted(type)} is not a message type that is read`
    issues.add(message === null ? 'not_edi' : 'unsupported_message', at, detail)
    return answer('unrecognized', { issues })
  }
  const stated = readStated(message.segments, { type, profile, issues })
  const about = aboutOf(spokenOf(stated.numbers))
  if (!spokenOf(stated.numbers).some((each) => isSame(each, of.subject))) {
    const kind = of.subject.kind === 'container' ? 'other_container' : 'other_document'
    issues.add(
      kind,
      { path: '', lost: 'event' },
      'the message does not name the number for which it was stored',
    )
    return answer('other_number', { issues, about })
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
  if (statuses.length === 0)
    issues.add('missing_field', { path: '', lost: 'event' }, 'the message has no status')
  const events = writeEvents(statuses, context)
  const observations = [...events, ...writeFacts(statuses, context)]
  observations.sort((a, b) => (a.key < b.key ? -1 : 1))
  const isMoving = events.some(({ code }) => code !== null)
  const verdict = isMoving ? 'found' : observations.length > 0 ? 'known_without_data' : 'unrecognized'
  return answer(verdict, { issues, about, observations, events: tally.counts() })
}

/**
 * The first whole message: a part has only one. Count mismatches of the envelope were already reported with the
 * delivery.
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

function isSame(spoken: SpokenOf, subject: SpokenOf): boolean {
  return spoken.kind === subject.kind && spoken.number === subject.number.replace(/\s+/g, '').toUpperCase()
}

function aboutOf(spoken: readonly SpokenOf[]): About {
  const numbers = (kind: SpokenOf['kind']) =>
    [...new Set(spoken.filter((each) => each.kind === kind).map(({ number }) => number))].sort()
  return {
    billNumbers: numbers('bill_of_lading'),
    bookingNumbers: numbers('booking'),
    equipment: numbers('container'),
  }
}

const nobody: About = { billNumbers: [], bookingNumbers: [], equipment: [] }

/** What a message leaves out is not withdrawn: a message is never a full picture. */
function answer(
  verdict: Verdict,
  said: {
    readonly issues: IssueList
    readonly about?: About
    readonly observations?: readonly Observation[]
    readonly events?: EventCounts
  },
): Reading {
  const { issues, about = nobody, observations = [], events = nothingTold } = said
  return {
    verdict,
    observations,
    issues: issues.all(),
    ...saidCodes(issues),
    withdrawn: [],
    statedFullPicture: false,
    about,
    events,
  }
}
