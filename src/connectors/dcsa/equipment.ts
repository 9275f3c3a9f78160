/** The containers that an event is about, and their details: empty or laden, size and type, seals. */

import { type EmptyIndicator, emptyIndicators, isOneOf } from '../../domain/values/codes.ts'
import { type EquipmentReference, parseEquipmentReference } from '../../domain/values/identifiers.ts'
import { noteCheckDigit } from '../container-reference.ts'
import { type IssueList, quoteValue } from '../source-issue.ts'
import { codeFor } from './codes.ts'
import { memoize, type ReadContext } from './context.ts'
import type { EventNodes } from './event-parts.ts'
import { type JsonNode, pointTo, readFirstText, readText } from './json-node.ts'
import type { MemberName } from './names.ts'

export interface Seal {
  readonly number: string
  readonly source: string | null
}

/**
 * The containers that the event is about: its own, and those among its references. The references of an equipment event
 * are read only if its own container is missing or unreadable, or has a check digit that does not fit. Null when an
 * equipment event has no valid container: the event would count for all containers. A transport event without
 * containers is about the whole shipment.
 */
export function readEquipment(
  nodes: EventNodes,
  type: string,
  { issues, profile, memory }: ReadContext,
): readonly string[] | null {
  const ownNumber = readText(nodes.equipment, 'equipmentReference', issues)
  const isOfOne = type === 'EQUIPMENT'
  const at = {
    path: `${nodes.equipment.path}/equipmentReference`,
    lost: isOfOne ? 'event' : 'field',
  } as const
  const named: EquipmentReference[] = []
  const faults: { readonly path: string; readonly detail: string }[] = []
  const addReference = (text: string, path: string): void => {
    const reference = memoize(memory.containers, text, parseEquipmentReference)
    if (reference.ok) {
      named.push(reference.value)
      noteCheckDigit(reference.value, path, issues)
    } else faults.push({ path, detail: `${quoteValue(text)}: ${reference.reason.replaceAll('_', ' ')}` })
  }
  if (ownNumber !== null) addReference(ownNumber, at.path)
  if (!isOfOne || !named.some(isCheckDigitValid)) {
    for (const node of nodes.references) {
      const referenceType = readFirstText(node, ['referenceType', 'type', 'typeCode'], issues)
      const text = readFirstText(node, ['referenceValue', 'reference', 'value'], issues)
      if (referenceType === null || text === null) continue
      if (codeFor('reference', referenceType, profile.enumAliases) === 'EQ') addReference(text, node.path)
    }
  }
  for (const [index, { path, detail }] of faults.entries()) {
    const isLosing = index === 0 && named.length === 0
    issues.add('bad_equipment', { path, lost: isLosing ? at.lost : 'field' }, detail)
  }
  const validated = named.filter(isCheckDigitValid)
  const resolved = isOfOne && validated.length > 0 ? validated : named
  const equipment = new Set(resolved.map(({ number }) => number))
  if (!isOfOne || equipment.size > 0) return [...equipment].sort()
  if (faults.length === 0) issues.add('missing_field', at, 'the equipment event names no container')
  return null
}

function isCheckDigitValid({ checkDigit }: EquipmentReference): boolean {
  return checkDigit !== 'wrong'
}

export function readLoad(equipment: JsonNode, { issues, profile }: ReadContext): EmptyIndicator | null {
  const fields: readonly MemberName[] = ['emptyIndicatorCode', 'emptyIndicator']
  const rawText = readFirstText(equipment, fields, issues)
  if (rawText === null) return null
  const load = codeFor('load', rawText, profile.enumAliases)
  if (isOneOf(emptyIndicators, load)) return load
  const at = { path: pointTo(equipment, fields), lost: 'field' } as const
  issues.add('unknown_code', at, `${quoteValue(rawText)} is neither EMPTY nor LADEN`)
  return null
}

export function readSizeType(equipment: JsonNode, issues: IssueList): string | null {
  const rawText = readText(equipment, 'ISOEquipmentCode', issues)
  if (rawText === null) return null
  const code = rawText.toUpperCase()
  if (/^[0-9A-Z]{4}$/.test(code)) return code
  const at = { path: `${equipment.path}/ISOEquipmentCode`, lost: 'field' } as const
  issues.addOnce('unknown_code', at, `${quoteValue(rawText)} is not an ISO 6346 size-type code`)
  return null
}

export function readSeal(seal: JsonNode, issues: IssueList): readonly Seal[] {
  const number = readFirstText(seal, ['sealNumber', 'number'], issues)
  if (number !== null) return [{ number, source: readFirstText(seal, ['sealSource', 'source'], issues) }]
  issues.add('missing_field', { path: `${seal.path}/sealNumber`, lost: 'field' }, 'the seal has no number')
  return []
}
