/**
 * The calls that a ship still makes, as far as lines with containers on board have stated them: when the line expects
 * the ship at the requested port, and where the ship calls before. A result for an account uses only statements that
 * were made to that account.
 */

import { assumedUtc, compareInstants, type EventTime, instantOf } from '../values/time.ts'

/** One statement of a line about a ship coming to a port or leaving it. */
export interface StatedCall {
  readonly code: 'ARRI' | 'DEPA'
  readonly classifier: 'PLN' | 'EST' | 'ACT'
  readonly unlocode: string
  readonly timeZone: string | null
  readonly time: EventTime
  /** Null or empty where the line named no ship. */
  readonly vesselImo: string | null
  readonly sourceCode: string
  /** ISO instant: when the line made the statement, if it states that, else when we received it. */
  readonly saidAt: string
}

/** When a line expects its ship. */
export interface LineEta {
  /** ISO instant; the middle of the day when the line gave only a day. */
  readonly eta: string
  readonly isDayOnly: boolean
  readonly saidAt: string
  readonly sourceCode: string
}

/** A port where the ship calls before the requested port. */
export interface CallAhead {
  readonly unlocode: string
  readonly stayHours: number
  /** Whether the line stated when the ship leaves. Otherwise it is the usual stay. */
  readonly isStayTold: boolean
}

export interface VoyageAhead {
  /** Null when no line stated it, or when that time has passed and the ship is not there. */
  readonly line: LineEta | null
  /** In the order of arrival. Empty when nobody states when the ship comes to the port itself. */
  readonly calls: readonly CallAhead[]
}

const hourMs = 3_600_000
/**
 * The stay where nobody stated one: some 0.7 days, in the order of UNCTAD's medians for container ships. It may be
 * wrong by as much.
 */
const usualStayHours = 17
/**
 * What happened at a port at most this long before it was expected there belongs to the same call: the ship came early.
 */
const sameCallMs = 3 * 24 * hourMs
/** A departure later than this after the arrival belongs to another call. */
const stayMaxMs = 10 * 24 * hourMs

/** `now`: when the ship last sent its position. */
export function readVoyageAhead(
  statedCalls: readonly StatedCall[],
  of: { readonly imo: string; readonly unlocode: string; readonly now: string },
): VoyageAhead {
  const ofShip = statedCalls.filter(({ vesselImo }) => vesselImo === of.imo)
  const there = statedCalls.filter(
    ({ code, unlocode, vesselImo }) =>
      code === 'ARRI' && unlocode === of.unlocode && (vesselImo === of.imo || !vesselImo),
  )
  const line = readLineEta(there, of.now)
  if (line === null) return { line, calls: [] }
  const ports = new Set(ofShip.map(({ unlocode }) => unlocode).filter((port) => port !== of.unlocode))
  const calls = [...ports].flatMap((port) => {
    const portCalls = ofShip.filter(({ unlocode }) => unlocode === port)
    const arrival = readLineEta(
      portCalls.filter(({ code }) => code === 'ARRI'),
      of.now,
    )
    if (arrival === null || arrival.eta >= line.eta || hasBeenThere(portCalls, arrival.eta)) return []
    return [{ at: arrival.eta, call: { unlocode: port, ...readStay(portCalls, arrival.eta) } }]
  })
  return {
    line,
    calls: calls.toSorted((a, b) => compareInstants(a.at, b.at)).map(({ call }) => call),
  }
}

/** When the ship last left a port, as lines reported it. ISO instant; null when nobody did. */
export function readDeparture(
  statedCalls: readonly StatedCall[],
  of: { readonly imo: string; readonly unlocode: string },
): string | null {
  const moments = statedCalls.flatMap((statedCall) => {
    const isIt = statedCall.code === 'DEPA' && statedCall.classifier === 'ACT' && statedCall.unlocode === of.unlocode
    return isIt && statedCall.vesselImo === of.imo ? (momentOf(statedCall) ?? []) : []
  })
  return moments.toSorted(compareInstants).at(-1) ?? null
}

/** An estimate is believed over a plan, then the latest statement. */
function readLineEta(arrivals: readonly StatedCall[], now: string): LineEta | null {
  const rank = { ACT: 0, PLN: 1, EST: 2 } as const
  const best = arrivals
    .filter(({ classifier }) => classifier !== 'ACT')
    .toSorted((a, b) => rank[a.classifier] - rank[b.classifier] || compareInstants(a.saidAt, b.saidAt))
    .at(-1)
  const eta = best === undefined ? null : momentOf(best)
  if (best === undefined || eta === null || eta <= now) return null
  const { saidAt, sourceCode } = best
  return { eta, isDayOnly: best.time.kind === 'day', saidAt, sourceCode }
}

function hasBeenThere(statedCalls: readonly StatedCall[], eta: string): boolean {
  return statedCalls.some((statedCall) => {
    const at = statedCall.classifier === 'ACT' ? momentOf(statedCall) : null
    return at !== null && Date.parse(at) > Date.parse(eta) - sameCallMs
  })
}

function readStay(statedCalls: readonly StatedCall[], eta: string): Pick<CallAhead, 'stayHours' | 'isStayTold'> {
  const stays = statedCalls
    .filter(({ code, classifier }) => code === 'DEPA' && classifier !== 'ACT')
    .toSorted((a, b) => compareInstants(a.saidAt, b.saidAt))
    .flatMap((statedCall) => {
      const at = momentOf(statedCall)
      const stayMs = at === null ? -1 : Date.parse(at) - Date.parse(eta)
      return stayMs > 0 && stayMs < stayMaxMs ? [stayMs] : []
    })
  const last = stays.at(-1)
  if (last === undefined) return { stayHours: usualStayHours, isStayTold: false }
  return { stayHours: Math.round(last / hourMs), isStayTold: true }
}

/** ISO instant; null when nobody knows in which zone the time holds. */
export function momentOf({ time, timeZone }: Pick<StatedCall, 'time' | 'timeZone'>): string | null {
  const { at, zoneUsed } = instantOf(time, timeZone)
  if (zoneUsed === assumedUtc) return null
  return time.kind === 'day' ? new Date(Date.parse(at) + 12 * hourMs).toISOString() : at
}
