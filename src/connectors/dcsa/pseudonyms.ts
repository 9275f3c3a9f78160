/**
 * Replacements for the numbers and names of an answer that is redacted. Equal texts get equal replacements, and no
 * replacement occurs in the answer itself.
 */

import {
  containerCheckDigit,
  isImoNumber,
  parseContainerNumber,
  parseImoNumber,
} from '../../domain/values/identifiers.ts'
import { allShippingLines } from '../../reference/shipping-lines.ts'

export interface Pseudonyms {
  /**
   * Bills, bookings, seals and containers. Each replacement has the form of the original: the same length, and the same
   * letters of the line.
   */
  readonly number: (text: string) => string
  /** With a correct check digit, or with a wrong one if the original has a wrong one. */
  readonly imo: (text: string) => string
  readonly voyage: (text: string) => string
  readonly id: (text: string) => string
  readonly name: (label: 'PLACE' | 'SHIP' | 'NAME', text: string) => string
  /** Moves a date by `shiftDays`. In a text without a date, digits become 0 and other characters x. */
  readonly time: (text: string) => string
  /** Replaces the digits of a number by the same count of digits. */
  readonly digits: (text: string) => string
  /** Replaces, in a text that stays, every number and name that was found so far. */
  readonly sweep: (text: string) => string
  /** Whether the text has one of these numbers and names. */
  readonly isLeftIn: (text: string) => boolean
}

const dayMs = 86_400_000
/** Shorter names are also codes. */
const nameLengthMin = 5
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function openPseudonyms(of: {
  /** All texts of the answer. */
  readonly usedTexts: ReadonlySet<string>
  readonly shiftDays: number
  /** A ship may be called as a place is, and that name stays where it is the place's. */
  readonly isPublic: (name: string) => boolean
}): Pseudonyms {
  const known = new Map<string, string>()
  const originals = new Map<string, string>()
  /** By the pattern that finds the name in a text. */
  const names = new Map<RegExp, string>()
  const counts = new Map<string, number>()

  /** The first of the series that does not occur in the answer. */
  function nextPseudonym(series: string, make: (count: number) => string | null): string {
    for (;;) {
      const count = (counts.get(series) ?? 0) + 1
      counts.set(series, count)
      const made = make(count)
      if (made !== null && !of.usedTexts.has(made)) return made
    }
  }

  function pseudonymFor(kind: string, text: string, make: () => string): string {
    const key = `${kind} ${text}`
    const replacement = known.get(key) ?? make()
    known.set(key, replacement)
    return replacement
  }

  /** Also registers the number for `sweep`, which replaces it inside other texts. Ids are not registered. */
  function onceEverywhere(kind: string, text: string, make: () => string): string {
    const replacement = pseudonymFor(kind, text, make)
    if (text.length >= 5 && /\d/.test(text)) originals.set(text, replacement)
    return replacement
  }

  const padded = (count: number, length: number): string => String(count).padStart(length, '0')
  const withDigits = (text: string): string => {
    const length = text.replace(/\D/g, '').length
    return nextPseudonym(`digits ${text.replace(/\d/g, '0')}`, (count) => {
      const digits = padded(count, length).slice(-length).split('')
      return text.replace(/\d/g, () => digits.shift() ?? '0')
    })
  }

  const container = (text: string): string | null => {
    const parsed = parseContainerNumber(text)
    if (!parsed.ok && parsed.reason !== 'wrong_check_digit') return null
    const tidied = text.toUpperCase().replace(/[^A-Z0-9]/g, '')
    const replacement = onceEverywhere('container', tidied, () =>
      nextPseudonym('container', (count) => {
        const ten = `${tidied.slice(0, 4)}${padded(count, 6)}`
        const digit = containerCheckDigit(ten)
        return digit === null ? null : `${ten}${parsed.ok ? digit : (digit + 1) % 10}`
      }),
    )
    originals.set(text, replacement)
    return replacement
  }

  const number = (written: string): string => {
    const text = written.trim()
    const containerPseudonym = container(text)
    if (containerPseudonym !== null) return containerPseudonym
    if (uuid.test(text)) return id(text)
    const letters = prefixes.find((prefix) => text.startsWith(prefix) && text.length >= prefix.length + 5) ?? ''
    const rest = text.slice(letters.length)
    // A line writes the same number with and without its letters, so the letters stay outside of the replacement.
    const replaced = onceEverywhere('number', rest, () =>
      nextPseudonym(`number ${rest.length}`, (count) => padded(count, rest.length)),
    )
    const replacement = `${letters}${replaced}`
    if (letters !== '' && /\d/.test(rest)) originals.set(text, replacement)
    return replacement
  }

  const id = (text: string): string =>
    pseudonymFor('id', text, () => {
      if (uuid.test(text)) return nextPseudonym('uuid', (count) => `00000000-0000-4000-8000-${padded(count, 12)}`)
      // An id that contains the event's time must contain its new time afterwards: the reader refuses such ids.
      const times = [...text.matchAll(/\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?)?/g)].map(([at]) => time(at))
      const made = nextPseudonym('id', (count) => [`id${count}`, ...times].join(' '))
      return text.length > 300 ? made.padEnd(301, '.') : made
    })

  const time = (text: string): string => {
    const [, day, rest = ''] = /^(\d{4}-\d{2}-\d{2})(.*)$/s.exec(text) ?? []
    const at = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00Z`)
    const isDay = !Number.isNaN(at) && new Date(at).toISOString().startsWith(day ?? '')
    if (!isDay || !/^[0-9T:.,Z+ -]*$/i.test(rest)) return text.replace(/\d/g, '0').replace(/[^\d:.,TZ+ -]/g, 'x')
    // Placeholders stay what they are.
    if (at < Date.UTC(2000, 0, 1)) return text
    return `${new Date(at + of.shiftDays * dayMs).toISOString().slice(0, 10)}${rest}`
  }

  return {
    number,
    id,
    time,
    digits: (text) => onceEverywhere('digits', text, () => withDigits(text)),
    imo: (text) =>
      onceEverywhere('imo', text.trim(), () => {
        const parsed = parseImoNumber(text)
        if (!parsed.ok && parsed.reason !== 'wrong_check_digit') return withDigits(text)
        return nextPseudonym('imo', (count) => {
          const six = 999_000 + count
          const right = [...Array(10).keys()].find((digit) => isImoNumber(`${six}${digit}`)) ?? 0
          return `${six}${parsed.ok ? right : (right + 1) % 10}`
        })
      }),
    voyage: (text) =>
      pseudonymFor('voyage', text.trim(), () => {
        const [direction = ''] = /[NSEW]$/i.exec(text.trim()) ?? []
        return nextPseudonym('voyage', (count) => `V${padded(count, 3)}${direction}`)
      }),
    name: (label, written) => {
      const text = written.trim()
      return pseudonymFor(label, text, () => {
        const pseudonym = nextPseudonym(label, (count) => `${label} ${count}`)
        if (text.length >= nameLengthMin && !of.isPublic(text)) names.set(patternOf(text), pseudonym)
        return pseudonym
      })
    },
    sweep: (text) => {
      let swept = text
      for (const [name, replacement] of names) swept = swept.replace(name, replacement)
      // A code has at most the length of a UN/LOCODE, and no number is that short.
      if (text.length <= 5) return swept
      const byLength = [...originals].toSorted(([a], [b]) => b.length - a.length)
      for (const [original, replacement] of byLength) {
        if (swept.includes(original)) swept = swept.replaceAll(original, replacement)
      }
      return swept
    },
    isLeftIn: (text) =>
      originals.keys().some((original) => original.length >= 7 && text.includes(original)) ||
      names.keys().some((name) => text.search(name) >= 0),
  }
}

/** Finds the name as whole words, in any case. */
function patternOf(name: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(name)}(?![\\p{L}\\p{N}])`, 'giu')
}

/** The letters with which bill numbers begin, the longest first. */
const prefixes: readonly string[] = allShippingLines()
  .flatMap(({ scac, alternativeScacs, prefixesOfBill }) => [scac, ...alternativeScacs, ...prefixesOfBill])
  .toSorted((a, b) => b.length - a.length)
