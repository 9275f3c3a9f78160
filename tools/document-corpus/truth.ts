/** Invents what papers of a shipment say. The same seed invents the same papers; no firm, ship or number is real. */

import { chance } from '../../qa/kill/chance.ts'
import { containerCheckDigit } from '../../src/domain/values/identifiers.ts'

export type Random = () => number

export function pick<T>(random: Random, from: readonly T[]): T {
  const one = from[Math.floor(random() * from.length)]
  if (one === undefined) throw new Error('nothing to pick from')
  return one
}

const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => Math.floor(random() * 10)).join('')
const letters = (random: Random, count: number): string =>
  Array.from({ length: count }, () => 'ABCDEFGHJKLMNPRSTUVWXYZ'[Math.floor(random() * 23)] ?? 'A').join('')

const firms = [
  'Bramble Trading',
  'Northwind Parts',
  'Calder Mills',
  'Ostrava Glass',
  'Pinecrest Foods',
  'Halden Tools',
  'Meridian Textiles',
  'Larkfield Chemicals',
  'Quayside Imports',
  'Tolland Furniture',
]
const forms = ['Ltd', 'Inc.', 'GmbH', 'Co., Ltd', 'B.V.', 'LLC', 'S.A.']
const ships = [
  'EXAMPLE STAR',
  'NORTH HERON',
  'CALM MERIDIAN',
  'PAPER LANTERN',
  'BLUE ORCHARD',
  'DISTANT BELL',
  'AMBER TIDE',
  'SILVER ROWAN',
]
const goods = [
  'CERAMIC TILES',
  'BICYCLE PARTS',
  'CANNED FRUIT',
  'OFFICE FURNITURE',
  'COTTON YARN',
  'HAND TOOLS',
  'GLASSWARE',
  'LED LAMPS',
]
const loading = [
  ['SHANGHAI, CHINA', 'CNSHG'],
  ['NINGBO, CHINA', 'CNNGB'],
  ['BUSAN, SOUTH KOREA', 'KRPUS'],
  ['HAMBURG, GERMANY', 'DEHAM'],
  ['ROTTERDAM, NETHERLANDS', 'NLRTM'],
  ['VALENCIA, SPAIN', 'ESVLC'],
] as const
const discharge = [
  ['LOS ANGELES, CA', 'USLAX'],
  ['LONG BEACH, CA', 'USLGB'],
  ['OAKLAND, CA', 'USOAK'],
  ['SAVANNAH, GA', 'USSAV'],
  ['HOUSTON, TX', 'USHOU'],
  ['NORFOLK, VA', 'USORF'],
] as const
const inland = [
  ['CHICAGO, IL', 'USCHI'],
  ['DALLAS, TX', 'USDAL'],
  ['MEMPHIS, TN', 'USMEM'],
  ['DENVER, CO', 'USDEN'],
] as const
const terminals = ['Harbor Gate Terminal', 'Pier Nine Container Yard', 'Westbank Terminal', 'Sample Point Terminal']
const sizes = ['20GP', '40GP', '40HC', '45G1', '22G1'] as const

export interface Box {
  readonly number: string
  readonly seal: string
  readonly size: string
  readonly weightKg: number
  readonly packages: number
  readonly volume: number
}

export interface Truth {
  readonly random: Random
  readonly bill: string
  readonly booking: string
  readonly reference: string
  readonly order: string
  readonly invoice: string
  readonly shipper: string
  readonly consignee: string
  readonly notify: string
  readonly ship: string
  readonly voyage: string
  readonly pol: readonly [string, string]
  readonly pod: readonly [string, string]
  readonly delivery: readonly [string, string]
  readonly goods: string
  readonly terminal: string
  readonly firms: string
  readonly pickup: string
  readonly boxes: readonly Box[]
  /** A day this many days after the ship's departure, `2026-02-14`. */
  readonly day: (after: number) => string
}

export function inventTruth(seed: number): Truth {
  const random = chance(seed)
  for (let warm = 0; warm < 5; warm += 1) random()
  const firm = () => `${pick(random, firms)} ${pick(random, forms)}`
  const departure = Date.UTC(2026, Math.floor(random() * 10), 1 + Math.floor(random() * 27))
  const boxes = Array.from({ length: 1 + Math.floor(random() * 4) }, (): Box => {
    const ten = `${letters(random, 3)}U${digits(random, 6)}`
    const weightKg = 4_000 + Math.floor(random() * 18_000)
    return {
      number: `${ten}${containerCheckDigit(ten) ?? ''}`,
      seal: `${letters(random, 2)}${digits(random, 6)}`,
      size: pick(random, sizes),
      weightKg,
      packages: 40 + Math.floor(random() * 900),
      volume: Math.round((18 + random() * 45) * 100) / 100,
    }
  })
  return {
    random,
    bill: `${pick(random, ['MAEU', 'ONEY', 'HLCU', 'OOLU', 'EGLV'])}${letters(random, 2)}${digits(random, 8)}`,
    booking: digits(random, 9),
    reference: `${letters(random, 3)}-${digits(random, 5)}`,
    order: `PO${digits(random, 6)}`,
    invoice: `INV${digits(random, 7)}`,
    shipper: firm(),
    consignee: firm(),
    notify: firm(),
    ship: pick(random, ships),
    voyage: `${digits(random, 3)}${pick(random, ['E', 'W', 'N', 'S'])}`,
    pol: pick(random, loading),
    pod: pick(random, discharge),
    delivery: pick(random, inland),
    goods: pick(random, goods),
    terminal: pick(random, terminals),
    firms: `${pick(random, ['W', 'Y', 'Z'])}${digits(random, 3)}`,
    pickup: digits(random, 8),
    boxes,
    day: (after) => new Date(departure + after * 86_400_000).toISOString().slice(0, 10),
  }
}
