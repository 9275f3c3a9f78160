/** How long a box stays at one terminal or ramp and what is so meanwhile; and what of it stands at a moment. */

export const HOLD_NAMES = ['freight', 'customs', 'USDA', 'VACIS', 'TMF', 'other'] as const

export interface Span {
  readonly from: number
  readonly until: number
}

export interface Hold extends Span {
  readonly name: (typeof HOLD_NAMES)[number]
  /** Whether it is set already, or only expected to be. */
  readonly status: 'hold' | 'pending'
  readonly description: string
}

export interface Fee {
  readonly type: 'demurrage' | 'exam' | 'total' | 'extended_dwell_time' | 'other'
  readonly description: string
  readonly currency: string
  /** Of each day begun since `from`, or once. */
  readonly amount: number
  readonly isDaily: boolean
  readonly from: number
  readonly paidAt: number
}

/** Something that replaces what was said of the same before. */
export interface Said<Value> {
  readonly from: number
  readonly value: Value
}

export interface Move {
  readonly at: number
  /** `DISC LADEN VESSEL`: code, load, mode. */
  readonly what: string
  readonly place: string
}

export interface Stay {
  readonly site: 'port' | 'ramp'
  readonly place: string
  /** SMDG code of a terminal, where it has one. */
  readonly terminal: string | null
  readonly name: string
  /** From the manifest or waybill on. */
  readonly knownFrom: number
  readonly landedAt: number
  /** Set down where a truck can fetch it; at a ramp also notified. */
  readonly readyAt: number
  /** Null: it has not been told that it ever goes. */
  readonly leavesAt: number | null
  readonly leavesBy: 'TRUCK' | 'RAIL'
  readonly holds: readonly Hold[]
  readonly fees: readonly Fee[]
  /** When no truck gets at it, though nothing holds it: its block is closed. */
  readonly closed: readonly Span[]
  /** When the facility leaves out of its answers what holds it and what it costs, though it is so. */
  readonly silent: readonly Span[]
  readonly lastFreeDays: readonly Said<string>[]
  readonly spots: readonly Said<string>[]
  readonly appointments: readonly Said<number>[]
  /** Known when a truck has left with it; none where trucks bring their own. */
  readonly chassis: string | null
  readonly pickupNumber: string | null
  readonly moves: readonly Move[]
  /** What the facility tells of it in words that stand in no list. */
  readonly oddMoves: readonly Move[]
}

/** What the facility would say of it at this moment. */
export interface Standing {
  /** Null before it has landed, after it has left, and of a box that goes on by train. */
  readonly available: boolean | null
  readonly holds: readonly Pick<Hold, 'name' | 'status' | 'description'>[]
  /** With 0 where it has been paid. */
  readonly fees: readonly (Pick<Fee, 'type' | 'description' | 'currency'> & { readonly amount: number })[]
  readonly lastFreeDay: string | null
  readonly yardLocation: string | null
  readonly appointmentAt: number | null
  readonly chassis: string | null
  readonly pickupNumber: string | null
  readonly moves: readonly Move[]
  /** It does not speak of holds and fees just now. */
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

/** Of those that have begun, the last of each description: one of two totals replaces the other. */
function feesOf(fees: readonly Fee[], now: number): readonly Fee[] {
  const begun = fees.filter(({ from }) => from <= now).sort((a, b) => a.from - b.from)
  return [...new Map(begun.map((fee) => [fee.description, fee])).values()]
}

/** When something of it becomes different, oldest first: between two of these it says the same. */
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
  return [...new Set(moments.filter((at) => Number.isFinite(at) && at >= stay.knownFrom))].sort(
    (a, b) => a - b,
  )
}

const DAY_MS = 86_400_000

function owedAt({ amount, isDaily, from, paidAt }: Fee, now: number): number {
  if (now >= paidAt) return 0
  return isDaily ? amount * (Math.floor((now - from) / DAY_MS) + 1) : amount
}

function lastSaid<Value>(said: readonly Said<Value>[], now: number): Value | null {
  return said.findLast(({ from }) => from <= now)?.value ?? null
}
