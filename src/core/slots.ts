/** The slots of one transport call: for each thing that can happen there, the one actual and the one estimate believed. */

import { compareText, isIncoming, rankOf, type Statement } from './statement.ts'
import { eventTrust, rankIn } from './trust.ts'

export interface Slot {
  /** What happens, to what, by which mode: `DISC LADEN VESSEL`. */
  readonly key: string
  readonly actual: Statement | null
  readonly estimate: Statement | null
  /** Read and not believed: overruled, superseded or about another ship. */
  readonly losers: readonly Statement[]
}

/** Total and independent of the order of the statements, which all belong to one visit. */
export function settleSlots(statements: readonly Statement[]): readonly Slot[] {
  const groups = new Map<string, Statement[]>()
  for (const statement of statements) {
    const key = slotKeyOf(statement)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [statement])
    else group.push(statement)
  }
  const handled = [...groups].filter(([, told]) => !isShipsMovement(told)).map(([key, told]) => settle(key, told))
  const moved = [...groups]
    .filter(([, told]) => isShipsMovement(told))
    .map(([key, told]) => settle(key, told, shipThatHandled(told, handled)))
  return [...handled, ...moved].toSorted((a, b) => compareText(a.key, b.key))
}

const offDockFacilities: ReadonlySet<string | null> = new Set(['OFFD', 'COFS'])

function slotKeyOf(statement: Statement): string {
  const { code, load, mode, event } = statement
  const facility = event.place.facilityType
  switch (code) {
    case 'ARRI':
      return facility === 'BRTH' ? `BERTH ${mode}` : `ARRI ${mode}`
    case 'GTIN':
    case 'GTOT': {
      const gate = mode === 'RAIL' ? 'RAIL' : offDockFacilities.has(facility) ? 'OFF_DOCK' : 'GATE'
      return `${code} ${load ?? '?'} ${gate}`
    }
    case 'LOAD':
    case 'DISC':
      return `${code} ${load ?? '?'} ${mode}`
    default:
      return `${code} ${code === 'DEPA' ? mode : ''}`.trim()
  }
}

function isShipsMovement(told: readonly Statement[]): boolean {
  return told[0]?.code === 'ARRI' || told[0]?.code === 'DEPA'
}

/**
 * At a transshipment two ships come and two ships go. The one that counts for the box's arrival is the one that it
 * was discharged from, for its departure the one that it was loaded on. Null when no ship is known.
 */
function shipThatHandled(movements: readonly Statement[], handled: readonly Slot[]): string | null {
  const first = movements[0]
  if (first === undefined) return null
  const counterpart = isIncoming(first) ? 'DISC' : 'LOAD'
  for (const slot of handled) {
    const winner = slot.actual ?? slot.estimate
    if (winner?.code === counterpart && winner.mode === first.mode && winner.vesselKey !== null) {
      return winner.vesselKey
    }
  }
  return null
}

function settle(key: string, told: readonly Statement[], vesselKey: string | null = null): Slot {
  const ofShip = told.filter((statement) => isOfVessel(statement, vesselKey))
  const actual = pickActual(ofShip.filter((statement) => statement.isActual))
  const estimate = pickBest(ofShip.filter((statement) => !statement.isActual))
  return { key, actual, estimate, losers: told.filter((other) => other !== actual && other !== estimate) }
}

function isOfVessel(statement: Statement, vesselKey: string | null): boolean {
  return vesselKey === null || statement.vesselKey === null || statement.vesselKey === vesselKey
}

/**
 * When two ships are told of and nothing says which handled the box, it came with the first and left with the last.
 * A moment that AIS saw refines the day that a better believed source gave.
 */
function pickActual(told: readonly Statement[]): Statement | null {
  const first = told[0]
  if (first === undefined) return null
  if (told.length === 1) return first
  const vessels = new Set(told.map((statement) => statement.vesselKey).filter((key) => key !== null))
  if (vessels.size > 1 && isShipsMovement(told)) {
    const byTime = told.toSorted((a, b) => a.from - b.from || compareText(a.claim.id, b.claim.id))
    const edge = isIncoming(first) ? byTime[0] : byTime.at(-1)
    return pickActual(told.filter((statement) => isOfVessel(statement, edge?.vesselKey ?? null)).slice())
  }
  const best = pickBest(told)
  if (best === null || best.event.time.kind !== 'day') return best
  const refined = told.filter(
    (other) => other.claim.source.kind === 'ais' && other.from >= best.from && other.until < best.until,
  )
  return pickBest(refined) ?? best
}

function pickBest(told: readonly Statement[]): Statement | null {
  let best: Statement | null = null
  for (const statement of told) {
    if (best === null || compareBelief(statement, best) < 0) best = statement
  }
  return best
}

/** An estimate over a plan; then the better believed source; then the later word; then whatever makes it total. */
function compareBelief(a: Statement, b: Statement): number {
  const ranking = eventTrust({ code: a.code, mode: a.mode })
  return (
    Number(a.event.classifier === 'PLN') - Number(b.event.classifier === 'PLN') ||
    rankIn(ranking, a.claim.source.kind) - rankIn(ranking, b.claim.source.kind) ||
    b.saidAt - a.saidAt ||
    compareText(b.claim.recordedAt, a.claim.recordedAt) ||
    compareText(b.claim.observation.key, a.claim.observation.key) ||
    compareText(a.claim.id, b.claim.id)
  )
}

/** The order of slots within a call when their times do not tell. */
export function rankOfSlot(slot: Slot): number {
  const winner = slot.actual ?? slot.estimate
  return winner === null ? 99 : rankOf(winner)
}
