/**
 * The transport of a container, according to `TDT`: mode, voyage, ship. A call sign or a number plate is not an IMO
 * number.
 */

import type { ObservedVessel } from '../../domain/statements/observation.ts'
import type { TransportMode } from '../../domain/values/codes.ts'
import { parseImoNumber } from '../../domain/values/identifiers.ts'
import { quoteValue } from '../source-issue.ts'
import type { ReadContext } from './context.ts'
import { codeOf, optionalTextOf, pathTo } from './fields.ts'
import type { Segment } from './segments.ts'

export interface Transport {
  readonly mode: TransportMode | null
  readonly vessel: ObservedVessel | null
  readonly voyage: string | null
}

export const noTransport: Transport = { mode: null, vessel: null, voyage: null }

/** Element 8067. */
const modes: Readonly<Record<string, TransportMode>> = {
  '1': 'VESSEL',
  '2': 'RAIL',
  '3': 'TRUCK',
  '8': 'BARGE',
}

export function modeOf(segment: Segment): TransportMode | null {
  return modes[codeOf(segment, 2)] ?? null
}

/** `isAtSea`: the report is about a ship, though the segment may not state this. */
export function readTransport(
  segment: Segment | null,
  { isAtSea }: { readonly isAtSea: boolean },
  context: ReadContext,
): Transport {
  if (segment === null) return { ...noTransport, mode: isAtSea ? 'VESSEL' : null }
  const mode = modeOf(segment) ?? (isAtSea ? 'VESSEL' : null)
  const isShip = mode === 'VESSEL' || mode === 'BARGE'
  return {
    mode,
    vessel: isShip ? readVessel(segment, context) : null,
    voyage: isShip ? optionalTextOf(segment, 1) : null,
  }
}

/**
 * C222: identity, its list (1131), the agency (3055), name. List 146 or agency 11 (Lloyd's) mean the IMO number of a
 * ship; 103 is a call sign. Without either the kind of number is unknown.
 */
function readVessel(segment: Segment, { issues }: ReadContext): ObservedVessel | null {
  const identity = codeOf(segment, 7)
  const isImo = codeOf(segment, 7, 1) === '146' || codeOf(segment, 7, 2) === '11' || identity.startsWith('IMO')
  const imo = identity !== '' && isImo ? parseImoNumber(identity) : null
  const name = optionalTextOf(segment, 7, 3)
  if (imo !== null && !imo.ok) {
    const at = { path: pathTo(segment, 7), lost: 'field' } as const
    issues.addOnce('bad_imo', at, `${quoteValue(identity)} is not an IMO number: ${imo.reason.replaceAll('_', ' ')}`)
  }
  const number = imo?.ok ? imo.value : null
  return number === null && name === null ? null : { imo: number, name }
}
