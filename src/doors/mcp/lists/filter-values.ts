/**
 * Reads the values of filters in the words of people: a line by name or SCAC, a port by name or code, statuses as
 * words. An unknown value is refused, with a suggestion of what was probably meant.
 */

import { findNearest } from '../../../core/geography/nearest.ts'
import { testScac } from '../../../core/values/identifiers.ts'
import { findPlaceByCode, type Place } from '../../../reference/places.ts'
import { plainName } from '../../../reference/plain-name.ts'
import { allPortOverrides } from '../../../reference/port-overrides.ts'
import { allShippingLines, findShippingLine } from '../../../reference/shipping-lines.ts'
import { allTerminals } from '../../../reference/terminals.ts'
import { findTypedPlaces } from '../../../reference/typed-places.ts'
import { ServiceError } from '../../../service/errors.ts'

/** The hint of a refusal lists at most this many values. */
const manyMax = 40

export function refused(name: string, sentence: string): ServiceError {
  return new ServiceError('invalid', `\`${name}\` ${sentence}.`)
}

/** `Did you mean …?`; or the list of all values, if none of them is similar. */
export function hint(
  word: string,
  known: readonly string[],
  otherwise = known.length > manyMax ? '' : ` There are: ${known.join(', ')}.`,
): string {
  const nearest = findNearest(word, known)
  return nearest === null ? otherwise : ` Did you mean \`${nearest}\`?`
}

function unknownValue(
  name: string,
  of: { readonly given: string; readonly what: string; readonly hint: string },
) {
  const given = of.given.slice(0, 60)
  return new ServiceError('invalid', `\`${name}\`: there is no ${of.what} \`${given}\`.${of.hint}`)
}

/** One of the values, or several: a word may mean more than one, and commas separate words. */
export function readWords<const T extends string>(
  name: string,
  given: string,
  of: { readonly values: readonly T[]; readonly words?: Readonly<Record<string, readonly T[]>> },
): readonly T[] {
  const parts = given
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (parts.length === 0) throw refused(name, `is one of ${of.values.join(', ')}`)
  const found = parts.flatMap((part) => {
    const word = plainWord(part)
    const value = of.values.find((each) => plainWord(each) === word)
    const meant = value === undefined ? of.words?.[word] : [value]
    if (meant !== undefined) return meant
    const known = [...of.values, ...Object.keys(of.words ?? {})]
    throw unknownValue(name, { given: part, what: name.replaceAll('_', ' '), hint: hint(word, known) })
  })
  return [...new Set(found)]
}

/** Normalizes `Picked up` and `picked-up` to `picked_up`. */
function plainWord(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
}

/** The SCAC of a line. A name must be complete, or a part that only one line has. */
export function readLine(name: string, given: string): string {
  const text = given.trim()
  const byScac = text.toUpperCase() === testScac ? testScac : findShippingLine(text)?.scac
  if (byScac !== undefined) return byScac
  const plain = plainName(text)
  const lines = allShippingLines().map((line) => ({
    line,
    names: [line.name, line.shortName].map(plainName),
  }))
  const whole = lines.filter(({ names }) => names.includes(plain))
  const part = plain === '' ? [] : lines.filter(({ names }) => names.some((each) => each.includes(plain)))
  const found = whole.length > 0 ? whole : part
  const [first, ...others] = found
  if (first !== undefined && others.length === 0) return first.line.scac
  const written = ({ line }: (typeof lines)[number]) => `${line.shortName} (${line.scac})`
  if (first !== undefined && found.length <= 6)
    throw refused(name, `\`${text}\` may be ${found.map(written).join(', ')}: say which, by its SCAC`)
  const known = lines.flatMap(({ line: { scac, name: whole, shortName } }) => [
    scac,
    whole,
    shortName,
    /^\p{L}{4,}/u.exec(shortName)?.[0] ?? scac,
  ])
  const tools = ' get_supported_shipping_lines lists them.'
  throw unknownValue(name, { given: text, what: 'shipping line', hint: hint(text, known, tools) })
}

/**
 * All places that have this name, as their main name or as another one. Several places may share a name: the account's
 * rows show which one is meant.
 */
export function readPlaces(name: string, given: string): readonly Place[] {
  const text = given.trim()
  const byCode = findPlaceByCode(text)
  if (byCode !== null) return [byCode]
  const places = findTypedPlaces(text)
  const ports = places.filter(({ kind }) => kind === 'port')
  if (places.length > 0) return ports.length > 0 ? ports : places
  const [first = ''] = text.replace(/^(the )?port of /i, '').split(',')
  throw unknownValue(name, { given: text, what: 'port', hint: hintOfPort(first.trim()) })
}

/** A text such as `LAX` may be the end of a code. */
function hintOfPort(text: string): string {
  const ports = [...knownPorts()]
  if (/^[A-Za-z0-9]{3}$/.test(text)) {
    const codes = ports.flatMap(([, code]) => (code.endsWith(text.toUpperCase()) ? [code] : []))
    if (codes.length > 0)
      return ` Did you mean ${[...new Set(codes)]
        .slice(0, 5)
        .map((each) => `\`${each}\``)
        .join(' or ')}?`
  }
  return hint(text, ports.flat(), ' Use its name or its UN/LOCODE, such as USLAX.')
}

/** Names and codes of the ports that have terminals. A typing mistake probably means one of them. */
function knownPorts(): ReadonlyMap<string, string> {
  const codes = [
    ...allPortOverrides().map((each) => each.canonicalUnlocode),
    ...allTerminals().map((each) => each.unlocode),
  ]
  const places = [...new Set(codes)].flatMap((code) => (code === null ? [] : (findPlaceByCode(code) ?? [])))
  return new Map(places.map(({ name, unlocode }) => [name, unlocode]))
}

export function readFlag(name: string, given: string): boolean {
  const word = plainWord(given)
  if (['true', 'yes'].includes(word)) return true
  if (['false', 'no'].includes(word)) return false
  throw refused(name, 'is true or false')
}

/** The same moment in the form that JSON:API has. */
export function readInstant(name: string, given: string): string {
  const ms = /^\d{4}-\d{2}-\d{2}/.test(given) ? Date.parse(given) : Number.NaN
  if (Number.isNaN(ms)) throw refused(name, 'is a time such as 2026-01-31T00:00:00Z')
  return new Date(ms).toISOString()
}

export function readDay(name: string, given: string): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(given) && !Number.isNaN(Date.parse(given))
  if (!isDay) throw refused(name, 'is a day such as 2026-01-31')
  return given
}
