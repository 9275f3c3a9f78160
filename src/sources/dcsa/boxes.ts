/** The containers that an event is about, and their details: empty or laden, size and type, seals. */

import { type EmptyIndicator, emptyIndicators, isOneOf } from '../../core/values/codes.ts'
import { parseContainerNumber } from '../../core/values/identifiers.ts'
import { type IssueList, quoted } from '../source-issue.ts'
import { type ReadContext, recall } from './context.ts'
import type { EventParts } from './event-parts.ts'
import type { MemberName } from './names.ts'
import { type Part, pointTo, readFirstText, readText } from './part.ts'
import { codeFor } from './words.ts'

export interface Seal {
  readonly number: string
  readonly source: string | null
}

/**
 * The containers that the event is about: its own, and those among its references. The references of an equipment event
 * are read only if its own container is missing or unreadable. Null when an equipment event has no valid container: the
 * event would count for all boxes. A transport event without containers is about the whole shipment.
 */
export function readEquipment(
  parts: EventParts,
  type: string,
  { issues, profile, memory }: ReadContext,
): readonly string[] | null {
  const own = readText(parts.equipment, 'equipmentReference', issues)
  const at = {
    path: `${parts.equipment.path}/equipmentReference`,
    lost: type === 'EQUIPMENT' ? 'event' : 'field',
  } as const
  const equipment = new Set<string>()
  const faults: { readonly path: string; readonly detail: string }[] = []
  const hear = (text: string, path: string): void => {
    const number = recall(memory.containers, text, parseContainerNumber)
    if (number.ok) equipment.add(number.value)
    else faults.push({ path, detail: `${quoted(text)}: ${number.reason.replaceAll('_', ' ')}` })
  }
  if (own !== null) hear(own, at.path)
  if (equipment.size === 0 || type !== 'EQUIPMENT') {
    for (const part of parts.references) {
      const referenceType = readFirstText(part, ['referenceType', 'type', 'typeCode'], issues)
      const text = readFirstText(part, ['referenceValue', 'reference', 'value'], issues)
      if (referenceType === null || text === null) continue
      if (codeFor('reference', referenceType, profile.enumAliases) === 'EQ') hear(text, part.path)
    }
  }
  for (const [index, { path, detail }] of faults.entries()) {
    const isLosing = index === 0 && equipment.size === 0
    issues.add('bad_equipment', { path, lost: isLosing ? at.lost : 'field' }, detail)
  }
  if (type !== 'EQUIPMENT' || equipment.size > 0) return [...equipment].sort()
  if (faults.length === 0) issues.add('missing_field', at, 'the equipment event names no container')
  return null
}

export function readLoad(equipment: Part, { issues, profile }: ReadContext): EmptyIndicator | null {
  const fields: readonly MemberName[] = ['emptyIndicatorCode', 'emptyIndicator']
  const said = readFirstText(equipment, fields, issues)
  if (said === null) return null
  const load = codeFor('load', said, profile.enumAliases)
  if (isOneOf(emptyIndicators, load)) return load
  const at = { path: pointTo(equipment, fields), lost: 'field' } as const
  issues.add('unknown_code', at, `${quoted(said)} is neither EMPTY nor LADEN`)
  return null
}

export function readSizeType(equipment: Part, issues: IssueList): string | null {
  const said = readText(equipment, 'ISOEquipmentCode', issues)
  if (said === null) return null
  const code = said.toUpperCase()
  if (/^[0-9A-Z]{4}$/.test(code)) return code
  const at = { path: `${equipment.path}/ISOEquipmentCode`, lost: 'field' } as const
  issues.addOnce('unknown_code', at, `${quoted(said)} is not an ISO 6346 size-type code`)
  return null
}

export function readSeal(seal: Part, issues: IssueList): readonly Seal[] {
  const number = readFirstText(seal, ['sealNumber', 'number'], issues)
  if (number !== null) return [{ number, source: readFirstText(seal, ['sealSource', 'source'], issues) }]
  issues.add('missing_field', { path: `${seal.path}/sealNumber`, lost: 'field' }, 'the seal has no number')
  return []
}
