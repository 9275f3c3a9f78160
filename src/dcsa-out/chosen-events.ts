/** Which of our events the types and codes of the standard select. */

import { movedNames, standardMoves } from '../domain/milestones/standard-move.ts'
import { eventsOfMove } from '../modules/webhooks/events-of-format.ts'

export const eventTypes = ['SHIPMENT', 'TRANSPORT', 'EQUIPMENT'] as const
type EventType = (typeof eventTypes)[number]

/** Null where nothing was chosen. */
export interface ChosenCodes {
  readonly types: readonly string[] | null
  readonly transport: readonly string[] | null
  readonly equipment: readonly string[] | null
  /** Codes or documents of shipment events. */
  readonly shipment: readonly string[] | null
  /** Of what the call is: VESSEL, RAIL … */
  readonly callMode?: string | null
}

/**
 * Names of events, such as `container.transport.vessel_arrived`; empty when none is selected. A choice of codes narrows
 * the events of its own type. Without a choice of types it also chooses the type. There are no shipment events here:
 * the state of a document is no move of a container.
 */
export function selectEventNames(chosen: ChosenCodes): readonly string[] {
  const isChosen: Readonly<Record<EventType, boolean>> = {
    SHIPMENT: chosen.shipment !== null,
    TRANSPORT: chosen.transport !== null,
    EQUIPMENT: chosen.equipment !== null,
  }
  const hasCodes = Object.values(isChosen).includes(true)
  const types = chosen.types ?? eventTypes.filter((type) => !hasCodes || isChosen[type])
  return movedNames.flatMap((name) => {
    const { type, code, mode } = standardMoves[name]
    const codes = type === 'TRANSPORT' ? chosen.transport : chosen.equipment
    if (!types.includes(type) || codes?.includes(code) === false) return []
    if (chosen.callMode && mode !== chosen.callMode && !(type === 'TRANSPORT' && mode === null)) return []
    return eventsOfMove(name)
  })
}
