/**
 * COSCO's texts for the moves of a container, mapped to DCSA's codes. The texts are from the line's own documents
 * (github.com/cop-cos/COP, docs/info-cargotracking-en.md), except those of rail moves, which are from public client
 * code.
 */

import type { EmptyIndicator, EventCode, TransportMode } from '../../domain/values/codes.ts'

export interface Move {
  readonly code: EventCode
  readonly load: EmptyIndicator
  /** The mode that the text itself implies; null where the answer must state it. */
  readonly mode: TransportMode | null
}

/** `aside`: not a move of the container. Null for an unknown text. */
export function moveOf(label: string): Move | 'aside' | null {
  const moveLabel = label.toUpperCase().replace(/[^A-Z/]+/g, ' ')
  return Object.hasOwn(moves, moveLabel) ? (moves[moveLabel] ?? null) : null
}

export function modeOf(transportation: string | null): TransportMode | null {
  const modeLabel = transportation?.toUpperCase() ?? ''
  return Object.hasOwn(modes, modeLabel) ? (modes[modeLabel] ?? null) : null
}

const modes: Readonly<Record<string, TransportMode>> = {
  VESSEL: 'VESSEL',
  BARGE: 'BARGE',
  FEEDER: 'BARGE',
  RAIL: 'RAIL',
  TRUCK: 'TRUCK',
}

const moves: Readonly<Record<string, Move | 'aside'>> = {
  'EMPTY EQUIPMENT DESPATCHED': { code: 'GTOT', load: 'EMPTY', mode: null },
  'CARGO RECEIVED': 'aside',
  'GATE IN AT FIRST POL': { code: 'GTIN', load: 'LADEN', mode: null },
  'LOADED AT FIRST POL': { code: 'LOAD', load: 'LADEN', mode: 'VESSEL' },
  'DISCHARGED AT T/S POD': { code: 'DISC', load: 'LADEN', mode: 'VESSEL' },
  'LOADED AT T/S POL': { code: 'LOAD', load: 'LADEN', mode: 'VESSEL' },
  'DISCHARGED AT LAST POD': { code: 'DISC', load: 'LADEN', mode: 'VESSEL' },
  'GATE OUT FROM LAST POD': { code: 'GTOT', load: 'LADEN', mode: null },
  'FIRST LOADED ON RAIL UNDER I/B': { code: 'LOAD', load: 'LADEN', mode: 'RAIL' },
  'RAIL ARRIVAL AT FINAL HUB': { code: 'ARRI', load: 'LADEN', mode: 'RAIL' },
  'DE RAMP AT FINAL HUB': { code: 'DISC', load: 'LADEN', mode: 'RAIL' },
  'GATE IN AT FINAL HUB': { code: 'GTIN', load: 'LADEN', mode: null },
  'GATE OUT FROM FINAL HUB': { code: 'GTOT', load: 'LADEN', mode: null },
  'EMPTY EQUIPMENT RETURNED': { code: 'GTIN', load: 'EMPTY', mode: null },
}
