/**
 * Finds the names of places, ships, lines and terminals in a draft: those of the record first, then those of the
 * reference data. A name that nobody knows is found only where the words around it call it a name.
 */

import { findSimilarWord } from '../../domain/geography/nearest.ts'
import { findCountryCode } from '../../reference/countries.ts'
import { once } from '../../reference/data-files.ts'
import { findNamedLine } from '../../reference/named-lines.ts'
import { findNamesakes, findPlaceByCode } from '../../reference/places.ts'
import { plainName } from '../../reference/plain-name.ts'
import { allShippingLines } from '../../reference/shipping-lines.ts'
import { oceanTerminalsAt } from '../../reference/terminals.ts'
import { findTypedPlaces, placeRanks } from '../../reference/typed-places.ts'
import { listedVessels } from '../../reference/vessels.ts'
import type { Span } from './draft-text.ts'
import type { NameKind } from './known-values.ts'

export interface DraftName extends Span {
  readonly kind: NameKind | 'name'
  /** As `plainName` spells it. */
  readonly plain: string
  /** Of a place: its codes, or that of its country; of a line its SCAC. */
  readonly codes: readonly string[]
  readonly didYouMean: string | null
}
type Meaning = Pick<DraftName, 'kind' | 'codes'>

const word = "(?:\\p{Lu}\\p{L}{0,2}\\.|\\p{Lu}[\\p{L}\\p{N}'’&-]{0,30})"
const phrases = new RegExp(
  `(?<![\\p{L}\\p{N}])${word}(?: (?:(?:of|de|la|del|do|da|the|and|&) )?(?:${word}|\\d{1,3}\\b)){0,5}`,
  'gu',
)
const wordsMax = 6

/** `known`: the plain names of the record, with their kinds. */
export function findNames(rest: string, known: ReadonlyMap<string, NameKind>): readonly DraftName[] {
  return [...rest.matchAll(phrases)].flatMap(({ 0: phrase, index }) => readPhrase(phrase, index, { rest, known }))
}

interface About {
  readonly rest: string
  readonly known: ReadonlyMap<string, NameKind>
}

/** The longest names first. */
function readPhrase(phrase: string, at: number, about: About): readonly DraftName[] {
  const words = [...phrase.matchAll(/[^ ]+/g)].map(({ 0: text, index }) => ({
    from: at + index,
    to: at + index + text.length,
  }))
  const names: DraftName[] = []
  let unread: Span[] = []
  const endUnread = () => {
    const [first, last] = [unread[0], unread.at(-1)]
    if (first !== undefined && last !== undefined) names.push(...readUnknown({ from: first.from, to: last.to }, about))
    unread = []
  }
  for (let first = 0; first < words.length; first += 1) {
    const found = Array.from({ length: Math.min(wordsMax, words.length - first) }, (_, fewer) => fewer)
      .toReversed()
      .map((more) => ({
        more,
        name: readName({ from: words[first]?.from ?? at, to: words[first + more]?.to ?? at }, about),
      }))
      .find(({ name }) => name !== null)
    const current = words[first]
    if (found?.name) {
      endUnread()
      names.push(found.name)
      first += found.more
    } else if (current !== undefined) unread.push(current)
  }
  endUnread()
  return names
}

function trimmed(rest: string, { from, to }: Span): Span & { readonly text: string } {
  const text = rest.slice(from, to).replace(/(?:['’]s|[.'’-])$/, '')
  return { from, to: from + text.length, text }
}

const calledPlace =
  /\b(?:in|at|to|from|via|near|through|for|towards?|reach(?:es|ed)?|leaves|left|port of|discharge|loading|destination|origin)[: ]{1,3}(?:the )?$/i
const calledShip = /\b(?:vessel|ship|m\/?v|ms|aboard|on board|board the|named)[: ]{1,3}(?:the )?$/i
const calledOther = /\b(?:line|carrier|terminal|customer|consignee|says|by|with|according to)[: ]{1,3}(?:the )?$/i

function readName(span: Span, about: About): DraftName | null {
  const { from, to, text } = trimmed(about.rest, span)
  const plain = plainName(text)
  if (plain === '' || common.has(plain)) return null
  // `One container` is not the line ONE.
  const isShortWord = plain.length < 4 && text !== plain
  const before = about.rest.slice(Math.max(0, from - 20), from)
  const meaning = isShortWord ? null : (readKnown(plain, about) ?? readReference(text, plain, before))
  if (meaning === null) return null
  // `Portland, ME` is none of the others.
  const [, area = null] = /^, ([A-Z]{2})\b/.exec(about.rest.slice(to, to + 5)) ?? []
  const isThere = (code: string) => code.startsWith(area ?? '') || findPlaceByCode(code)?.subdivision === area
  const codes = meaning.codes.filter((code) => area === null || isThere(code))
  const isOther = codes.length < meaning.codes.length
  return { from, to, didYouMean: null, ...meaning, codes, plain: isOther ? `${plain} ${area}` : plain }
}

function readKnown(plain: string, { known }: About): Meaning | null {
  const kind = known.get(plain)
  return kind === undefined ? null : { kind, codes: kind === 'place' ? codesOf(plain) : lineOf(plain) }
}

function readReference(text: string, plain: string, before: string): Meaning | null {
  if (calledShip.test(before)) return ships().has(plain) ? { kind: 'ship', codes: [] } : null
  const code = /^[A-Z]{2}[A-Z2-9]{3}$/.test(text) ? findPlaceByCode(text) : null
  if (code !== null && isTrading(code.unlocode)) return { kind: 'place', codes: [code.unlocode] }
  const line = lines().get(plain)
  if (line !== undefined) return { kind: 'line', codes: [line] }
  const codes = codesOf(plain)
  if (codes.some(isTrading) || (codes.length > 0 && calledPlace.test(before))) return { kind: 'place', codes }
  const country = text.length > 2 || ['US', 'UK'].includes(text) ? findCountryCode(text) : null
  if (country !== null) return { kind: 'place', codes: [country] }
  return plain.includes(' ') && ships().has(plain) ? { kind: 'ship', codes: [] } : null
}

function isTrading(code: string): boolean {
  return placeRanks('port').has(code) || placeRanks('metro_area').has(code)
}

function codesOf(plain: string): readonly string[] {
  return findNamesakes(plain.replace(/^PORT OF /, '')).map(({ unlocode }) => unlocode)
}

function lineOf(plain: string): readonly string[] {
  const scac = lines().get(plain)
  return scac === undefined ? [] : [scac]
}

/** What no name of ours is: a nickname, a misspelling, or the name of something that we do not know. */
function readUnknown(span: Span, about: About): readonly DraftName[] {
  const { from, to, text } = trimmed(about.rest, span)
  const plain = plainName(text)
  const before = about.rest.slice(Math.max(0, from - 20), from)
  const isCalled = [calledPlace, calledShip, calledOther].some((pattern) => pattern.test(before))
  if (plain.split(' ').every((each) => common.has(each))) return []
  const didYouMean = plain.length < 5 ? null : findMisspelt(plain, about)
  if (!isCalled && didYouMean === null) return []
  const named = { from, to, plain, didYouMean }
  if (calledShip.test(before)) return [{ ...named, kind: 'ship', codes: [] }]
  const line = isCalled ? findNamedLine(text) : null
  if (line?.kind === 'line') return [{ ...named, kind: 'line', codes: [line.line.scac], didYouMean: null }]
  const codes = calledPlace.test(before) ? findTypedPlaces(text).map(({ unlocode }) => unlocode) : []
  return [
    { ...named, kind: codes.length > 0 ? 'place' : 'name', codes, didYouMean: codes.length > 0 ? null : didYouMean },
  ]
}

/** Two thirds of its letters must fit, and the first. */
function findMisspelt(plain: string, { known }: About): string | null {
  const names = [...known.keys()].filter((each) => each[0] === plain[0] && Math.abs(each.length - plain.length) < 3)
  return findSimilarWord(plain, names)
}

/** Also the names of the terminals of a place, of which the record names only one. */
export function namesOfTerminals(unlocode: string): readonly string[] {
  return oceanTerminalsAt(unlocode).flatMap(({ name, nickname }) =>
    [name, ...(nickname === null ? [] : [nickname])].map(plainName),
  )
}

const lines = once(
  () =>
    new Map(
      allShippingLines().flatMap(({ scac, name, shortName, alternativeScacs }) =>
        [scac, name, shortName, ...alternativeScacs].map((each) => [plainName(each), scac] as const),
      ),
    ),
)
const ships = once(() => new Set([...listedVessels()].flatMap(({ name }) => plainName(name))))

/** Words that drafts write with a capital, and that are the names of places somewhere. */
const common = new Set(
  `THE A AN AND OR OF IN ON AT TO FOR FROM BY IT IS IF NO NOT AS ALL ANY BOTH YES PLEASE DEAR HELLO HI BEST REGARDS THANKS THANK
  YOU YOUR OUR WE I THIS THAT THESE THERE HERE CONTAINER CONTAINERS SHIPMENT SHIPMENTS BILL LADING BOOKING STATUS CURRENT
  LAST FREE DAY DAYS TIME ETA ETD ATA ATD LFD POD POL PORT DISCHARGE LOADING DESTINATION ORIGIN ARRIVAL DEPARTURE DATE VESSEL
  SHIP VOYAGE TERMINAL LINE CARRIER HOLD HOLDS FEES FEE CUSTOMS DEMURRAGE DETENTION STORAGE WEIGHT SEAL NUMBER NOTE SUMMARY
  UPDATE PICK PICKUP UP OUT EMPTY FULL RETURN RETURNED AVAILABLE DELIVERED ARRIVED DEPARTED DISCHARGED LOADED LOCATION TOTAL
  MV MS VIA UTC GMT PST PDT EST EDT CST CDT CET CEST AM PM SCAC IMO KG LB USD EUR LANDFALL AIS NEXT STEPS REFERENCE VALUE FIELD
  JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER MONDAY TUESDAY WEDNESDAY THURSDAY
  FRIDAY SATURDAY SUNDAY SO BUT WHEN WHERE WHAT WHO ITS THEY HAS HAVE WAS WERE WILL TWO NONE UNKNOWN RAIL TRAIN TRUCK`
    .trim()
    .split(/\s+/),
)
