/** A place in the route with its four times, read off the call there. */

import { actualOf, estimateOf } from './call-slots.ts'
import type { Call } from './journey.ts'
import type { ObservedPlace } from './observation.ts'
import type { Leg } from './projection.ts'
import type { Statement } from './statement.ts'

/** At a port the ship's times count; inland whatever carries the box there. */
export function legOf(call: Call | null, named: ObservedPlace | null, kind: 'sea' | 'inland'): Leg {
  if (call === null) return { place: named, etd: null, atd: null, eta: null, ata: null }
  const { etd, atd, eta, ata } = toldOfLeg(call, kind)
  return {
    place: call.place,
    etd: etd?.event.time ?? null,
    atd: atd?.event.time ?? null,
    eta: eta?.event.time ?? null,
    ata: ata?.event.time ?? null,
  }
}

/** The statements that a leg's four times are read off. */
export function toldOfLeg(
  call: Call,
  kind: 'sea' | 'inland',
): Readonly<Record<'etd' | 'atd' | 'eta' | 'ata', Statement | null>> {
  const modes = kind === 'sea' ? ['VESSEL'] : ['RAIL', 'BARGE', 'TRUCK', 'VESSEL']
  const arrivals = modes.map((mode) => `ARRI ${mode}`)
  const departures = modes.map((mode) => `DEPA ${mode}`)
  return {
    etd: firstOf(call, departures, estimateOf),
    atd: firstOf(call, departures, actualOf),
    eta: firstOf(call, arrivals, estimateOf),
    ata: firstOf(call, [...arrivals, 'BERTH VESSEL'], actualOf),
  }
}

function firstOf(call: Call, keys: readonly string[], find: (call: Call, key: string) => Statement | null) {
  for (const key of keys) {
    const told = find(call, key)
    if (told !== null) return told
  }
  return null
}
