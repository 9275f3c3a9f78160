/** A place in the route with its four times, from the call there. */

import type { ObservedPlace } from '../statements/observation.ts'
import type { Statement } from '../statements/statement.ts'
import type { Leg } from '../view/projection.ts'
import { actualOf, estimateOf, isReachedByFeeder } from './call-slots.ts'
import type { Call } from './journey.ts'

export type LegKind = 'loading' | 'discharge' | 'inland'

/** At a port only the ship's times count. Inland, the times of the vehicle that carries the container count. */
export function legOf(call: Call | null, named: ObservedPlace | null, kind: LegKind): Leg {
  if (call === null) return { place: named, etd: null, atd: null, eta: null, ata: null }
  const { etd, atd, eta, ata } = legStatements(call, kind)
  return {
    place: call.place,
    etd: etd?.event.time ?? null,
    atd: atd?.event.time ?? null,
    eta: eta?.event.time ?? null,
    ata: ata?.event.time ?? null,
  }
}

/** The statements that give the four times of a leg. */
export function legStatements(
  call: Call,
  kind: LegKind,
): Readonly<Record<'etd' | 'atd' | 'eta' | 'ata', Statement | null>> {
  const modes = kind === 'inland' ? ['RAIL', 'BARGE', 'TRUCK', 'VESSEL'] : ['VESSEL']
  const arrivals = modes.map((mode) => `ARRI ${mode}`)
  const byFeeder = kind === 'discharge' && isReachedByFeeder(call) ? ['ARRI BARGE'] : []
  const departures = modes.map((mode) => `DEPA ${mode}`)
  return {
    etd: firstOf(call, departures, estimateOf),
    atd: firstOf(call, departures, actualOf),
    eta: firstOf(call, [...arrivals, ...byFeeder], estimateOf),
    ata: firstOf(call, [...arrivals, 'BERTH VESSEL', ...byFeeder], actualOf),
  }
}

function firstOf(call: Call, keys: readonly string[], find: (call: Call, key: string) => Statement | null) {
  for (const key of keys) {
    const statement = find(call, key)
    if (statement !== null) return statement
  }
  return null
}
