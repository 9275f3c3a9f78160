/**
 * DCSA Track & Trace as carriers push it: a list of events (2.2), one event, or 3.0's envelope. Each event is a message
 * part. It is read like the same event in an answer, with the same keys, so a pushed event can withdraw a polled one.
 */

import type { Result } from '../../domain/values/result.ts'
import { parseEventTime } from '../../domain/values/time.ts'
import { cutDelivery, type MessageHeader, type ReadMessageHeader, sortMentionedNumbers } from '../json-delivery.ts'
import type { MentionedNumber, PartContext, PushedSource } from '../pushed-source.ts'
import type { PollRequest, RawSnapshot, Reading } from '../source.ts'
import { IssueList } from '../source-issue.ts'
import { createResolutionCache } from './context.ts'
import { readDocument, readDocuments } from './documents.ts'
import { readEquipment } from './equipment.ts'
import { type EventNodes, findEventNodes } from './event-parts.ts'
import { readFirstText, readText } from './json-node.ts'
import { normalizeNames } from './names.ts'
import { type DcsaProfile, parseDcsaProfile, standardProfile } from './profile.ts'
import { readerVersion, readSnapshot } from './read-snapshot.ts'

/** Maximum size of one event. */
export const eventBytesMax = 256_000

export function openPushedDcsaSource(): PushedSource<DcsaProfile> {
  return {
    name: 'dcsa',
    version: readerVersion,
    parseProfile: parsePushedProfile,
    splitDelivery: (body, profile) =>
      cutDelivery(body, {
        lists: ['events'],
        bytesMax: eventBytesMax,
        readHeader: makeHeaderReader(profile),
      }),
    read: readMessagePart,
  }
}

/**
 * Accepts the profile by which the carrier is polled. A profile of a carrier that only pushes may leave out fields:
 * they are as in the standard.
 */
function parsePushedProfile(value: unknown): Result<DcsaProfile, string> {
  const nobody = { ...standardProfile, base: 'https://nobody-is-asked.invalid' }
  return parseDcsaProfile(typeof value === 'object' ? { ...nobody, ...value } : value)
}

function readMessagePart(snapshot: RawSnapshot, of: PartContext, profile: DcsaProfile): Reading {
  const body = Buffer.concat([Buffer.from('['), snapshot.body, Buffer.from(']')])
  const asAnswer = { ...snapshot, status: 200, contentType: 'application/json', body }
  const request: PollRequest = { scac: profile.scac, ...of.messageSubject }
  const reading = readSnapshot(asAnswer, request, { ...profile, body: 'any', isFullPicture: false })
  // One event of a bill does not prove that all bookings of the bill are cancelled.
  const isOther = reading.outcome === 'cancelled' && of.messageSubject.kind !== 'booking'
  return {
    ...reading,
    outcome: isOther ? 'known_without_data' : reading.outcome,
    issues: reading.issues.map(withPartPath),
    ...(reading.codes && { codes: reading.codes.map(withPartPath) }),
  }
}

/** The message part was read as a list with one element. */
function withPartPath<WithPath extends { readonly path: string }>(placed: WithPath): WithPath {
  return { ...placed, path: placed.path.replace(/^\/0(?=\/|$)/, '') }
}

function makeHeaderReader(profile: DcsaProfile): ReadMessageHeader {
  const memory = createResolutionCache()
  return (value, { path, issues }) => {
    normalizeNames(value)
    // Faults within an event are reported later, when it is read.
    const ignoredIssues = new IssueList(issues.page)
    const context = { issues: ignoredIssues, profile, fetchedAtMs: 0, memory }
    const nodes = findEventNodes(value, path, ignoredIssues)
    if (nodes === null) {
      issues.add('wrong_structure', { path, lost: 'event' }, 'the object has no member of an event')
      return null
    }
    const documents = [...readDocuments(nodes, context), readDocument(nodes, context)]
    const about = sortMentionedNumbers([
      ...documents.flatMap((each) => numberOf(each?.type, each?.number ?? null)),
      ...(readEquipment(nodes, 'TRANSPORT', context) ?? []).map((number) => ({ kind: 'container', number }) as const),
    ])
    const isRetraction = nodes.head.value['isRetracted'] === true
    const identity = readIdentity(nodes, profile)
    const lose = (what: string): null => {
      issues.add('missing_field', { path, lost: 'event' }, what)
      return null
    }
    if (about.length === 0) {
      const isAny = isRetraction || nodes.head.value['retractedEventID'] !== undefined
      const what = isAny ? 'the retraction' : 'the event'
      return lose(`${what} names no bill, booking or container`)
    }
    // A retraction without an id would be read as the same statement that it withdraws.
    if (isRetraction && identity.senderReferences === null)
      return lose('the event is retracted but has no eventID, so it is unknown which event it withdraws')
    return { about, ...identity }
  }
}

function numberOf(type: string | undefined, number: string | null): readonly MentionedNumber[] {
  if (number === null) return []
  if (type === 'TRD') return [{ kind: 'bill_of_lading', number }]
  return type === 'BKG' ? [{ kind: 'booking', number }] : []
}

/** 3.0 changes an event under its id and gives the time of the change; 2.2 has only the time of creation. */
function readIdentity(
  { head, kind }: EventNodes,
  profile: DcsaProfile,
): Pick<MessageHeader, 'senderReferences' | 'writtenAt'> {
  const issues = new IssueList(1)
  const id = readText(head, 'eventID', issues)
  const text = readFirstText(head, ['eventUpdatedDateTime', 'eventCreatedDateTime'], issues)
  const type = readFirstText(kind, ['eventType', 'eventTypeCode'], issues)
  const time = text === null ? null : parseEventTime(text)
  const isRestated = profile.restatesTransport === true && type?.toUpperCase() === 'TRANSPORT'
  const writtenAt = time?.kind === 'instant' && !isRestated ? time.at : null
  const written = head.value['eventID']
  // Same rule as in the reader: a JSON number or a text of more than 300 characters is not an id.
  const isId = id !== null && typeof written === 'string' && written.length <= 300
  if (!isId) return { senderReferences: null, writtenAt }
  return { senderReferences: text === null ? [id] : [id, text], writtenAt }
}
