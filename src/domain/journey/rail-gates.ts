/**
 * Trains that a source reports by the gates: a laden gate-out by rail is the train's departure, a gate-in its arrival.
 */

import type { Statement } from '../statements/statement.ts'

const moveAt = { GTOT: 'DEPA', GTIN: 'ARRI' } as const

/**
 * Reads laden gate moves by rail as moves of the train, unless the same source also reports the train's own departure
 * or arrival at that place: then a gate move is only a gate move. A loading before it or an unloading after it does not
 * count as such a report. The load states of gate moves are decided before (`splitTrips`). Other statements about the
 * train, of any source, are merged with it as usual. Only an actual of the train can show that an actual gate move is
 * only a gate move.
 */
export function readRailGates(statements: readonly Statement[]): readonly Statement[] {
  const gates = statements.filter((reported) => isRailGate(reported))
  if (gates.length === 0) return statements
  const trains = statements.filter(({ mode }) => mode === 'RAIL')
  const happened = keysOf(trains.filter(({ isActual }) => isActual))
  const reported = keysOf(trains)
  return statements.map((gate) => {
    if (!isRailGate(gate)) return gate
    const beside = gate.isActual ? happened : reported
    const code = moveAt[gate.code]
    return beside.has(keyOf(gate, code)) ? gate : { ...gate, code, load: null }
  })
}

function keysOf(trains: readonly Statement[]): ReadonlySet<string> {
  return new Set(trains.map((statement) => keyOf(statement, statement.code)))
}

function isRailGate(statement: Statement): statement is Statement & { readonly code: 'GTOT' | 'GTIN' } {
  return (
    (statement.code === 'GTOT' || statement.code === 'GTIN') && statement.mode === 'RAIL' && statement.load === 'LADEN'
  )
}

function keyOf({ claim, placeKey }: Statement, code: string): string {
  return `${claim.source.kind}:${claim.source.code} ${placeKey} ${code}`
}
