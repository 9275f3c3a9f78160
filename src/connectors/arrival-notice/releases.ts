/** Whether the line and customs have released the goods, as the carrier states. */

import type { HoldStatement } from '../../domain/statements/observation.ts'
import { type JsonNode, nameOfType, readObject, readText } from '../dcsa/json-node.ts'
import type { MemberName } from '../dcsa/names.ts'
import { listContainerNumbers, type NoticeContext, type NoticeFact } from './notice-facts.ts'

export function readReleases(context: NoticeContext): readonly NoticeFact[] {
  const { issues, whole, head } = context
  const release = readObject(whole, 'releaseInformation', issues)
  if (release === null) return []
  const holds = [readFreightHold(release, context), readCustomsHold(release, context)].filter((hold) => hold !== null)
  return holds.flatMap((value) =>
    listContainerNumbers(head).map((equipment) => ({ fact: 'hold', value, equipment, which: value.name }) as const),
  )
}

/**
 * The freight is released when it is paid and the original bill has been returned. So a missing bill matters only
 * before the release.
 */
function readFreightHold(release: JsonNode, context: NoticeContext): HoldStatement | null {
  const { issues, whole } = context
  const isReleased = readFlag(release, 'isFreightReleased', context)
  if (isReleased === true) return { name: 'freight', status: 'released', description: null }
  // A waybill has no original that could be missing.
  const isWaybill = readText(whole, 'transportDocumentTypeCode', issues)?.toUpperCase() === 'SWB'
  const lacksBill = !isWaybill && readFlag(release, 'isOBLReceived', context) === false
  const description = lacksBill ? 'original bill of lading not received' : null
  if (isReleased === false) return { name: 'freight', status: 'hold', description }
  return lacksBill ? { name: 'freight', status: 'pending', description } : null
}

/** Cargo that customs has not released yet is `pending` and not on hold: customs may never inspect it. */
function readCustomsHold(release: JsonNode, context: NoticeContext): HoldStatement | null {
  const isReleased = readFlag(release, 'isCustomsReleased', context)
  if (isReleased === null) return null
  return { name: 'customs', status: isReleased ? 'released' : 'pending', description: null }
}

function readFlag(node: JsonNode, field: MemberName, { issues }: NoticeContext): boolean | null {
  const value = node.value[field]
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value
  const at = { path: `${node.path}/${field}`, lost: 'field' } as const
  issues.add('wrong_type', at, `true or false was expected, not ${nameOfType(value)}`)
  return null
}
