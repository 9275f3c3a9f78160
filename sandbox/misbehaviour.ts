/** How a faulty line answers: carries out the faults of `faults.ts` over HTTP. */
import type { ServerResponse } from 'node:http'
import type { Answer } from './answer.ts'
import { answer, refuse, unknownNumber } from './answer.ts'
import { type Listed, listNumbers } from './catalogue.ts'
import { writeConfirmation } from './dcsa.ts'
import { type FaultKind, magicKind } from './faults.ts'
import { type Line, NUMBER_KINDS } from './lines.ts'
import { DAY } from './local-time.ts'
import type { World } from './world.ts'

export interface Asked {
  readonly world: World
  readonly line: Line
  readonly url: URL
  readonly now: number
}

const REFERENCE_OF = {
  bill_of_lading: 'transportDocumentReference',
  booking: 'carrierBookingReference',
  container: 'equipmentReference',
} as const
const REFERENCES = Object.values(REFERENCE_OF)
const SLOW_STEP_MS = 250
const SLOW_STEP_BYTES = 16
const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' }

const LOGIN_PAGE = `<!DOCTYPE html><html><head><title>Sign in</title></head><body>
<form action="/login" method="post"><input name="user"><input name="password" type="password"></form></body></html>`

const MAINTENANCE_PAGE = `<html><body><h1>Scheduled maintenance</h1><p>We will be back shortly.</p></body></html>`

export function misbehave(response: ServerResponse, fault: FaultKind, asked: Asked): void {
  const { world, line, url, now } = asked
  misbehaveWith(response, fault, {
    right: () => rightAnswer(fault === 'stale' ? { ...asked, now: now - DAY } : asked),
    other: () => answer(world, line, otherUrl(asked), now),
    unknown: () => unknownNumber(line, url, now),
    nodata: () => knownWithoutData(asked),
    refuse: (status, message) =>
      refuse(url, status, status === 429 ? 'tooManyRequests' : 'internalError', message, now),
  })
}

interface Answers {
  /** The right answer. For the fault `stale` it is yesterday's. */
  readonly right: () => Answer
  /** An answer about another box. */
  readonly other: () => Answer
  readonly unknown: () => Answer
  /** The number is known, but the answer has no data. */
  readonly nodata: () => Answer
  readonly refuse: (status: number, message: string) => Answer
}

export function misbehaveWith(response: ServerResponse, fault: FaultKind, answers: Answers): void {
  switch (fault) {
    case '500':
      send(response, answers.refuse(500, 'An unexpected error occurred.'))
      break
    case '400':
      send(response, answers.refuse(400, 'The reference is not valid.'))
      break
    case '429': {
      const refusal = answers.refuse(429, 'Slow down.')
      send(response, { ...refusal, headers: { ...refusal.headers, 'Retry-After': '2' } })
      break
    }
    case 'login':
      send(response, { status: 200, headers: { 'Content-Type': 'text/html' }, body: LOGIN_PAGE })
      break
    case 'html':
      send(response, { status: 200, headers: JSON_TYPE, body: MAINTENANCE_PAGE })
      break
    case 'empty':
      send(response, { status: 200, headers: JSON_TYPE, body: '' })
      break
    case 'stale':
      send(response, answers.right())
      break
    case 'half':
    case 'trunc': {
      const { body, ...right } = answers.right()
      send(response, { ...right, body: body.slice(0, Math.max(1, Math.floor(body.length * 0.6))) })
      break
    }
    case 'other':
      send(response, answers.other())
      break
    case 'unknown':
      send(response, answers.unknown())
      break
    case 'nodata':
      send(response, answers.nodata())
      break
    case 'reset':
      response.destroy()
      break
    case 'slow':
      drip(response, answers.right())
  }
}

export function numbersIn(url: URL): readonly string[] {
  return REFERENCES.flatMap((name) => url.searchParams.getAll(name))
}

export function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
}

/** For a magic number the answer for some other number of the line is used, so that there is an answer to spoil. */
function rightAnswer(asked: Asked): Answer {
  const { world, line, url, now } = asked
  return answer(world, line, magicNumber(url) ? otherUrl(asked) : url, now)
}

function magicNumber(url: URL): boolean {
  return numbersIn(url).some((number) => magicKind(number) !== null)
}

/** An answer that says only that the booking was confirmed long ago. */
function knownWithoutData({ world, line, url }: Asked): Answer {
  const event = writeConfirmation(line, numbersIn(url)[0] ?? '', world.epoch)
  const body = line.quirks.has('events_wrapper') ? `{"events":[${event}]}` : `[${event}]`
  return { status: 200, headers: JSON_TYPE, body }
}

/**
 * The same question about another number of the same kind. For a bill, the answer must name a bill: an answer that
 * names only a booking could be about the right one.
 */
function otherUrl({ world, line, url, now }: Asked): URL {
  const asked = numbersIn(url)
  const kind = NUMBER_KINDS.find((each) => url.searchParams.has(REFERENCE_OF[each])) ?? null
  const others = listNumbers(world, now, { line, kind, stage: null, scenario: null, isLively: false })
    .filter(({ number, containers }) => ![number, ...containers].some((each) => asked.includes(each)))
    .map((other) => urlOf(url, other))
  const word = kind === 'bill_of_lading' ? '"TRD' : ''
  return others.find((its) => answer(world, line, its, now).body.includes(word)) ?? urlOf(url, null)
}

/** The same question with another number, or with none. */
function urlOf(url: URL, other: Pick<Listed, 'kind' | 'number'> | null): URL {
  const changed = new URL(url)
  for (const name of REFERENCES) changed.searchParams.delete(name)
  if (other !== null) changed.searchParams.set(REFERENCE_OF[other.kind], other.number)
  return changed
}

function drip(response: ServerResponse, { status, headers, body }: Answer): void {
  const bytes = Buffer.from(body)
  response.writeHead(status, { ...headers, 'Content-Length': bytes.length })
  let sent = 0
  const timer = setInterval(() => {
    response.write(bytes.subarray(sent, sent + SLOW_STEP_BYTES))
    sent += SLOW_STEP_BYTES
    if (sent >= bytes.length) response.end()
  }, SLOW_STEP_MS)
  response.on('close', () => clearInterval(timer))
}
