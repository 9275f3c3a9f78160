/**
 * What was confirmed, counted: for every node the carriers with their weight. Learning is adding, so its order does not
 * matter and the opposite weight takes an outcome back. Counts of boxes that are leased fade, those of owned ones don't.
 */

import { carrierIndex, hasSharedBoxes } from './carriers.ts'
import { getOwnerCode, type OwnerCode } from './owner-codes.ts'

export interface Outcome {
  /** From `nodeKey`, or a coarser one. */
  readonly node: string
  readonly scac: string
  /** 1 for a confirmed number; less for one box of many on a bill; negative for the carrier's "not found". */
  readonly weight: number
  /** When it was confirmed, by `monthOf`. */
  readonly month: number
  /** Any text that says which bill it came from; null when that is unknown. */
  readonly bill: string | null
  /** How many confirmed numbers it stands for; left out, 1 for a positive weight. Negative to take some back. */
  readonly rows?: number
}

/** The counts of one node, sparse: carriers by index, beside each its weight and how many outcomes that were. */
export interface Tally {
  readonly carriers: number[]
  readonly weights: number[]
  readonly rows: number[]
  /** The latest outcomes of a node of leased boxes, latest first; null where they are not kept. */
  readonly latest: Latest[] | null
}

/** One outcome of a node of leased boxes, to notice that they went to another carrier. */
export interface Latest {
  readonly month: number
  readonly carrier: number
  readonly bill: string
  readonly weight: number
}

/** The latest bills that a node heard from, with their month; enough of them to say "several, and recently". */
export type Bills = Map<string, number>

export interface OwnerEvidence {
  /** By digits × 1,000,000 + the leading serial digits as a number; digits is 0 to 4. */
  readonly nodes: Map<number, Tally>
  /** By the first serial digit. */
  readonly bills: Map<number, Bills>
  /** All outcomes of the code by the month in which they were confirmed: what is shipped of years ago is not recent. */
  readonly months: Map<number, number>
}

export interface Evidence {
  readonly owners: Map<string, OwnerEvidence>
  /** All boxes of one kind of owner: `lessor`, `other`, `unregistered`, `carrier`. */
  readonly kinds: Map<string, Tally>
  /** Shapes, their leading characters and bill prefixes, by key. */
  readonly shipments: Map<string, Tally>
  /** Everything, unfaded: whom the account ships with. */
  readonly mix: Tally
}

/** Leases run for five to six years, so of the boxes that a carrier had, half went to others after about four. */
export const halfLifeMonths = 48
const epochMonth = 2020 * 12
/** The finest nodes: a hundred boxes. */
export const serialDigitsKept = 4
/** Of a carrier's own boxes the code says nearly all; ten thousand of them may have been sold. */
const ownedDigitsKept = 2
const billsKept = 8
const latestKept = 8
/** Nodes of up to 10,000 boxes may be of one lease; larger ones are of many. */
const latestFromDepth = 2

export function monthOf(date: Date): number {
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

export function createEvidence(): Evidence {
  return {
    owners: new Map(),
    kinds: new Map(),
    shipments: new Map(),
    mix: { carriers: [], weights: [], rows: [], latest: null },
  }
}

/** Counts the outcome in its node and all coarser ones. A key that is none is a mistake of the caller. */
export function learn(evidence: Evidence, outcome: Outcome): void {
  const { node, weight } = outcome
  const part: Part = {
    carrier: carrierIndex(outcome.scac),
    weight,
    rows: outcome.rows ?? (weight > 0 ? 1 : 0),
  }
  add(evidence.mix, part)
  if (node.startsWith('c:')) learnContainer(evidence, outcome, part)
  else if (/^[sp]:/.test(node)) learnShipment(evidence, node, part)
  else throw new Error(`${outcome.node} is no node of the model`)
}

/** What a weight of that month, or written in fading counts, is worth in this month: multiply. */
export function fading(month: number): number {
  return 2 ** ((epochMonth - month) / halfLifeMonths)
}

interface Part {
  readonly carrier: number
  readonly weight: number
  readonly rows: number
}

function learnContainer(evidence: Evidence, outcome: Outcome, part: Part): void {
  const code = outcome.node.slice(2, 6)
  const owned = getOwnerCode(code)
  const isOwned = owned.kind === 'carrier'
  const digits = outcome.node.slice(6, 6 + digitsKept(isOwned))
  const weight = changesHands(owned) ? part.weight / fading(outcome.month) : part.weight
  const faded: Part = { ...part, weight }
  count(evidence.kinds, owned.kind, faded)
  const owner = ownerEvidence(evidence, code)
  owner.months.set(outcome.month, (owner.months.get(outcome.month) ?? 0) + part.weight)
  for (let depth = 0; depth <= digits.length; depth += 1) {
    const keepsLatest = !isOwned && depth >= latestFromDepth
    const tally = count(owner.nodes, nodeNumber(depth, Number(digits.slice(0, depth))), faded, keepsLatest)
    if (tally.latest !== null) keepLatest(tally.latest, outcome, faded)
  }
  if (outcome.bill !== null && digits !== '')
    keepBill(owner, Number(digits.charAt(0)), outcome.bill, outcome.month)
}

/** Whose counts fade: boxes that are leased, and those that lines of one house hand to each other. */
export function changesHands({ kind, scac }: OwnerCode): boolean {
  return kind !== 'carrier' || (scac !== null && hasSharedBoxes(scac))
}

/** How many serial digits are counted: of a carrier's own boxes fewer. */
export function digitsKept(isOwned: boolean): number {
  return isOwned ? ownedDigitsKept : serialDigitsKept
}

export function nodeNumber(depth: number, leading: number): number {
  return depth * 1_000_000 + leading
}

function learnShipment(evidence: Evidence, node: string, part: Part): void {
  count(evidence.shipments, node, part)
  const shapeEnd = node.indexOf(':', 2)
  if (!node.startsWith('s:') || shapeEnd === -1) return
  for (let end = node.length - 1; end > shapeEnd + 1; end -= 1) {
    count(evidence.shipments, node.slice(0, end), part)
  }
  count(evidence.shipments, node.slice(0, shapeEnd), part)
}

function ownerEvidence(evidence: Evidence, code: string): OwnerEvidence {
  const known = evidence.owners.get(code)
  if (known !== undefined) return known
  const created: OwnerEvidence = { nodes: new Map(), bills: new Map(), months: new Map() }
  evidence.owners.set(code, created)
  return created
}

/** Of more than can be kept the latest stay, and of those of one month the first by name: any order gives the same. */
function keepBill(owner: OwnerEvidence, firstDigit: number, bill: string, month: number): void {
  const bills = owner.bills.get(firstDigit) ?? new Map<string, number>()
  owner.bills.set(firstDigit, bills)
  bills.set(bill, Math.max(month, bills.get(bill) ?? month))
  if (bills.size <= billsKept) return
  const [drop] = [...bills].sort(([a, x], [b, y]) => x - y || (a < b ? 1 : -1))
  if (drop !== undefined) bills.delete(drop[0])
}

/** Of one month the order is by carrier and bill, so that any order of learning leaves the same. */
function keepLatest(latest: Latest[], { month, bill }: Outcome, { carrier, weight, rows }: Part): void {
  if (rows < 0) {
    const at = latest.findIndex((one) => one.carrier === carrier && one.month === month && one.bill === bill)
    if (at !== -1) latest.splice(at, 1)
  }
  if (rows <= 0) return
  const added: Latest = { month, carrier, bill: bill ?? '', weight }
  const at = latest.findIndex((one) => isBefore(one, added))
  latest.splice(at === -1 ? latest.length : at, 0, added)
  if (latest.length > latestKept) latest.pop()
}

function isBefore(one: Latest, other: Latest): boolean {
  if (one.month !== other.month) return one.month < other.month
  if (one.carrier !== other.carrier) return one.carrier < other.carrier
  return one.bill < other.bill
}

/** The arrays begin with the entry they are made for: most nodes never hear a second carrier. */
function count<Key>(tallies: Map<Key, Tally>, key: Key, part: Part, keepsLatest = false): Tally {
  const known = tallies.get(key)
  if (known !== undefined) {
    add(known, part)
    return known
  }
  const created: Tally = {
    carriers: [part.carrier],
    weights: [part.weight],
    rows: [part.rows],
    latest: keepsLatest ? [] : null,
  }
  tallies.set(key, created)
  return created
}

function add(tally: Tally, { carrier, weight, rows }: Part): void {
  const at = tally.carriers.indexOf(carrier)
  if (at === -1) {
    tally.carriers.push(carrier)
    tally.weights.push(weight)
    tally.rows.push(rows)
    return
  }
  tally.weights[at] = (tally.weights[at] ?? 0) + weight
  tally.rows[at] = (tally.rows[at] ?? 0) + rows
}
