/**
 * Counts of confirmed outcomes: for every node the carriers with their weights. Learning only adds, so the order does
 * not matter, and the same outcome with the opposite weight reverses it. Counts of leased containers fade with time,
 * those of owned containers do not.
 */

import { carrierIndex, hasSharedContainers } from './carriers.ts'
import { getOwnerCode, type OwnerCode } from './owner-codes.ts'

export interface Outcome {
  /** The key from `nodeKey`, or a coarser key. */
  readonly node: string
  readonly scac: string
  /** 1 for a confirmed number; less for one container of many on a bill; negative for the carrier's "not found". */
  readonly weight: number
  /** The month of the confirmation, by `monthOf`. */
  readonly month: number
  /** Any text that identifies the bill that it came from; null when unknown. */
  readonly bill: string | null
  /**
   * How many confirmed numbers the outcome counts for. Default: 1 when the weight is positive. Negative to subtract
   * some.
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
  /** The latest outcomes of a node of leased containers, the latest first. Null for nodes that do not store them. */
  readonly latest: Latest[] | null
}

/** One outcome of a node of leased containers. It is stored to notice when the containers went to another carrier. */
export interface Latest {
  readonly month: number
  readonly carrier: number
  readonly bill: string
  readonly weight: number
}

/**
 * The latest bills with an outcome in a node, and their months. The gate checks whether there were several of them
 * recently.
 */
export type Bills = Map<string, number>

export interface OwnerEvidence {
  /** Key: digits × 1,000,000 + the leading serial digits as a number, where digits is 0 to 4. */
  readonly nodes: Map<number, Tally>
  /** Key: the first serial digit. */
  readonly bills: Map<number, Bills>
  /**
   * All outcomes of the code by the month of their confirmation. Old counts in the shipped evidence must not seem
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

/**
 * Leases run for five to six years. So after about four years half of the containers that a carrier had are with
 * others.
 */
export const halfLifeMonths = 48
const epochMonth = 2020 * 12
/** The finest node has a hundred containers. */
export const serialDigitsMax = 4
/**
 * For a carrier's own containers the owner code is nearly always enough. Only larger batches may have been sold: the
 * finest node has ten thousand containers.
 */
const ownedDigitsMax = 2
const billsMax = 8
const latestMax = 8
/** A node of up to 10,000 containers may belong to one lease. Larger nodes contain many leases. */
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
export function learnOutcome(evidence: Evidence, outcome: Outcome): void {
  const { node, weight } = outcome
  const increment: Increment = {
    carrier: carrierIndex(outcome.scac),
    weight,
    rows: outcome.rows ?? (weight > 0 ? 1 : 0),
  }
  addIncrement(evidence.mix, increment)
  if (node.startsWith('c:')) learnContainer(evidence, outcome, increment)
  else if (/^[sp]:/.test(node)) learnShipment(evidence, node, increment)
  else throw new Error(`${outcome.node} is not a node of the model`)
}

/**
 * What a stored unit of weight is worth in the given month. A new weight is divided by this before it is added, and a
 * stored weight is multiplied by it when it is read.
 */
export function fadingFactor(month: number): number {
  return 2 ** ((epochMonth - month) / halfLifeMonths)
}

interface Increment {
  readonly carrier: number
  readonly weight: number
  readonly rows: number
}

function learnContainer(evidence: Evidence, outcome: Outcome, increment: Increment): void {
  const code = outcome.node.slice(2, 6)
  const owned = getOwnerCode(code)
  const isOwned = owned.kind === 'carrier'
  const digits = outcome.node.slice(6, 6 + countedDigits(isOwned))
  const weight = hasManyUsers(owned) ? increment.weight / fadingFactor(outcome.month) : increment.weight
  const faded: Increment = { ...increment, weight }
  countInTally(evidence.kinds, owned.kind, faded)
  const owner = ownerEvidence(evidence, code)
  owner.months.set(outcome.month, (owner.months.get(outcome.month) ?? 0) + increment.weight)
  for (let depth = 0; depth <= digits.length; depth += 1) {
    const storesLatest = !isOwned && depth >= latestFromDepth
    const tally = countInTally(owner.nodes, nodeNumber(depth, Number(digits.slice(0, depth))), faded, storesLatest)
    if (tally.latest !== null) storeLatest(tally.latest, outcome, faded)
  }
  if (outcome.bill !== null && digits !== '') storeBill(owner, Number(digits.charAt(0)), outcome.bill, outcome.month)
}

/**
 * Whether the counts of an owner's containers fade: those of leased containers, and of containers that lines of one
 * group lend to each other.
 */
export function hasManyUsers({ kind, scac }: OwnerCode): boolean {
  return kind !== 'carrier' || (scac !== null && hasSharedContainers(scac))
}

/** How many serial digits are counted. Fewer are needed for a carrier's own containers. */
export function countedDigits(isOwned: boolean): number {
  return isOwned ? ownedDigitsMax : serialDigitsMax
}

export function nodeNumber(depth: number, leading: number): number {
  return depth * 1_000_000 + leading
}

function learnShipment(evidence: Evidence, node: string, increment: Increment): void {
  countInTally(evidence.shipments, node, increment)
  const shapeEnd = node.indexOf(':', 2)
  if (!node.startsWith('s:') || shapeEnd === -1) return
  for (let end = node.length - 1; end > shapeEnd + 1; end -= 1) {
    countInTally(evidence.shipments, node.slice(0, end), increment)
  }
  countInTally(evidence.shipments, node.slice(0, shapeEnd), increment)
}

function ownerEvidence(evidence: Evidence, code: string): OwnerEvidence {
  const known = evidence.owners.get(code)
  if (known !== undefined) return known
  const created: OwnerEvidence = { nodes: new Map(), bills: new Map(), months: new Map() }
  evidence.owners.set(code, created)
  return created
}

/**
 * Stores the latest bills. Within one month the first by name are stored, so that the order of learning does not
 * matter.
 */
function storeBill(owner: OwnerEvidence, firstDigit: number, bill: string, month: number): void {
  const bills = owner.bills.get(firstDigit) ?? new Map<string, number>()
  owner.bills.set(firstDigit, bills)
  bills.set(bill, Math.max(month, bills.get(bill) ?? month))
  if (bills.size <= billsMax) return
  const [drop] = [...bills].sort(([a, x], [b, y]) => x - y || (a < b ? 1 : -1))
  if (drop !== undefined) bills.delete(drop[0])
}

/** Within one month the order is by carrier and bill, so that the order of learning does not matter. */
function storeLatest(latest: Latest[], { month, bill }: Outcome, { carrier, weight, rows }: Increment): void {
  if (rows < 0) {
    const at = latest.findIndex((one) => one.carrier === carrier && one.month === month && one.bill === bill)
    if (at !== -1) latest.splice(at, 1)
  }
  if (rows <= 0) return
  const added: Latest = { month, carrier, bill: bill ?? '', weight }
  const at = latest.findIndex((one) => isBefore(one, added))
  latest.splice(at === -1 ? latest.length : at, 0, added)
  if (latest.length > latestMax) latest.pop()
}

function isBefore(one: Latest, other: Latest): boolean {
  if (one.month !== other.month) return one.month < other.month
  if (one.carrier !== other.carrier) return one.carrier < other.carrier
  return one.bill < other.bill
}

/** The arrays start with one entry and no spare capacity: most nodes never have a second carrier. */
function countInTally<Key>(tallies: Map<Key, Tally>, key: Key, increment: Increment, storesLatest = false): Tally {
  const known = tallies.get(key)
  if (known !== undefined) {
    addIncrement(known, increment)
    return known
  }
  const created: Tally = {
    carriers: [increment.carrier],
    weights: [increment.weight],
    rows: [increment.rows],
    latest: storesLatest ? [] : null,
  }
  tallies.set(key, created)
  return created
}

function addIncrement(tally: Tally, { carrier, weight, rows }: Increment): void {
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
