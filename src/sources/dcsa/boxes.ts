/** The containers that an event is about, and what it says of them: empty or laden, size and type, seals. */

import { type EmptyIndicator, emptyIndicators, isOneOf } from '../../core/codes.ts'
import { parseContainerNumber } from '../../core/identifiers.ts'
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
 * The containers that the event is about. Null when an equipment event names none that can be one: it would be taken
 * for all. A transport event without containers is about the whole shipment.
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
  const named: { readonly text: string; readonly path: string }[] =
    own === null ? [] : [{ text: own, path: at.path }]
  if (own === null || type !== 'EQUIPMENT') {
    for (const part of parts.references) {
      const referenceType = readFirstText(part, ['referenceType', 'type', 'typeCode'], issues)
      const text = readFirstText(part, ['referenceValue', 'reference', 'value'], issues)
      if (referenceType === null || text === null) continue
      if (codeFor('reference', referenceType, profile.enumAliases) === 'EQ')
        named.push({ text, path: part.path })
    }
  }
  const equipment = new Set<string>()
  for (const { text, path } of named) {
    const number = recall(memory.containers, text, parseContainerNumber)
    if (number.ok) equipment.add(number.value)
    else
      issues.add('bad_equipment', { ...at, path }, `${quoted(text)}: ${number.reason.replaceAll('_', ' ')}`)
  }
  if (type !== 'EQUIPMENT' || equipment.size > 0) return [...equipment].sort()
  if (named.length === 0) issues.add('missing_field', at, 'an equipment event without its container')
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
  issues.addOnce('unknown_code', at, `${quoted(said)} is no ISO 6346 size-type code`)
  return null
}

export function readSeal(seal: Part, issues: IssueList): readonly Seal[] {
  const number = readFirstText(seal, ['sealNumber', 'number'], issues)
  if (number !== null) return [{ number, source: readFirstText(seal, ['sealSource', 'source'], issues) }]
  issues.add('missing_field', { path: `${seal.path}/sealNumber`, lost: 'field' }, 'a seal without its number')
  return []
}
