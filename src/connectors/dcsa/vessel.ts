/**
 * The vessel of a transport call, by its IMO number. A wrong number never identifies a vessel; a name without a number
 * is stored.
 */

import type { ObservedVessel } from '../../domain/statements/observation.ts'
import { parseImoNumber } from '../../domain/values/identifiers.ts'
import { quoteValue } from '../source-issue.ts'
import type { ReadContext } from './context.ts'
import { type JsonNode, readFirstText, readText } from './json-node.ts'

export function readVessel(node: JsonNode | null, { issues, profile }: ReadContext): ObservedVessel | null {
  if (node === null) return null
  const rawText = readText(node, 'vesselIMONumber', issues)
  const name = readFirstText(node, ['vesselName', 'name'], issues)
  const at = { path: `${node.path}/vesselIMONumber`, lost: 'field' } as const
  if (rawText === null) {
    if (name === null) return null
    if (!profile.mayLack.includes('vesselIMONumber'))
      issues.addOnce('missing_field', at, 'the vessel has no IMO number')
    return { imo: null, name }
  }
  const imo = parseImoNumber(rawText)
  if (!imo.ok)
    issues.addOnce('bad_imo', at, `${quoteValue(rawText)} is not an IMO number: ${imo.reason.replaceAll('_', ' ')}`)
  return imo.ok || name !== null ? { imo: imo.ok ? imo.value : null, name } : null
}
