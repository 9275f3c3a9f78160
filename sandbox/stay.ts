/**
 * The stay of a box at one terminal or ramp: how long it lasts, what is true during it, and the state at a given
 * moment.
 */

export const HOLD_NAMES = ['freight', 'customs', 'USDA', 'VACIS', 'TMF', 'other'] as const

export interface Span {
  readonly from: number
  readonly until: number
}

export interface Hold extends Span {
  readonly name: (typeof HOLD_NAMES)[number]
  /** Whether the hold is already set, or only expected. */
  readonly status: 'hold' | 'pending'
  readonly description: string
}

export interface Fee {
  readonly type: 'demurrage' | 'exam' | 'total' | 'extended_dwell_time' | 'other'
  readonly description: string
  readonly currency: string
  /** The amount for each day since `from`, or once. */
  readonly amount: number
  readonly isDaily: boolean
  readonly from: number
  readonly paidAt: number
}

/** A value that replaces the earlier value of the same thing. */
export interface Said<Value> {
  readonly from: number
  readonly value: Value
}

export interface Move {
  readonly at: number
  /** Code, load and mode: `DISC LADEN VESSEL`. */
  readonly what: string
  readonly place: string
}

export interface Stay {
  readonly site: 'port' | 'ramp'
  readonly place: string
  /** The SMDG code of the terminal, if it has one. */
  readonly terminal: string | null
  readonly name: string
  /** When the facility learns of the box from the manifest or waybill. */
  readonly knownFrom: number
  readonly landedAt: number
  /** When the box stands where a truck can fetch it; at a ramp also announced. */
  readonly readyAt: number
  /** Null when the box never leaves in the story. */
  readonly leavesAt: number | null
  readonly leavesBy: 'TRUCK' | 'RAIL'
  readonly holds: readonly Hold[]
  readonly fees: readonly Fee[]
  /** Times when the box's block is closed: no truck can reach the box, although no hold is on it. */
  readonly closed: readonly Span[]
  /** Times when the facility leaves holds and fees out of its answers, although they exist. */
  readonly silent: readonly Span[]
  readonly lastFreeDays: readonly Said<string>[]
  readonly spots: readonly Said<string>[]
  readonly appointments: readonly Said<number>[]
  /** Known after a truck has left with the box. Null where trucks bring their own chassis. */
  readonly chassis: string | null
  readonly pickupNumber: string | null
  readonly moves: readonly Move[]
  /** Events that the facility reports with words that are in no list. */
  readonly oddMoves: readonly Move[]
}

/** What the facility reports of a box at one moment. */
export interface Standing {
  /** Null before the box has landed, after it has left, and for a box that goes on by train. */
  readonly available: boolean | null
  readonly holds: readonly Pick<Hold, 'name' | 'status' | 'description'>[]
  /** Paid fees have the amount 0. */
  readonly fees: readonly (Pick<Fee, 'type' | 'description' | 'currency'> & { readonly amount: number })[]
  readonly lastFreeDay: string | null
  readonly yardLocation: string | null
  readonly appointmentAt: number | null
  readonly chassis: string | null
  readonly pickupNumber: string | null
  readonly moves: readonly Move[]
  /** Holds and fees are left out of the answer at this moment. */
  readonly isSilent: boolean
}

/** Null as long as the facility does not know the box. */
export function standingAt(stay: Stay, now: number): Standing | null {
  if (now < stay.knownFrom) return null
  const isIn = ({ from, until }: Span): boolean => from <= now && now < until
  const hasLanded = now >= stay.landedAt
  const hasLeft = stay.leavesAt !== null && now >= stay.leavesAt
  const isHere = hasLanded && !hasLeft
  const holds = hasLeft ? [] : stay.holds.filter(isIn)
  const isForTruck = stay.leavesBy === 'TRUCK'
  const isFree = holds.length === 0 && !stay.closed.some(isIn)
  return {
    available: isHere && isForTruck ? now >= stay.readyAt && isFree : null,
    holds: holds.map(({ name, status, description }) => ({ name, status, description })),
    fees: feesOf(stay.fees, now).map((fee) => ({
      type: fee.type,
      description: fee.description,
      currency: fee.currency,
      amount: owedAt(fee, now),
    })),
    lastFreeDay: lastSaid(stay.lastFreeDays, now),
    yardLocation: isHere ? lastSaid(stay.spots, now) : null,
    appointmentAt: lastSaid(stay.appointments, now),
    chassis: hasLeft ? stay.chassis : null,
    pickupNumber: now >= stay.readyAt ? stay.pickupNumber : null,
    moves: [...stay.moves, ...stay.oddMoves].filter(({ at }) => at <= now).sort((a, b) => a.at - b.at),
    isSilent: stay.silent.some(isIn),
  }
}

/** The fees that have begun, for each description only the last one: a new total replaces the old total. */
function feesOf(fees: readonly Fee[], now: number): readonly Fee[] {
  const begun = fees.filter(({ from }) => from <= now).sort((a, b) => a.from - b.from)
  return [...new Map(begun.map((fee) => [fee.description, fee])).values()]
}

/** The moments at which the state changes, oldest first. Between two of them the report stays the same. */
export function changesOf(stay: Stay): readonly number[] {
  const dailyFees = stay.fees.filter(({ isDaily }) => isDaily)
  const days = dailyFees.flatMap(({ from, paidAt }) => {
    const count = Math.max(0, Math.ceil((paidAt - from) / DAY_MS))
    return Array.from({ length: Math.min(count, 60) }, (_, day) => from + day * DAY_MS)
  })
  const moments = [
    stay.knownFrom,
    stay.landedAt,
    stay.readyAt,
    ...(stay.leavesAt === null ? [] : [stay.leavesAt]),
    ...[...stay.holds, ...stay.closed, ...stay.silent].flatMap(({ from, until }) => [from, until]),
    ...stay.fees.flatMap(({ from, paidAt }) => [from, paidAt]),
    ...days,
    ...[...stay.lastFreeDays, ...stay.spots, ...stay.appointments].map(({ from }) => from),
    ...[...stay.moves, ...stay.oddMoves].map(({ at }) => at),
  ]
  return [...new Set(moments.filter((at) => Number.isFinite(at) && at >= stay.knownFrom))].sort((a, b) => a - b)
}

const DAY_MS = 86_400_000

function owedAt({ amount, isDaily, from, paidAt }: Fee, now: number): number {
  if (now >= paidAt) return 0
  return isDaily ? amount * (Math.floor((now - from) / DAY_MS) + 1) : amount
}

function lastSaid<Value>(said: readonly Said<Value>[], now: number): Value | null {
  return said.findLast(({ from }) => from <= now)?.value ?? null
}
