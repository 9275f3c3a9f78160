/**
 * The carriers as the model counts them. Brands that became one carrier count as one. Lines that load each other's
 * containers are marked. All carriers outside coverage are one result, `another carrier`.
 */

import { successorOf } from '../reference/named-lines.ts'
import { allShippingLines, findShippingLine } from '../reference/shipping-lines.ts'

/** All carriers outside coverage together. They have a share of the belief, and are never a candidate. */
export const anotherCarrier = 0

/** Lines with one owner, which may be polled for one another's numbers and containers. The largest comes first. */
const families: readonly (readonly string[])[] = [
  ['MAEU', 'SEAU', 'SAFM', 'SEJJ'],
  ['CMDU', 'APLU', 'ANNU'],
  ['COSU', 'OOLU'],
  ['ZIMU', 'GOSU', 'SSPH'],
  ['CHVW', 'SSBF'],
]
/** The numbers and containers of these lines cannot be distinguished at all. */
const oneCarrier = new Set(families[0])

/**
 * Owners whose containers now travel with another line of the same group. APL carries United States government cargo
 * only since October 2020. Its other services, and with them the containers, went to CMA CGM.
 */
const handedOn: Readonly<Record<string, string>> = { APLU: 'CMDU' }

/** PIL shares its containers with a sister line that is not covered (Mariana Express). */
const sharesBeyondCoverage = new Set(['PCIU'])

/**
 * Share of the world's container fleet by capacity, in per cent, rounded from the public rankings of 2025. Lines
 * outside those rankings have 0.05. For a leased container this is the belief before any evidence.
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

/** The SCAC of each carrier, by its number in the model. Number 0 is `anotherCarrier`. */
export const carrierScacs: readonly string[] = [
  '',
  ...allShippingLines()
    .map(({ scac }) => scac)
    .filter((scac) => scac === 'MAEU' || !oneCarrier.has(scac)),
]
export const carrierCount = carrierScacs.length
const indices = new Map(carrierScacs.map((scac, index) => [scac, index]))

/** Sums to one. The share that the covered lines do not have belongs to `anotherCarrier`. */
export const fleetPrior: Float64Array = Float64Array.from(carrierScacs, (scac) =>
  scac === '' ? 0 : (fleetShares[scac] ?? smallShare) / 100,
)
fleetPrior[anotherCarrier] = 1 - fleetPrior.reduce((sum, share) => sum + share, 0)

/**
 * The SCAC under which the line is tracked. Alternative SCACs and merged brands are replaced by it; an unknown SCAC is
 * returned as it is.
 */
export function canonicalScac(scac: string): string {
  const tidied = scac.trim().toUpperCase()
  return findShippingLine(tidied)?.scac ?? successorOf(tidied) ?? tidied
}

/** Accepts any SCAC of the line; `anotherCarrier` for one that is not covered. */
export function carrierIndex(scac: string): number {
  const canonical = canonicalScac(scac)
  return indices.get(oneCarrier.has(canonical) ? 'MAEU' : canonical) ?? anotherCarrier
}

/**
 * Whether two SCACs count as the same result: in every score Maersk and the brands that it took over are one carrier.
 */
export function sameCarrier(one: string, other: string): boolean {
  const [a, b] = [canonicalScac(one), canonicalScac(other)]
  return a === b || (oneCarrier.has(a) && oneCarrier.has(b))
}

/**
 * The other lines whose containers and numbers may also be this line's, the most likely first. Empty for most lines.
 */
export function linesSharingContainers(scac: string): readonly string[] {
  const canonical = canonicalScac(scac)
  return (families.find((family) => family.includes(canonical)) ?? []).filter((line) => line !== canonical)
}

/**
 * The line that most probably uses a container of this owner. Usually this is the owner, or the line that took over the
 * owner's services.
 */
export function containerOperatorOf(scac: string): string {
  const canonical = canonicalScac(scac)
  return handedOn[canonical] ?? canonical
}

/** Whether a container of this line is often used by a sister line, covered or not. */
export function hasSharedContainers(scac: string): boolean {
  const canonical = canonicalScac(scac)
  return (
    sharesBeyondCoverage.has(canonical) || (!oneCarrier.has(canonical) && linesSharingContainers(canonical).length > 0)
  )
}
