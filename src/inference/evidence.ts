/**
 * Counts of confirmed outcomes: for every node the carriers with their weights. Learning only adds, so the order does
 * not matter, and the same outcome with the opposite weight is taken back. Counts of leased boxes fade with time, those
 * of owned boxes do not.
 */

import { carrierIndex, hasSharedBoxes } from './carriers.ts'
import { getOwnerCode, type OwnerCode } from './owner-codes.ts'

export interface Outcome {
  /** The key from `nodeKey`, or a coarser key. */
  readonly node: string
  readonly scac: string
  /** 1 for a confirmed number; less for one box of many on a bill; negative for the carrier's "not found". */
  readonly weight: number
  /** The month of the confirmation, by `monthOf`. */
  readonly month: number
  /** Any text that identifies the bill that it came from; null when unknown. */
  readonly bill: string | null
  /**
   * How many confirmed numbers the outcome counts for. Default: 1 when the weight is positive. Negative to take some
   * back.
   */
  readonly rows?: number
}

/**
 * The counts of one node. Only carriers that occur have an entry: their index, the weight, and the number of outcomes.
 */
export interface Tally {
  readonly carriers: number[]
  readonly weights: number[]
  readonly rows: number[]
  /** The latest outcomes of a node of leased boxes, the latest first. Null for nodes that do not keep them. */
  readonly latest: Latest[] | null
}

/** One outcome of a node of leased boxes. It is kept to notice when the boxes went to another carrier. */
export interface Latest {
  readonly month: number
  readonly carrier: number
  readonly bill: string
  readonly weight: number
}

/**
 * The latest bills with an outcome in a node, and their months. The gate asks whether there were several of them
 * recently.
 */
export type Bills = Map<string, number>

export interface OwnerEvidence {
  /** Key: digits × 1,000,000 + the leading serial digits as a number, where digits is 0 to 4. */
  readonly nodes: Map<number, Tally>
  /** Key: the first serial digit. */
  readonly bills: Map<number, Bills>
  /**
   * All outcomes of the code by the month of their confirmation. Old counts in the shipped evidence must not look
   * recent.
   */
  readonly months: Map<number, number>
}

export interface Evidence {
  readonly owners: Map<string, OwnerEvidence>
  /** Key: the kind of the owner, `lessor`, `other`, `unregistered` or `carrier`. */
  readonly kinds: Map<string, Tally>
  /** Key: a shape, a shape with leading characters, or a line's bill prefix. */
  readonly shipments: Map<string, Tally>
  /** All outcomes, without fading. They show which lines the account uses. */
  readonly mix: Tally
}

/** Leases run for five to six years. So after about four years half of the boxes that a carrier had are with others. */
export const halfLifeMonths = 48
const epochMonth = 2020 * 12
/** The finest node holds a hundred boxes. */
export const serialDigitsKept = 4
/**
 * For a carrier's own boxes the owner code says nearly everything. Only larger batches may have been sold: the finest
 * node holds ten thousand boxes.
 */
const ownedDigitsKept = 2
const billsKept = 8
const latestKept = 8
/** A node of up to 10,000 boxes may belong to one lease. Larger nodes contain many leases. */
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

/** Counts the outcome in its node and in all coarser nodes. Throws when `node` is not a key of the model. */
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

/**
 * What a stored unit of weight is worth in the given month. A new weight is divided by this before it is added, and a
 * stored weight is multiplied by it when it is read.
 */
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
  const weight = hasManyUsers(owned) ? part.weight / fading(outcome.month) : part.weight
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

/**
 * Whether the counts of an owner's boxes fade: those of leased boxes, and of boxes that lines of one group lend to each
 * other.
 */
export function hasManyUsers({ kind, scac }: OwnerCode): boolean {
  return kind !== 'carrier' || (scac !== null && hasSharedBoxes(scac))
}

/** How many serial digits are counted. Fewer are needed for a carrier's own boxes. */
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

/**
 * Keeps the latest bills. Within one month the first by name are kept, so that the order of learning does not matter.
 */
function keepBill(owner: OwnerEvidence, firstDigit: number, bill: string, month: number): void {
  const bills = owner.bills.get(firstDigit) ?? new Map<string, number>()
  owner.bills.set(firstDigit, bills)
  bills.set(bill, Math.max(month, bills.get(bill) ?? month))
  if (bills.size <= billsKept) return
  const [drop] = [...bills].sort(([a, x], [b, y]) => x - y || (a < b ? 1 : -1))
  if (drop !== undefined) bills.delete(drop[0])
}

/** Within one month the order is by carrier and bill, so that the order of learning does not matter. */
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

/** The arrays start with one entry and no spare room: most nodes never have a second carrier. */
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
