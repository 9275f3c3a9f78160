/**
 * The hand-written stories (`scenarios/*.story`): single shipments given statement by statement, at fixed days after
 * the world's first day, the same in every world. `README.md` explains the notation.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { nameUuid } from './chance.ts'
import { findLine } from './lines.ts'
import { DAY, fromLocal } from './local-time.ts'
import { checkDigit } from './numbers.ts'
import { getPlace, rampsOf, terminalOf, terminalsOf } from './places.ts'
import type { Box, Call, DocumentCode, Fact, Mode, Shipment, Statement } from './shipment.ts'
import { readTime } from './story-time.ts'
import { nothingTold, type ToldAshore, tellAshore } from './told-ashore.ts'

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

/** The shipments of a story that begins on `day0`. `key` distinguishes it from the same story at another time. */
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
  toldAshore: ToldAshore
  isToldByPartners: boolean | null
}

/** A story has one shipment, or several that are separated by a line `---`. */
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
    toldAshore: nothingTold,
    isToldByPartners: null,
  }
  text.split('\n').forEach((raw, n) => {
    const line = raw.replace(/#.*/, '').trim()
    if (line === '') return
    const words = line.split(/\s+/)
    if (words[0]?.startsWith('+') || words[0]?.startsWith('-')) readStatement(draft, words, `${key} ${n}`, day0)
    else readHead(draft, words, key, day0)
  })
  const line = findLine(draft.scac)
  const first = [...draft.calls.values()][0]
  const last = [...draft.calls.values()].at(-1)
  if (line === null || first === undefined || last === undefined) throw new Error(`story ${name}: no line or no calls`)
  const { booking, bill, bookingKnownAt, billKnownAt, boxes, facts, statements } = draft
  const { toldAshore, isToldByPartners } = draft
  const cancelled = draft.statements.find(({ about }) => about.kind === 'SHIPMENT' && /CANC|VOID/.test(about.code))
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
    toldAshore,
    isToldByPartners,
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
  else if (head === 'partners') draft.isToldByPartners = true
  else if (head === 'fact') draft.facts.push(readFact(draft, words.slice(1), day0))
  else if (head === 'port' || head === 'ramp' || head === 'line') {
    const place = stayPlace(draft, head)
    draft.toldAshore = tellAshore(draft.toldAshore, words, { day0, place })
  } else throw new Error(`story ${key}: cannot read "${words.join(' ')}"`)
}

function readBox(number: string, [equipmentCode = '22G1', seal = 'SEAL0001']: readonly string[]): Box {
  if (String(checkDigit(number)) !== number.slice(10))
    throw new Error(`${number}: the check digit is ${checkDigit(number)}`)
  return { number, equipmentCode, seal, family: equipmentCode.includes('R') ? 'reefer' : 'dry' }
}

/** Where the boxes stay: the last port at which a ship calls, or the last station of the train. */
function stayPlace({ calls }: Draft, site: string): string {
  const byRail = [...calls.values()].filter(({ mode }) => mode === 'RAIL').at(-1)
  const byShip = [...calls.values()].filter(({ mode }) => mode !== 'RAIL' && mode !== 'TRUCK').at(-1)
  const call = site === 'ramp' ? byRail : byShip
  if (call === undefined) throw new Error(`the calls stand before what is told of a ${site}`)
  return call.place
}

/** `DISC LADEN B +026 16:10`: an event that really happened, while the line says something else or nothing about it. */
function readFact(draft: Draft, [code = '', load = '', call = '', ...rest]: readonly string[], day0: number): Fact {
  const at = draft.calls.get(call)
  const known = ['GTOT', 'GTIN', 'LOAD', 'DISC', 'DEPA', 'ARRI'] as const
  const found = known.find((each) => each === code)
  if (at === undefined || found === undefined) throw new Error(`no such fact: ${code} ${load} ${call}`)
  return {
    at: fromLocal(getPlace(at.place).zone, readTime(rest[0], rest[1], day0)),
    code: found,
    load: load === 'EMPTY' ? 'EMPTY' : 'LADEN',
    call: at,
    boxes: boxesIn(draft, rest),
  }
}

/** The boxes that are named; all boxes when none is named. */
function boxesIn({ boxes }: Draft, words: readonly string[]): readonly number[] {
  const named = boxes.flatMap((box, n) => (words.includes(box.number) ? [n] : []))
  return named.length > 0 ? named : boxes.map((_, n) => n)
}

/**
 * `USLAX VESSEL`, `USLAX TRUCK DEPO` or `USCHI RAIL RAMP UPRR` (the railway of the ramp), then optionally `: ship / IMO
 * / voyage`, and `: XXQQQ name` when the line sends an unknown code (`-`: none) and an unknown name for the place.
 */
function readCall(draft: Draft, id: string, text: string, key: string): Call {
  const [left = '', ship = '', called = ''] = text.split(':').map((part) => part.trim())
  const [place = '', mode = 'VESSEL', type = 'POTE', railway = ''] = left.split(' ')
  const [name = '', imo = '', voyage = ''] = ship.split('/').map((word) => word.trim())
  const [code = '', ...ownName] = called.split(' ')
  const isCalled = called !== ''
  const ramp = rampsOf(place).find(([each]) => each === railway)
  const isTerminal = !isCalled && (type === 'POTE' || type === 'BRTH')
  const terminal = isTerminal ? terminalOf(place, draft.scac) : null
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
      (isCalled ? ownName.join(' ') : null) ??
      (ramp === undefined ? null : ramp.join(' ')) ??
      (type === 'POTE' ? null : `${getPlace(place).name} ${type === 'RAMP' ? 'Ramp' : 'Depot'}`),
    ...(isCalled && { called: { code: code === '-' ? null : code, name: ownName.join(' ') } }),
  }
}

/**
 * `said day, said time, classifier, code, load or document, call, day, time, box…`, then the words that `README.md`
 * explains.
 */
function readStatement(draft: Draft, words: readonly string[], key: string, day0: number): void {
  const created = readTime(words[0], words[1], day0)
  const [classifier = '', code = '', third = ''] = words.slice(2, 5)
  const isDocument = ['CONF', 'RECE', 'ISSU', 'VOID', 'CANC'].includes(code)
  const hasThird = isDocument || third === 'EMPTY' || third === 'LADEN'
  const visit = draft.calls.get(words[hasThird ? 5 : 4] ?? '') ?? [...draft.calls.values()][0]
  if (visit === undefined) throw new Error(`story ${key}: no call in "${words.join(' ')}"`)
  const rest = words.slice(hasThird ? 6 : 5)
  const call = atBerth(visit, wordAfter(rest, 'berth'))
  const at = fromLocal(getPlace(call.place).zone, readTime(rest[0], rest[1], day0))
  const boxes = boxesIn(draft, rest)
  const untilAt = rest.indexOf('until')
  const until = untilAt < 0 ? null : readTime(rest[untilAt + 1], rest[untilAt + 2], day0)
  const load = third === 'EMPTY' ? 'EMPTY' : 'LADEN'
  const word = wordAfter(rest, 'as')
  const base = {
    key,
    created,
    until,
    classifier: classifier as Statement['classifier'],
    at,
    boxes,
    odd: rest.includes('odd'),
    ...(word !== null && { word }),
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
  if (classifier === 'ACT' && !rest.includes('false')) draft.facts.push({ at, code, load, call: visit, boxes })
}

/** The same visit, at another terminal of the port. When the terminal is not known, only its code is given. */
function atBerth(call: Call, code: string | null): Call {
  if (code === null) return call
  const known = terminalsOf(call.place).find(([each]) => each === code)
  return { ...call, terminalCode: code, facilityName: known?.[1] ?? null }
}

function wordAfter(words: readonly string[], mark: string): string | null {
  const at = words.indexOf(mark)
  return at < 0 ? null : (words[at + 1] ?? null)
}
