/**
 * Reads the values of filters as people write them: a line by name or SCAC, a port by name or code, statuses as words.
 * An unknown value is refused, with a suggestion of the probable intention.
 */

import { anyTime, type TimeRange } from '../../db/listing/page.ts'
import { findSimilarWord } from '../../domain/geography/nearest.ts'
import { testScac } from '../../domain/values/identifiers.ts'
import { ServiceError } from '../../modules/errors.ts'
import { findNamedLine } from '../../reference/named-lines.ts'
import { findPlaceByCode, type Place } from '../../reference/places.ts'
import { plainName } from '../../reference/plain-name.ts'
import { allPortOverrides } from '../../reference/port-overrides.ts'
import { allShippingLines } from '../../reference/shipping-lines.ts'
import { allTerminals } from '../../reference/terminals.ts'
import { findTypedPlaces } from '../../reference/typed-places.ts'

/** The hint of a refusal lists at most this many values. */
const manyMax = 40

export function invalidFilterError(name: string, sentence: string): ServiceError {
  return new ServiceError('invalid', `\`${name}\` ${sentence}.`)
}

/** `Did you mean …?`; or the list of all values, if none of them is similar. */
export function suggestValues(
  typed: string,
  known: readonly string[],
  otherwise = known.length > manyMax ? '' : ` There are: ${known.join(', ')}.`,
): string {
  const nearest = findSimilarWord(typed, known)
  return nearest === null ? otherwise : ` Did you mean \`${nearest}\`?`
}

function unknownValueError(name: string, of: { readonly given: string; readonly what: string; readonly hint: string }) {
  const given = of.given.slice(0, 60)
  return new ServiceError('invalid', `\`${name}\`: there is no ${of.what} \`${given}\`.${of.hint}`)
}

/** One of the values, or several: a word may mean more than one, and commas separate words. */
export function readValues<const T extends string>(
  name: string,
  given: string,
  of: { readonly values: readonly T[]; readonly synonyms?: Readonly<Record<string, readonly T[]>> },
): readonly T[] {
  const parts = given
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (parts.length === 0) throw invalidFilterError(name, `is one of ${of.values.join(', ')}`)
  const found = parts.flatMap((part) => {
    const normalized = normalizeText(part)
    const value = of.values.find((each) => normalizeText(each) === normalized)
    const resolved = value === undefined ? of.synonyms?.[normalized] : [value]
    if (resolved !== undefined) return resolved
    const known = [...of.values, ...Object.keys(of.synonyms ?? {})]
    throw unknownValueError(name, {
      given: part,
      what: name.replaceAll('_', ' '),
      hint: suggestValues(normalized, known),
    })
  })
  return [...new Set(found)]
}

/** Normalizes `Picked up` and `picked-up` to `picked_up`. */
export function normalizeText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
}

/** The SCAC of a line. A name must be complete, or a part that only one line has. */
export function readLine(name: string, given: string): string {
  const text = given.trim()
  if (text.toUpperCase() === testScac) return testScac
  const named = findNamedLine(text)
  if (named.kind === 'line') return named.line.scac
  if (named.kind === 'several') throw new ServiceError('invalid', `\`${name}\`: ${named.detail}`)
  const plain = plainName(text)
  const lines = allShippingLines().map((line) => ({
    line,
    names: [line.name, line.shortName].map(plainName),
  }))
  const found = plain === '' ? [] : lines.filter(({ names }) => names.some((each) => each.includes(plain)))
  const [first, ...others] = found
  if (first !== undefined && others.length === 0) return first.line.scac
  const written = ({ line }: (typeof lines)[number]) => `${line.shortName} (${line.scac})`
  if (first !== undefined && found.length <= 6)
    throw invalidFilterError(name, `\`${text}\` may be ${found.map(written).join(', ')}: say which, by its SCAC`)
  const known = lines.flatMap(({ line: { scac, name: whole, shortName } }) => [
    scac,
    whole,
    shortName,
    /^\p{L}{4,}/u.exec(shortName)?.[0] ?? scac,
  ])
  const tools = ' get_supported_shipping_lines lists them.'
  throw unknownValueError(name, {
    given: text,
    what: 'shipping line',
    hint: suggestValues(text, known, tools),
  })
}

/**
 * All places that have this name, as their main name or as another one. Several places may share a name: the account's
 * rows show the intended one.
 */
export function readPlaces(name: string, given: string): readonly Place[] {
  const text = given.trim()
  const byCode = findPlaceByCode(text)
  if (byCode !== null) return [byCode]
  const places = findTypedPlaces(text)
  const ports = places.filter(({ kind }) => kind === 'port')
  if (places.length > 0) return ports.length > 0 ? ports : places
  const [first = ''] = text.replace(/^(the )?port of /i, '').split(',')
  throw unknownValueError(name, { given: text, what: 'port', hint: suggestPort(first.trim()) })
}

/** A text such as `LAX` may be the end of a code. */
function suggestPort(text: string): string {
  const ports = [...knownPorts()]
  if (/^[A-Za-z0-9]{3}$/.test(text)) {
    const codes = ports.flatMap(([, code]) => (code.endsWith(text.toUpperCase()) ? [code] : []))
    if (codes.length > 0)
      return ` Did you mean ${[...new Set(codes)]
        .slice(0, 5)
        .map((each) => `\`${each}\``)
        .join(' or ')}?`
  }
  return suggestValues(text, ports.flat(), ' Use its name or its UN/LOCODE, such as USLAX.')
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
  const normalized = normalizeText(given)
  if (['true', 'yes'].includes(normalized)) return true
  if (['false', 'no'].includes(normalized)) return false
  throw invalidFilterError(name, 'must be true or false')
}

/** The same moment in the form that JSON:API has. */
export function readInstant(name: string, given: string): string {
  const ms = /^\d{4}-\d{2}-\d{2}/.test(given) ? Date.parse(given) : Number.NaN
  if (Number.isNaN(ms)) throw invalidFilterError(name, 'must be a time such as 2026-01-31T00:00:00Z')
  return new Date(ms).toISOString()
}

export function readSinceRange(name: string, given: string | undefined): TimeRange {
  return given === undefined ? anyTime : { start: readInstant(name, given), end: null }
}
