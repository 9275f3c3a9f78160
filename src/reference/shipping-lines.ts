/**
 * The shipping lines that can be tracked: by which kinds of number, under which codes, and which data each line never
 * gives.
 */

import { isContainerNumber, removeInvisibleCharacters } from '../domain/values/identifiers.ts'
import type { Equipment } from '../domain/view/projection.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../platform/ids.ts'
import { type Cells, getCell, once, readTable } from './data-files.ts'

export interface ShippingLine {
  readonly id: string
  readonly scac: string
  readonly name: string
  readonly shortName: string
  readonly alternativeScacs: readonly string[]
  /** `account`: the line must be enabled for an account before requests are sent. */
  readonly access: 'public' | 'account'
  readonly tracksBy: {
    readonly billOfLading: boolean
    readonly booking: boolean
    readonly container: boolean
  }
  /** The prefixes that the line writes before the numbers of its bills, the usual one first. */
  readonly prefixesOfBill: readonly string[]
  readonly billPrefixIsPartOfNumber: boolean
  readonly numberHasHyphensOrDots: boolean
  /** ISO 6346 owner codes of its containers. The edition is from about 2020. */
  readonly ownerPrefixes: readonly string[]
  readonly group: string | null
  readonly website: string | null
  readonly dataGaps: DataGaps
}

export type EquipmentType = Equipment['type']

/** Data that the carrier never gives, so that it is neither expected nor guessed. */
export interface DataGaps {
  readonly noWeight: boolean
  readonly noSeal: boolean
  readonly noEquipmentType: boolean
  /** All times are days, without a time of day. */
  readonly datesOnly: boolean
  readonly noDeparturesArrivals: boolean
  /** Whether they are given depends on when the bill is entered. */
  readonly departuresArrivalsNotAlways: boolean
  /** On a bill with several containers, the weight is the bill's gross weight divided by their number. */
  readonly averageWeight: boolean
  /** The only types that are mapped; null when all are. */
  readonly equipmentTypesMapped: readonly EquipmentType[] | null
}

export function allShippingLines(): readonly ShippingLine[] {
  return lines()
}

/** By its SCAC or one of its alternative SCACs, in upper or lower case. */
export function findShippingLine(scac: string): ShippingLine | null {
  return byScac().get(scac.trim().toUpperCase()) ?? null
}

export function findShippingLineById(id: string): ShippingLine | null {
  return lines().find((line) => line.id === id.toLowerCase()) ?? null
}

/**
 * The number as the carrier writes it: in upper case, without spaces, and without hyphens and dots when the carrier's
 * numbers have none. Test numbers (`TEST-TR-SUCCEEDED`) are recognised first and retain their hyphens.
 */
export function compactNumber(line: ShippingLine | null, raw: string): string {
  const compact = removeInvisibleCharacters(raw)
    .normalize('NFKC')
    .toUpperCase()
    .replace(/\s+/g, '')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
  if (compact.startsWith('TEST-') || line?.numberHasHyphensOrDots) return compact
  return compact.replace(/[-.]/g, '')
}

/**
 * The normalized number without the carrier's SCAC or bill prefix, except when the prefix is part of the number. A
 * container number stays complete: many carriers own containers under their SCAC (OOLU, YMLU).
 */
export function normalizedNumber(line: ShippingLine, number: string): string {
  if (line.billPrefixIsPartOfNumber || isContainerNumber(number)) return number
  const prefixes = [line.scac, ...line.alternativeScacs, ...line.prefixesOfBill]
  const prefix = prefixes.find((candidate) => number.startsWith(candidate)) ?? ''
  const rest = number.slice(prefix.length)
  return /^[A-Z0-9]*[0-9]/.test(rest) ? rest : number
}

const lines = once(() => readTable('shipping-lines.tsv', readShippingLine))
const byScac = once(
  () => new Map(lines().flatMap((line) => [line.scac, ...line.alternativeScacs].map((scac) => [scac, line] as const))),
)

/** The bill numbers of these lines begin with the SCAC, and are both requested and shown with it. */
const prefixIsPartOfNumber = new Set(['ZIMU', 'GOSU', 'SSPH', 'HLCU'])

function readShippingLine(cells: Cells): ShippingLine {
  const scac = getCell(cells, 0)
  return {
    id: uuidV5(LANDFALL_NAMESPACE, `shipping_line:${scac}`),
    scac,
    name: getCell(cells, 6),
    shortName: getCell(cells, 7),
    alternativeScacs: readList(cells(1)),
    access: getCell(cells, 2) === 'account' ? 'account' : 'public',
    tracksBy: {
      billOfLading: getCell(cells, 3) === 'Y',
      booking: getCell(cells, 4) === 'Y',
      container: getCell(cells, 5) === 'Y',
    },
    prefixesOfBill: readList(cells(10)),
    billPrefixIsPartOfNumber: prefixIsPartOfNumber.has(scac),
    numberHasHyphensOrDots: false,
    ownerPrefixes: readList(cells(9)),
    group: cells(8),
    website: cells(12),
    dataGaps: readDataGaps(readList(cells(11))),
  }
}

function readList(text: string | null): readonly string[] {
  return text?.split(' ') ?? []
}

const mappedTypes: Readonly<Record<string, EquipmentType>> = {
  dry: 'dry',
  reefer: 'reefer',
  flatpack: 'flat rack',
}

function readDataGaps(gaps: readonly string[]): DataGaps {
  const only = gaps.find((gap) => gap.endsWith('-only') && gap !== 'dates-only')
  return {
    noWeight: gaps.includes('no-weight'),
    noSeal: gaps.includes('no-seal'),
    noEquipmentType: gaps.includes('no-container-type'),
    datesOnly: gaps.includes('dates-only'),
    noDeparturesArrivals: gaps.includes('no-departures-arrivals'),
    departuresArrivalsNotAlways: gaps.includes('departures-arrivals-not-always'),
    averageWeight: gaps.includes('average-weight'),
    equipmentTypesMapped: only
      ? only
          .slice(0, -5)
          .split('/')
          .flatMap((typeName) => mappedTypes[typeName] ?? [])
      : null,
  }
}
