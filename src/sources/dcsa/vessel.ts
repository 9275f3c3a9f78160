/**
 * The vessel of a transport call, by its IMO number. A wrong number never identifies a vessel; a name without a number
 * is kept.
 */

import type { ObservedVessel } from '../../core/statements/observation.ts'
import { parseImoNumber } from '../../core/values/identifiers.ts'
import { quoted } from '../source-issue.ts'
import type { ReadContext } from './context.ts'
import { type Part, readText } from './part.ts'

export function readVessel(part: Part | null, { issues, profile }: ReadContext): ObservedVessel | null {
  if (part === null) return null
  const said = readText(part, 'vesselIMONumber', issues)
  const name = readText(part, 'vesselName', issues)
  const at = { path: `${part.path}/vesselIMONumber`, lost: 'field' } as const
  if (said === null) {
    if (name === null) return null
    if (!profile.mayLack.includes('vesselIMONumber'))
      issues.addOnce('missing_field', at, 'the vessel has no IMO number')
    return { imo: null, name }
  }
  const imo = parseImoNumber(said)
  if (!imo.ok)
    issues.addOnce('bad_imo', at, `${quoted(said)} is not an IMO number: ${imo.reason.replaceAll('_', ' ')}`)
  return imo.ok || name !== null ? { imo: imo.ok ? imo.value : null, name } : null
}
