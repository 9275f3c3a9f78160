/**
 * Converts columns of days into events of the container: `discharged 2026-01-05` is a discharge from the ship on that
 * day.
 */

import { naturalKeyOf } from '../../domain/statements/natural-key.ts'
import { type EventObservation, nowhere, type ObservedPlace } from '../../domain/statements/observation.ts'
import type { EmptyIndicator, EventCode, TransportMode } from '../../domain/values/codes.ts'
import type { EventTime } from '../../domain/values/time.ts'
import { type MomentField, momentFields, type StatementField } from './headings.ts'

interface Move {
  readonly code: EventCode
  readonly load: EmptyIndicator | null
  readonly mode: TransportMode
  /** Which column has the place of the event; null where no column has it: then the place is unknown. */
  readonly at: 'port_of_loading' | 'port_of_discharge' | null
  readonly isEstimate?: true
}

const moves: Readonly<Record<MomentField, Move>> = {
  empty_out: { code: 'GTOT', load: 'EMPTY', mode: 'TRUCK', at: null },
  full_in: { code: 'GTIN', load: 'LADEN', mode: 'TRUCK', at: 'port_of_loading' },
  vessel_loaded: { code: 'LOAD', load: 'LADEN', mode: 'VESSEL', at: 'port_of_loading' },
  vessel_departed: { code: 'DEPA', load: null, mode: 'VESSEL', at: 'port_of_loading' },
  vessel_arrived: { code: 'ARRI', load: null, mode: 'VESSEL', at: 'port_of_discharge' },
  vessel_discharged: { code: 'DISC', load: 'LADEN', mode: 'VESSEL', at: 'port_of_discharge' },
  rail_departed: { code: 'DEPA', load: null, mode: 'RAIL', at: null },
  rail_arrived: { code: 'ARRI', load: null, mode: 'RAIL', at: null },
  full_out: { code: 'GTOT', load: 'LADEN', mode: 'TRUCK', at: null },
  empty_in: { code: 'GTIN', load: 'EMPTY', mode: 'TRUCK', at: null },
  estimated_departure: { code: 'DEPA', load: null, mode: 'VESSEL', at: 'port_of_loading', isEstimate: true },
  estimated_arrival: { code: 'ARRI', load: null, mode: 'VESSEL', at: 'port_of_discharge', isEstimate: true },
}

/** Functions that read one row. */
export interface RowFieldReaders {
  readonly text: (field: StatementField) => string | null
  readonly moment: (field: StatementField) => EventTime | null
  readonly place: (field: StatementField) => ObservedPlace | null
}

/**
 * The key consists of the move, its place and the document. Without a document the day of an actual event is used
 * instead, so that the same move in March and in September has two keys.
 */
export function readRowMoves(
  { text, moment, place }: RowFieldReaders,
  of: { readonly containerNumber: string; readonly document: string | null },
): readonly EventObservation[] {
  return momentFields.flatMap((field): readonly EventObservation[] => {
    const time = moment(field)
    if (time === null) return []
    const { code, load, mode, at, isEstimate = false } = moves[field]
    const isByShip = mode === 'VESSEL'
    const name = isByShip ? text('vessel') : null
    const unkeyedEvent = {
      kind: 'event',
      classifier: isEstimate ? 'EST' : 'ACT',
      code,
      load,
      mode,
      place: (at === null ? null : place(at)) ?? nowhere,
      voyage: isByShip ? text('voyage') : null,
      callId: null,
      original: field,
      equipment: of.containerNumber,
    } as const
    const apart = of.document ?? (isEstimate ? '-' : dayOf(time))
    return [
      {
        ...unkeyedEvent,
        key: `${naturalKeyOf(unkeyedEvent)}|${apart}`,
        time,
        vessel: name === null ? null : { imo: null, name },
        callSequence: null,
        statedAt: null,
        isRetracted: false,
      },
    ]
  })
}

function dayOf(time: EventTime): string {
  return (time.kind === 'day' ? time.on : time.kind === 'local' ? time.local : time.at).slice(0, 10)
}
