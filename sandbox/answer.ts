/**
 * What a line answers to `GET /<scac>/v2/events` at a moment of sandbox time: for which number, which statements are
 * visible, and which page.
 */
import { writeEvent } from './dcsa.ts'
import { storyTime } from './latecomers.ts'
import type { Line, NumberKind } from './lines.ts'
import { withoutHyphens } from './named.ts'
import type { Shipment, Statement } from './shipment.ts'
import { boxKnownAt, namedBoxes } from './shipment.ts'
import type { World } from './world.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Visible {
  readonly shipment: Shipment
  readonly statement: Statement
}

const PARAMETERS = [
  ['transportDocumentReference', 'bill_of_lading'],
  ['carrierBookingReference', 'booking'],
  ['equipmentReference', 'container'],
] as const satisfies readonly (readonly [string, NumberKind])[]

export function answer(world: World, line: Line, url: URL, now: number): Answer {
  const query = url.searchParams
  const asked = PARAMETERS.filter(([name]) => (query.get(name) ?? '') !== '')
  if (asked.length === 0) {
    return refuse(
      url,
      400,
      'invalidQuery',
      'The request did not contain one of the required reference parameters.',
      now,
    )
  }
  const unsupported = asked.find(([, kind]) => !line.kinds.includes(kind))
  if (unsupported !== undefined) {
    return refuse(url, line.unsupportedKind, 'invalidParameter', `${unsupported[0]} is not supported.`, now)
  }
  const cursor = readCursor(line, query.get('cursor'))
  const seenAt = Math.min(now, cursor?.seenAt ?? now)
  const found = asked
    .map(([name, kind]) => look(world, line, kind, query.get(name) ?? '', seenAt))
    .reduce((some, others) => some.filter(({ statement }) => others.some((other) => other.statement === statement)))
  if (found.length === 0) {
    return unknownNumber(line, url, now)
  }
  const events = found.filter(({ statement }) => passes(query, statement))
  const limit = cursor?.limit ?? Math.min(1000, Math.max(1, Number(query.get('limit') ?? 100) || 100))
  return page(line, url, sort(line, query.get('sort'), events), {
    offset: cursor?.offset ?? 0,
    limit,
    seenAt,
  })
}

/** An empty list or 404: lines differ in how they answer for an unknown number. */
export function unknownNumber(line: Line, url: URL, now: number): Answer {
  if (line.unknownNumber === 'empty') return page(line, url, [], { offset: 0, limit: 100, seenAt: now })
  return refuse(url, 404, 'notFound', 'No events found for the given reference.', now)
}

/** All statements that the line shows for one number, the oldest first. */
export function look(world: World, line: Line, kind: NumberKind, text: string, now: number): readonly Visible[] {
  const number = withoutHyphens(text.toUpperCase().replaceAll(' ', ''))
  const scac = [line.scac, ...line.otherScacs].find((code) => number.startsWith(code))
  // The number with and without the line's code in front, because lines print both.
  const spellings = [number, scac === undefined ? `${line.scac}${number}` : number.slice(4)]
  for (const spelling of spellings) {
    const trips = world.find(line, spelling, now).flatMap((shipment) => {
      const since = knownSince(shipment, kind, spelling)
      return since === null || since > storyTime(shipment, now) ? [] : [{ shipment, since }]
    })
    trips.sort((a, b) => a.since - b.since)
    const chosen = line.quirks.has('all_trips') ? trips : trips.slice(-1)
    const seen = chosen.flatMap(({ shipment }) => visible(shipment, kind, spelling, storyTime(shipment, now)))
    if (seen.length > 0) return seen.sort((a, b) => a.statement.created - b.statement.created)
  }
  return []
}

function knownSince(shipment: Shipment, kind: NumberKind, number: string): number | null {
  if (kind === 'bill_of_lading') return shipment.bill === number ? shipment.billKnownAt : null
  if (kind === 'booking') return shipment.booking === number ? shipment.bookingKnownAt : null
  const box = shipment.boxes.findIndex((candidate) => candidate.number === number)
  return box < 0 ? null : boxKnownAt(shipment, box)
}

function visible(shipment: Shipment, kind: NumberKind, number: string, now: number): readonly Visible[] {
  const box = kind === 'container' ? shipment.boxes.findIndex((candidate) => candidate.number === number) : null
  return shipment.statements
    .filter(({ created, until }) => created <= now && (until === null || now < until))
    .filter((statement) => box === null || statement.about.kind === 'SHIPMENT' || isAbout(shipment, statement, box))
    .map((statement) => ({ shipment, statement }))
}

/** A statement that names only other boxes, because the line did not know this one yet, is not about it. */
function isAbout(shipment: Shipment, statement: Statement, box: number): boolean {
  if (!statement.boxes.includes(box)) return false
  const named = statement.about.kind === 'TRANSPORT' ? namedBoxes(shipment, statement) : []
  return named.length === 0 || named.includes(box)
}

function passes(query: URLSearchParams, { about, created }: Statement): boolean {
  const allows = (name: string, value: string | null): boolean => {
    const wanted = query.getAll(name).join(',')
    return wanted === '' || (value !== null && wanted.split(',').includes(value))
  }
  for (const [name, text] of query) {
    if (!name.startsWith('eventCreatedDateTime')) continue
    const limit = Date.parse(text.replace(/^(gte|gt|lte|lt|eq):/, ''))
    const operator = /^(gte|gt|lte|lt|eq):/.exec(text)?.[1] ?? name.split(':')[1] ?? 'eq'
    const holds = {
      gte: created >= limit,
      gt: created > limit,
      lte: created <= limit,
      lt: created < limit,
      eq: created === limit,
    }
    if (!(holds[operator as keyof typeof holds] ?? true)) return false
  }
  return (
    allows('eventType', about.kind) &&
    allows('transportEventTypeCode', about.kind === 'TRANSPORT' ? about.code : null) &&
    allows('equipmentEventTypeCode', about.kind === 'EQUIPMENT' ? about.code : null) &&
    allows('shipmentEventTypeCode', about.kind === 'SHIPMENT' ? about.code : null) &&
    allows('UNLocationCode', about.kind === 'SHIPMENT' ? null : about.call.place)
  )
}

function sort(line: Line, wish: string | null, events: readonly Visible[]): readonly Visible[] {
  const [field = '', direction = ''] = (wish ?? '').split(',')[0]?.split(':') ?? []
  const isDown = wish === null ? line.quirks.has('newest_first') : direction.toUpperCase() === 'DESC'
  const key = field.endsWith('eventDateTime') ? 'at' : 'created'
  return [...events].sort((a, b) => (a.statement[key] - b.statement[key]) * (isDown ? -1 : 1))
}

interface PageMark {
  readonly offset: number
  readonly limit: number
  /** The moment of the first page. Later pages show the state of that moment. */
  readonly seenAt: number
}

function page(line: Line, url: URL, events: readonly Visible[], mark: PageMark): Answer {
  const isWhole = line.quirks.has('no_paging')
  const shown = isWhole ? events : events.slice(mark.offset, mark.offset + mark.limit)
  const list = `[${shown.map(({ shipment, statement }) => writeEvent(shipment, statement)).join(',')}]`
  const body = line.quirks.has('events_wrapper') ? `{"events":${list}}` : list
  const headers: Record<string, string> = {
    'API-Version': '2.2.0',
    'Content-Type': 'application/json; charset=utf-8',
  }
  if (!isWhole) {
    const lastOffset = Math.max(0, Math.ceil(events.length / mark.limit) - 1) * mark.limit
    const link = (offset: number): string => writeLink(line, url, { ...mark, offset })
    headers['Current-Page'] = link(mark.offset)
    headers['First-Page'] = link(0)
    headers['Last-Page'] = link(lastOffset)
    if (mark.offset < lastOffset) headers['Next-Page'] = link(mark.offset + mark.limit)
    if (mark.offset > 0) headers['Prev-Page'] = link(Math.max(0, mark.offset - mark.limit))
  }
  return { status: 200, headers, body }
}

function writeLink(line: Line, url: URL, { offset, limit, seenAt }: PageMark): string {
  const cursor = Buffer.from(`offset=${offset}&limit=${limit}&seenAt=${seenAt}`).toString('base64url')
  if (!line.quirks.has('page_links')) return cursor
  const link = new URL(url)
  link.searchParams.set('cursor', cursor)
  return link.toString()
}

function readCursor(line: Line, text: string | null): PageMark | null {
  if (text === null || line.quirks.has('no_paging')) return null
  const mark = new URLSearchParams(Buffer.from(text, 'base64url').toString())
  const [offset, limit, seenAt] = ['offset', 'limit', 'seenAt'].map((name) => Number(mark.get(name)))
  if (!Number.isInteger(offset) || !limit || !seenAt) return null
  return { offset: Math.max(0, offset ?? 0), limit: Math.max(1, limit), seenAt }
}

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
}

export function refuse(url: URL, status: number, reason: string, message: string, now: number): Answer {
  const body = JSON.stringify({
    httpMethod: 'GET',
    requestUri: url.toString(),
    errors: [{ reason, message }],
    statusCode: status,
    statusCodeText: STATUS_TEXTS[status] ?? 'Error',
    errorDateTime: new Date(now).toISOString(),
  })
  return {
    status,
    headers: { 'API-Version': '2.2.0', 'Content-Type': 'application/json; charset=utf-8' },
    body,
  }
}
