/**
 * How the lines write the numbers of their bills and bookings, and how strongly a number that fits a format points to
 * that line: the fewer numbers a format allows, the more strongly.
 */

import { once } from '../reference/data-files.ts'
import { allShippingLines } from '../reference/shipping-lines.ts'
import { anotherCarrier, canonicalScac, carrierCount, carrierIndex } from './carriers.ts'
import { readRows } from './data-files.ts'
import { countStrings } from './pattern-size.ts'

export interface NumberFormat {
  readonly scac: string
  readonly types: readonly ('bill_of_lading' | 'booking')[]
  readonly pattern: RegExp
  /** How many bare numbers of each length fit. */
  readonly sizes: ReadonlyMap<number, number>
  /** How reliable the format itself is: seen in real numbers, published, or known only by its prefix. */
  readonly belief: number
  /** Whether it is a format of numbers without the line's prefix. */
  readonly isBare: boolean
}

const beliefs: Readonly<Record<string, number>> = { 'seen in real numbers': 1, 'published format': 0.5 }
const unverifiedBelief = 0.1
/** Of 3,459 real numbers 3,439 fitted a format of their line. At the line with the most misfits 97 % did. */
const recall = 0.99
/**
 * First characters that a line's format allows but the line seldom writes: of 66 numbers of OOCL 64 began with 2,
 * Matson's numbers of ten digits begin with 5, 8 or 9, Maersk's three letters are DIT. The weight of the format is then
 * multiplied by `factor`.
 */
const seldom: readonly { readonly scac: string; readonly pattern: RegExp; readonly factor: number }[] = [
  { scac: 'OOLU', pattern: /^[^2]\d{9}$/, factor: 2 / 66 },
  { scac: 'MATS', pattern: /^[^589]\d{9}$/, factor: 0.05 },
  { scac: 'MAEU', pattern: /^(?!DIT)[A-Z]{3}\d{6}$/, factor: 0.05 },
  { scac: 'SEAU', pattern: /^(?!DIT)[A-Z]{3}\d{6}$/, factor: 0.05 },
]
const seldomSuffix = 0.1
/** The number of other shapes, about, that a number may have when it fits none of its line's formats. */
const otherShapes = 30

/** The formats of all lines that the number fits. */
export function findFormats(number: string): readonly NumberFormat[] {
  const found: NumberFormat[] = []
  for (const format of formatsByLength().get(number.length) ?? []) if (format.pattern.test(number)) found.push(format)
  return found
}

/** The SCAC of the line that writes these four letters before its numbers. */
export function findPrefix(letters: string): string | null {
  return prefixes().get(letters) ?? null
}

/** The belief per carrier that follows from a bare number's format, before any evidence. Sums to one. */
export function formatPrior(number: string, fitting: readonly NumberFormat[], shares: Float64Array): Float64Array {
  const prior = new Float64Array(carrierCount)
  let shapeSize = otherShapes
  for (const character of number) shapeSize *= character <= '9' ? 10 : 26
  const misfit = 1 / shapeSize
  for (let carrier = 0; carrier < carrierCount; carrier += 1) {
    prior[carrier] = (shares[carrier] ?? 0) * misfit * (carrier === anotherCarrier ? 1 : 1 - recall)
  }
  for (const format of fitting) {
    const size = format.sizes.get(number.length)
    if (size === undefined) continue
    const carrier = carrierIndex(format.scac)
    const share = (shares[carrier] ?? 0) / Math.max(1, bareBeliefs().get(format.scac) ?? 1)
    const habit = seldom.find(({ scac, pattern }) => scac === format.scac && pattern.test(number))?.factor ?? 1
    const likelihood = (recall * format.belief * habit * lengthShare(format, number.length)) / size
    prior[carrier] = (prior[carrier] ?? 0) + share * likelihood
  }
  let total = 0
  for (const value of prior) total += value
  for (let carrier = 0; carrier < carrierCount; carrier += 1) prior[carrier] = (prior[carrier] ?? 0) / total
  return prior
}

const formats = once((): readonly NumberFormat[] =>
  readRows('number-formats.tsv')
    .filter(([scac, type]) => scac !== '*' && type !== 'container')
    .map(([scac = '', types = '', listed = '', evidence = '']) => {
      const belief = beliefs[evidence] ?? unverifiedBelief
      // The rest of an unverified format was never seen in a real number, so the prefix must be present.
      const pattern = belief === unverifiedBelief ? listed.replace(optionalPrefix, '^(?:$1)') : listed
      return {
        scac,
        types: types.split('|').filter((type) => type === 'bill_of_lading' || type === 'booking'),
        pattern: new RegExp(pattern),
        sizes: countStrings(pattern.replace(optionalPrefix, '^')),
        belief,
        isBare: !/^\^(?:\(\?:[A-Z|]{4,}\)(?!\?)|[A-Z]{4})/.test(pattern),
      }
    }),
)
const optionalPrefix = /^\^\(\?:([A-Z|-]+\??)\)\?/

const formatsByLength = once(() => {
  const byLength = new Map<number, NumberFormat[]>()
  for (const format of formats()) {
    const lengths = countStrings(format.pattern.source).keys()
    for (const length of lengths) byLength.set(length, [...(byLength.get(length) ?? []), format])
  }
  return byLength
})

/** An optional letter at the end is seldom present. All other lengths that a format allows are equally likely. */
function lengthShare(format: NumberFormat, length: number): number {
  if (!format.pattern.source.endsWith('[A-Z]?$')) return 1 / format.sizes.size
  const isLongest = length === Math.max(...format.sizes.keys())
  return isLongest ? seldomSuffix : (1 - seldomSuffix) / (format.sizes.size - 1)
}

/**
 * How many formats a line has for numbers without its prefix, weighted by their reliability. The line's share is
 * divided among them.
 */
const bareBeliefs = once(() => {
  const beliefs = new Map<string, number>()
  for (const { scac, belief, isBare } of formats()) {
    if (isBare) beliefs.set(scac, (beliefs.get(scac) ?? 0) + belief)
  }
  return beliefs
})

const prefixes = once(() => {
  const byLetters = new Map<string, string>()
  for (const [scac = '', , pattern = ''] of readRows('number-formats.tsv')) {
    const [, group, fixed] = /^\^(?:\(\?:([A-Z|]+)\)\??|([A-Z]{4}))/.exec(pattern) ?? []
    for (const letters of (group ?? fixed ?? '').split('|')) {
      if (letters.length === 4) byLetters.set(letters, scac)
    }
  }
  for (const line of allShippingLines()) {
    for (const letters of line.prefixesOfBill) byLetters.set(letters, line.scac)
  }
  for (const line of allShippingLines()) {
    for (const letters of [line.scac, ...line.alternativeScacs]) byLetters.set(letters, line.scac)
  }
  for (const letters of ['SUDU', 'UASC', 'UASU', 'NYKS', 'KKLU', 'MOLU']) {
    byLetters.set(letters, canonicalScac(letters))
  }
  return byLetters
})
