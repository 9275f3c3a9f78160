/**
 * DCSA Track & Trace as lines push it: a list of events (2.2), one event, or 3.0's envelope. Each event is a part. It
 * is read like the same event in an answer, with the same keys, so a pushed event can take back one that was asked for.
 */

import type { Result } from '../../core/values/result.ts'
import { parseEventTime } from '../../core/values/time.ts'
import { cutDelivery, type FindSpoken, inOrder, type Spoken } from '../json-delivery.ts'
import type { LookRequest, RawSnapshot, Reading } from '../source.ts'
import { IssueList } from '../source-issue.ts'
import type { SpokenOf, ToldOf, ToldSource } from '../told.ts'
import { readEquipment } from './boxes.ts'
import { openMemory } from './context.ts'
import { readDocument, readDocuments } from './documents.ts'
import { type EventParts, findEventParts } from './event-parts.ts'
import { settleNames } from './names.ts'
import { readFirstText, readText } from './part.ts'
import { type DcsaProfile, parseDcsaProfile, standardProfile } from './profile.ts'
import { readerVersion, readSnapshot } from './read.ts'

/** Maximum size of one event. */
export const eventBytesMax = 256_000

export function openPushedDcsaSource(): ToldSource<DcsaProfile> {
  return {
    name: 'dcsa',
    version: readerVersion,
    parseProfile: parsePushedProfile,
    partsOf: (body, profile) =>
      cutDelivery(body, { lists: ['events'], bytesMax: eventBytesMax, spokenOf: spokenBy(profile) }),
    read: readPart,
  }
}

/**
 * Accepts the profile by which the line is asked. A profile of a line that only pushes may leave out fields: they are
 * as in the standard.
 */
function parsePushedProfile(value: unknown): Result<DcsaProfile, string> {
  const nobody = { ...standardProfile, base: 'https://nobody-is-asked.invalid' }
  return parseDcsaProfile(typeof value === 'object' ? { ...nobody, ...value } : value)
}

function readPart(snapshot: RawSnapshot, of: ToldOf, profile: DcsaProfile): Reading {
  const body = Buffer.concat([Buffer.from('['), snapshot.body, Buffer.from(']')])
  const asAnswer = { ...snapshot, status: 200, contentType: 'application/json', body }
  const request: LookRequest = { scac: profile.scac, ...of.subject }
  const reading = readSnapshot(asAnswer, request, { ...profile, body: 'any', isFullPicture: false })
  // One event of a bill cannot say that all bookings of the bill are cancelled.
  const isOther = reading.verdict === 'cancelled' && of.subject.kind !== 'booking'
  return {
    ...reading,
    verdict: isOther ? 'known_without_data' : reading.verdict,
    issues: reading.issues.map(asPart),
    ...(reading.codes && { codes: reading.codes.map(asPart) }),
  }
}

/** The part was read as a list with one element. */
function asPart<Placed extends { readonly path: string }>(placed: Placed): Placed {
  return { ...placed, path: placed.path.replace(/^\/0(?=\/|$)/, '') }
}

function spokenBy(profile: DcsaProfile): FindSpoken {
  const memory = openMemory()
  return (value, { path, issues }) => {
    settleNames(value)
    // Faults within an event are reported later, when it is read.
    const unsaid = new IssueList(issues.page)
    const context = { issues: unsaid, profile, fetchedAtMs: 0, memory }
    const parts = findEventParts(value, path, unsaid)
    if (parts === null) {
      issues.add('wrong_structure', { path, lost: 'event' }, 'the object has no member of an event')
      return null
    }
    const documents = [...readDocuments(parts, context), readDocument(parts, context)]
    const about = inOrder([
      ...documents.flatMap((each) => numberOf(each?.type, each?.number ?? null)),
      ...(readEquipment(parts, 'TRANSPORT', context) ?? []).map(
        (number) => ({ kind: 'container', number }) as const,
      ),
    ])
    const isTakenBack = parts.head.value['isRetracted'] === true
    const said = sayingOf(parts, profile)
    const lose = (what: string): null => {
      issues.add('missing_field', { path, lost: 'event' }, what)
      return null
    }
    if (about.length === 0) {
      const isAny = isTakenBack || parts.head.value['retractedEventID'] !== undefined
      const what = isAny ? 'the retraction' : 'the event'
      return lose(`${what} names no bill, booking or container`)
    }
    // A retraction without an id would be read as the very statement that it takes back.
    if (isTakenBack && said.words === null)
      return lose('the event is retracted but has no eventID, so it is unknown which event it withdraws')
    return { about, ...said }
  }
}

function numberOf(type: string | undefined, number: string | null): readonly SpokenOf[] {
  if (number === null) return []
  if (type === 'TRD') return [{ kind: 'bill_of_lading', number }]
  return type === 'BKG' ? [{ kind: 'booking', number }] : []
}

/** 3.0 changes an event under its id and gives the time of the change; 2.2 has only the time of creation. */
function sayingOf({ head, kind }: EventParts, profile: DcsaProfile): Pick<Spoken, 'words' | 'writtenAt'> {
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
  if (!isId) return { words: null, writtenAt }
  return { words: text === null ? [id] : [id, text], writtenAt }
}
