/**
 * The slots of one transport call: for each thing that can happen there, the one actual and the one estimate that are
 * believed.
 */

import { type Criterion, compareBy, createFirstHandCriterion, decidingReason } from '../statements/criteria.ts'
import {
  compareClaims,
  compareText,
  isIncoming,
  mayBeSameVessel,
  rankOf,
  type Statement,
} from '../statements/statement.ts'
import { eventTrust, rankIn } from '../statements/trust.ts'
import { compareInstants } from '../values/time.ts'

export interface Slot {
  /** What happens, to what, by which mode: `DISC LADEN VESSEL`. */
  readonly key: string
  readonly actual: Statement | null
  readonly estimate: Statement | null
  /** Statements that are not believed: overruled, superseded or about another ship. */
  readonly losers: readonly Statement[]
}

/** Total and independent of the order of the statements, which all belong to one visit. */
export function resolveSlots(statements: readonly Statement[]): readonly Slot[] {
  const groups = new Map<string, Statement[]>()
  for (const statement of statements) {
    const key = slotKeyOf(statement)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [statement])
    else group.push(statement)
  }
  const handled = [...groups]
    .filter(([, statements]) => !isShipsMovement(statements))
    .map(([key, statements]) => resolveSlot(key, statements))
  const moved = [...groups]
    .filter(([, statements]) => isShipsMovement(statements))
    .map(([key, statements]) => resolveMovementSlot(key, statements, handled))
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

function isShipsMovement(statements: readonly Statement[]): boolean {
  return statements[0]?.code === 'ARRI' || statements[0]?.code === 'DEPA'
}

function resolveSlot(key: string, statements: readonly Statement[]): Slot {
  return slotOf(key, statements, {
    actual: pickActual(statements.filter((statement) => statement.isActual)),
    estimate: pickBest(statements.filter((statement) => !statement.isActual)),
  })
}

function slotOf(key: string, statements: readonly Statement[], believed: Pick<Slot, 'actual' | 'estimate'>): Slot {
  return {
    key,
    ...believed,
    losers: statements.filter((t) => t !== believed.actual && t !== believed.estimate),
  }
}

/**
 * At a transshipment two ships come and two ships go. For the arrival of the container, the ship counts from which it
 * was discharged; for its departure, the ship on which it was loaded. Only an actual can show that a ship that came or
 * went was another one: a prediction never removes a call that happened.
 */
function resolveMovementSlot(key: string, statements: readonly Statement[], handled: readonly Slot[]): Slot {
  const discharge = handled.find((slot) => slot.key.startsWith('DISC LADEN') && slot.key.endsWith(modeOf(key)))
  const loading = handled.find((slot) => slot.key.startsWith('LOAD LADEN') && slot.key.endsWith(modeOf(key)))
  const isArrival = statements[0] !== undefined && isIncoming(statements[0])
  const [ownSlot, other] = isArrival ? [discharge, loading] : [loading, discharge]
  const happened = statements.filter((statement) => statement.isActual)
  const ownActual = ownSlot?.actual ?? null
  const possible = happened.filter((ship) =>
    isArrival ? mayHaveDelivered(ship, ownActual) : mayHaveLoaded(ship, ownActual, other?.actual ?? null),
  )
  return slotOf(key, statements, {
    actual: pickActual(preferShip(possible, ownActual)),
    estimate: pickBest(
      selectPredictionsOfShip(
        statements.filter((statement) => !statement.isActual),
        ownSlot?.actual ?? ownSlot?.estimate ?? null,
        other?.actual ?? other?.estimate ?? null,
      ),
    ),
  })
}

function modeOf(slotKey: string): string {
  return slotKey.split(' ').at(-1) ?? ''
}

function mayHaveDelivered(ship: Statement, discharge: Statement | null): boolean {
  return discharge === null || isSameShip(ship, discharge) || ship.from <= discharge.until
}

function mayHaveLoaded(ship: Statement, loading: Statement | null, discharge: Statement | null): boolean {
  if (loading !== null) return isSameShip(ship, loading) || ship.until >= loading.from
  return discharge === null || !isSurelySameShip(ship, discharge)
}

/** The statements about the ship that handled the container; all statements when there are none about it. */
function preferShip(statements: readonly Statement[], handled: Statement | null): readonly Statement[] {
  if (handled === null) return statements
  const ofShip = statements.filter((statement) => isSameShip(statement, handled))
  return ofShip.length === 0 ? statements : ofShip
}

/**
 * The predictions about the ship that is to handle the container. When there are none, those about any ship but that of
 * the other leg.
 */
function selectPredictionsOfShip(
  statements: readonly Statement[],
  ownShip: Statement | null,
  other: Statement | null,
): readonly Statement[] {
  const ofShip = ownShip === null ? [] : statements.filter((statement) => isSameShip(statement, ownShip))
  if (ofShip.length > 0) return ofShip
  return statements.filter((statement) => other === null || !isSurelySameShip(statement, other))
}

function isSameShip(a: Statement, b: Statement): boolean {
  return mayBeSameVessel(a.event.vessel, b.event.vessel)
}

function isSurelySameShip(a: Statement, b: Statement): boolean {
  return a.vesselKey !== null && a.vesselKey === b.vesselKey
}

/**
 * When two ships are reported and no statement shows which one handled the container, it came with the first and left
 * with the last. A moment from AIS refines the day that a more believed source gave.
 */
function pickActual(statements: readonly Statement[]): Statement | null {
  const first = statements[0]
  if (first === undefined || statements.length === 1) return first ?? null
  const best = pickBest(isShipsMovement(statements) ? selectOneVehicleStatements(statements) : statements)
  if (best === null || best.event.time.kind !== 'day') return best
  const refined = statements.filter(
    (other) => other.claim.source.kind === 'ais' && other.from >= best.from && other.until < best.until,
  )
  return pickBest(refined) ?? best
}

/**
 * Where one railway hands a container over to another, each reports its own train. Only the statements of one of them
 * are used.
 */
function selectOneVehicleStatements(statements: readonly Statement[]): readonly Statement[] {
  const byTime = statements.toSorted((a, b) => a.from - b.from || compareClaims(a.claim, b.claim))
  const named = byTime.filter((statement) => statement.vesselKey !== null || railwayOf(statement) !== null)
  const edge = statements[0] !== undefined && isIncoming(statements[0]) ? named[0] : named.at(-1)
  if (edge === undefined) return statements
  const railway = railwayOf(edge)
  return statements.filter((statement) => isSameShip(statement, edge) && [null, railway].includes(railwayOf(statement)))
}

function railwayOf({ mode, claim: { source, hand } }: Statement): string | null {
  return mode === 'RAIL' && source.kind === 'rail' && hand === 'first' ? source.code : null
}

function pickBest(statements: readonly Statement[]): Statement | null {
  let best: Statement | null = null
  for (const statement of statements) {
    if (best === null || compareBy(statementCriteria, statement, best) < 0) best = statement
  }
  return best
}

/**
 * The first criterion that differs between two statements decides. `reason` explains why the better one is believed.
 */
const statementCriteria: readonly Criterion<Statement>[] = [
  {
    reason: 'an estimate counts for more than a plan',
    compare: (a, b) => Number(a.event.classifier === 'PLN') - Number(b.event.classifier === 'PLN'),
  },
  {
    reason: 'a source that is believed more on this',
    compare: (a, b) => {
      const ranking = eventTrust({ code: a.code, mode: a.mode })
      return rankIn(ranking, a.claim.source.kind) - rankIn(ranking, b.claim.source.kind)
    },
  },
  createFirstHandCriterion(({ claim }) => claim),
  { reason: 'the later word', compare: (a, b) => b.statedAtMs - a.statedAtMs },
  { reason: 'heard later', compare: (a, b) => compareInstants(b.claim.standsAt, a.claim.standsAt) },
  {
    reason: 'it names the ship',
    compare: (a, b) => Number(a.vesselKey === null) - Number(b.vesselKey === null),
  },
  {
    reason: 'the last by its key, since nothing else tells them apart',
    compare: (a, b) => compareText(b.claim.observation.key, a.claim.observation.key) || compareClaims(a.claim, b.claim),
  },
]

/** Why the first of two statements in one slot is believed and the second is not. */
export function explainStatementChoice(believed: Statement, other: Statement): string {
  if (believed.isActual && !other.isActual) return 'it has happened, so what was foretold counts no more'
  if (isShipsMovement([believed]) && !isSameShip(believed, other)) return 'the other is about another ship'
  const isRefined = believed.claim.source.kind === 'ais' && other.event.time.kind === 'day'
  if (isRefined) return 'a moment that AIS saw refines a day that another source gave'
  return decidingReason(statementCriteria, believed, other)
}

/** The order of slots within a call when their times do not decide. */
export function rankOfSlot(slot: Slot): number {
  const winner = slot.actual ?? slot.estimate
  return winner === null ? 99 : rankOf(winner)
}
