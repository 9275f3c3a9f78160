/**
 * The hand-written stories (`scenarios/*.story`): single shipments told statement by statement, at fixed days after
 * the world's first day, the same in every world. The notation is explained in `README.md`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { nameUuid } from './chance.ts'
import { findLine } from './lines.ts'
import { DAY, fromLocal, HOUR, MINUTE } from './local-time.ts'
import { checkDigit } from './numbers.ts'
import { getPlace, terminalOf } from './places.ts'
import type { Box, Call, DocumentCode, Fact, Mode, Shipment, Statement } from './shipment.ts'

const FOLDER = new URL('scenarios/', import.meta.url)

export function readStories(epoch: number): readonly Shipment[] {
  const day0 = Math.floor(epoch / DAY) * DAY
  return storyNames().flatMap((name) => tellStory(name, name, day0))
}

export function storyNames(): readonly string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.story'))
    .map((file) => file.replace('.story', ''))
    .sort()
}

const texts = new Map<string, string>()

/** The shipments of a story that begins on `day0`; `key` tells it from the same story at another time. */
export function tellStory(name: string, key: string, day0: number): readonly Shipment[] {
  const text = texts.get(name) ?? readFileSync(new URL(`${name}.story`, FOLDER), 'utf8')
  texts.set(name, text)
  return readStory(name, key, text, day0)
}

interface Draft {
  scac: string
  booking: string
  bill: string
  bookingKnownAt: number
  billKnownAt: number | null
  readonly boxes: Box[]
  readonly calls: Map<string, Call>
  readonly facts: Fact[]
  readonly statements: Statement[]
}

/** A story has one shipment, or several parted by a line `---`. */
function readStory(name: string, key: string, text: string, day0: number): readonly Shipment[] {
  return text.split(/^---$/m).map((part, n) => readPart(n === 0 ? key : `${key} ${n + 1}`, name, part, day0))
}

function readPart(key: string, name: string, text: string, day0: number): Shipment {
  const draft: Draft = {
    scac: '',
    booking: '',
    bill: '',
    bookingKnownAt: day0,
    billKnownAt: null,
    boxes: [],
    calls: new Map(),
    facts: [],
    statements: [],
  }
  text.split('\n').forEach((raw, n) => {
    const line = raw.replace(/#.*/, '').trim()
    if (line === '') return
    const words = line.split(/\s+/)
    if (words[0]?.startsWith('+') || words[0]?.startsWith('-'))
      readStatement(draft, words, `${key} ${n}`, day0)
    else readHead(draft, words, key, day0)
  })
  const line = findLine(draft.scac)
  const first = [...draft.calls.values()][0]
  const last = [...draft.calls.values()].at(-1)
  if (line === null || first === undefined || last === undefined)
    throw new Error(`story ${name}: no line or no calls`)
  const { booking, bill, bookingKnownAt, billKnownAt, boxes, facts, statements } = draft
  const cancelled = draft.statements.find(
    ({ about }) => about.kind === 'SHIPMENT' && /CANC|VOID/.test(about.code),
  )
  draft.facts.sort((a, b) => a.at - b.at)
  draft.statements.sort((a, b) => a.created - b.created || (a.key < b.key ? -1 : 1))
  return {
    booking,
    bill,
    bookingKnownAt,
    billKnownAt,
    boxes,
    facts,
    statements,
    key: `story ${key}`,
    beginsAt: null,
    line,
    scenario: `story_${name}`,
    from: first.place,
    to: last.place,
    cancelledAt: cancelled?.created ?? null,
    endsAt: Math.max(...draft.facts.map(({ at }) => at), cancelled?.created ?? 0),
  }
}

function readHead(draft: Draft, words: readonly string[], key: string, day0: number): void {
  const [head, value = '', ...rest] = words
  const known = rest[0] === 'known' ? readTime(rest[1], rest[2], day0) : day0
  if (head === 'scac') draft.scac = value
  else if (head === 'booking') Object.assign(draft, { booking: value, bookingKnownAt: known })
  else if (head === 'bill') Object.assign(draft, { bill: value, billKnownAt: known })
  else if (head === 'box') draft.boxes.push(readBox(value, rest))
  else if (head === 'call') draft.calls.set(value, readCall(draft, value, rest.join(' '), key))
  else throw new Error(`story ${key}: cannot read "${words.join(' ')}"`)
}

function readBox(number: string, [equipmentCode = '22G1', seal = 'SEAL0001']: readonly string[]): Box {
  if (String(checkDigit(number)) !== number.slice(10))
    throw new Error(`${number}: the check digit is ${checkDigit(number)}`)
  return { number, equipmentCode, seal, family: equipmentCode.includes('R') ? 'reefer' : 'dry' }
}

/** `USLAX VESSEL` or `USLAX TRUCK DEPO`, then `: ship / IMO / voyage` where there is one. */
function readCall(draft: Draft, id: string, text: string, key: string): Call {
  const [left = '', ship = ''] = text.split(':').map((half) => half.trim())
  const [place = '', mode = 'VESSEL', type = 'POTE'] = left.split(' ')
  const [name = '', imo = '', voyage = ''] = ship.split('/').map((word) => word.trim())
  const terminal = type === 'POTE' || type === 'BRTH' ? terminalOf(place, draft.scac) : null
  return {
    id: nameUuid(`story call|${key}|${id}`),
    place,
    mode: mode as Mode,
    vessel: name === '' ? null : { imo, name },
    voyage: voyage === '' ? null : voyage,
    service: null,
    sequence: draft.calls.size + 1,
    facilityType: type as Call['facilityType'],
    terminalCode: terminal?.[0] ?? null,
    facilityName:
      terminal?.[1] ??
      (type === 'POTE' ? null : `${getPlace(place).name} ${type === 'RAMP' ? 'Ramp' : 'Depot'}`),
  }
}

/** `said day, said time, classifier, code, load or document, call, day, time, box…, [odd], [false], [until day time]` */
function readStatement(draft: Draft, words: readonly string[], key: string, day0: number): void {
  const created = readTime(words[0], words[1], day0)
  const [classifier = '', code = '', third = ''] = words.slice(2, 5)
  const isDocument = ['CONF', 'RECE', 'ISSU', 'VOID', 'CANC'].includes(code)
  const hasThird = isDocument || third === 'EMPTY' || third === 'LADEN'
  const call = draft.calls.get(words[hasThird ? 5 : 4] ?? '') ?? [...draft.calls.values()][0]
  if (call === undefined) throw new Error(`story ${key}: no call in "${words.join(' ')}"`)
  const rest = words.slice(hasThird ? 6 : 5)
  const at = fromLocal(getPlace(call.place).zone, readTime(rest[0], rest[1], day0))
  const named = draft.boxes.flatMap((box, n) => (rest.includes(box.number) ? [n] : []))
  const boxes = named.length > 0 ? named : draft.boxes.map((_, n) => n)
  const untilAt = rest.indexOf('until')
  const until = untilAt < 0 ? null : readTime(rest[untilAt + 1], rest[untilAt + 2], day0)
  const load = third === 'EMPTY' ? 'EMPTY' : 'LADEN'
  const base = {
    key,
    created,
    until,
    classifier: classifier as Statement['classifier'],
    at,
    boxes,
    odd: rest.includes('odd'),
  }
  if (isDocument) {
    const about = { kind: 'SHIPMENT' as const, code: code as DocumentCode, document: third, reason: null }
    draft.statements.push({ ...base, boxes: [], about })
    return
  }
  if (code === 'DEPA' || code === 'ARRI') {
    draft.statements.push({ ...base, about: { kind: 'TRANSPORT', code, call } })
  } else if (code === 'GTOT' || code === 'GTIN' || code === 'LOAD' || code === 'DISC') {
    draft.statements.push({ ...base, about: { kind: 'EQUIPMENT', code, call, load } })
  } else throw new Error(`story ${key}: unknown code ${code}`)
  if (classifier === 'ACT' && !rest.includes('false')) draft.facts.push({ at, code, load, call, boxes })
}

/** `+012 14:30`: twelve days after the world's first day. */
function readTime(day = '', time = '', day0: number): number {
  const [hours, minutes] = time.split(':').map(Number)
  const at = day0 + Number(day) * DAY + (hours ?? 0) * HOUR + (minutes ?? 0) * MINUTE
  if (!Number.isFinite(at)) throw new Error(`cannot read the time "${day} ${time}"`)
  return at
}
