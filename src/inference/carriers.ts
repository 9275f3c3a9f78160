/**
 * The carriers as the model counts them: brands that became one carrier count as one, lines that load each other's
 * boxes are known as such, and everything outside coverage is one answer, `another carrier`.
 */

import { allShippingLines, findShippingLine } from '../reference/shipping-lines.ts'

/** Carriers outside coverage, together: they hold belief, and are never a candidate. */
export const anotherCarrier = 0

/** Brands that are tracked, or were, under another line's SCAC; their bills and boxes are that line's. */
const mergedInto: Readonly<Record<string, string>> = {
  SUDU: 'MAEU',
  MRKU: 'MAEU',
  MCPU: 'MAEU',
  MSKU: 'MAEU',
  MAEI: 'MAEU',
  UASC: 'HLCU',
  UACU: 'HLCU',
  UASU: 'HLCU',
  NYKS: 'ONEY',
  KKLU: 'ONEY',
  MOLU: 'ONEY',
  MSCW: 'MSCU',
  HMDU: 'HDMU',
  HMMU: 'HDMU',
  EISU: 'EGLV',
  CHHK: 'COSU',
}

/** Lines of one owner that may be asked for one another's numbers and boxes, the largest first. */
const families: readonly (readonly string[])[] = [
  ['MAEU', 'SEAU', 'SAFM', 'SEJJ'],
  ['CMDU', 'APLU', 'ANNU'],
  ['COSU', 'OOLU'],
  ['ZIMU', 'GOSU', 'SSPH'],
  ['CHVW', 'SSBF'],
]
/** Of these the numbers and boxes cannot be told apart at all. */
const oneCarrier = new Set(families[0])

/**
 * Whose boxes go with another line of the house now. APL carries United States government cargo only since October
 * 2020; its other services, and with them the boxes, are CMA CGM's.
 */
const handedOn: Readonly<Record<string, string>> = { APLU: 'CMDU' }

/** Shares its boxes with a sister line that is not covered (Mariana Express). */
const sharesBeyondCoverage = new Set(['PCIU'])

/**
 * Share of the world's container fleet by capacity, per cent, rounded from the public rankings of 2025; lines that they
 * do not list have 0.05. What one believes of a leased box before anything was seen.
 */
const fleetShares: Readonly<Record<string, number>> = {
  MSCU: 20.5,
  MAEU: 14,
  CMDU: 11,
  COSU: 7.5,
  HLCU: 7.3,
  ONEY: 6.2,
  EGLV: 5.8,
  OOLU: 3,
  HDMU: 2.9,
  ZIMU: 2.4,
  YMLU: 2.2,
  WHLC: 1.7,
  PCIU: 1.3,
  APLU: 0.7,
  SQQY: 0.5,
  KMTU: 0.5,
  SMLM: 0.4,
  TXZJ: 0.4,
  ANNU: 0.4,
  MATS: 0.2,
  GOSU: 0.2,
  ACLU: 0.15,
  TRKU: 0.15,
  ARKU: 0.15,
}
const smallShare = 0.05

/** The SCACs by the number the model has for them; 0 is `anotherCarrier`. */
export const carrierScacs: readonly string[] = [
  '',
  ...allShippingLines()
    .map(({ scac }) => scac)
    .filter((scac) => scac === 'MAEU' || !oneCarrier.has(scac)),
]
export const carrierCount = carrierScacs.length
const indices = new Map(carrierScacs.map((scac, index) => [scac, index]))

/** Sums to one; what the covered lines do not have is another carrier's. */
export const fleetPrior: Float64Array = Float64Array.from(carrierScacs, (scac) =>
  scac === '' ? 0 : (fleetShares[scac] ?? smallShare) / 100,
)
fleetPrior[anotherCarrier] = 1 - fleetPrior.reduce((sum, share) => sum + share, 0)

/** The SCAC that the number is tracked under: alternative SCACs and merged brands become it; unknown ones stay. */
export function canonicalScac(scac: string): string {
  const tidied = scac.trim().toUpperCase()
  return findShippingLine(tidied)?.scac ?? mergedInto[tidied] ?? tidied
}

/** By any of its SCACs; `anotherCarrier` for one that is not covered. */
export function carrierIndex(scac: string): number {
  const canonical = canonicalScac(scac)
  return indices.get(oneCarrier.has(canonical) ? 'MAEU' : canonical) ?? anotherCarrier
}

/** Right is right: Maersk and the brands it took in count as one carrier in every score. */
export function sameCarrier(one: string, other: string): boolean {
  const [a, b] = [canonicalScac(one), canonicalScac(other)]
  return a === b || (oneCarrier.has(a) && oneCarrier.has(b))
}

/** The lines whose boxes and numbers may be this line's too, likeliest first; empty for most. */
export function sharesBoxes(scac: string): readonly string[] {
  const canonical = canonicalScac(scac)
  return (families.find((family) => family.includes(canonical)) ?? []).filter((line) => line !== canonical)
}

/** The line that a box of this owner most probably is under way for: the owner, but for one whose services went to another. */
export function userOfBoxes(scac: string): string {
  const canonical = canonicalScac(scac)
  return handedOn[canonical] ?? canonical
}

/** Whether a box of this line is often under way for a sister line, covered or not. */
export function hasSharedBoxes(scac: string): boolean {
  const canonical = canonicalScac(scac)
  return (
    sharesBeyondCoverage.has(canonical) || (!oneCarrier.has(canonical) && sharesBoxes(canonical).length > 0)
  )
}
