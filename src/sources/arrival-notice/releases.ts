/** Whether the line and customs have released the goods, as the line says. */

import type { HoldWord } from '../../core/statements/observation.ts'
import type { MemberName } from '../dcsa/names.ts'
import { nameOfType, type Part, readPart, readText } from '../dcsa/part.ts'
import { eachBox, type NoticeContext, type Said } from './said.ts'

export function readReleases(context: NoticeContext): readonly Said[] {
  const { issues, whole, head } = context
  const release = readPart(whole, 'releaseInformation', issues)
  if (release === null) return []
  const holds = [freightOf(release, context), customsOf(release, context)].filter((hold) => hold !== null)
  return holds.flatMap((value) =>
    eachBox(head).map((equipment) => ({ fact: 'hold', value, equipment, which: value.name }) as const),
  )
}

function freightOf(release: Part, context: NoticeContext): HoldWord | null {
  const { issues, whole } = context
  // A waybill has no original that could be missing.
  const isWaybill = readText(whole, 'transportDocumentTypeCode', issues)?.toUpperCase() === 'SWB'
  return holdOfFreight({
    isReleased: readFlag(release, 'isFreightReleased', context),
    isBillReceived: isWaybill ? null : readFlag(release, 'isOBLReceived', context),
  })
}

function customsOf(release: Part, context: NoticeContext): HoldWord | null {
  return holdOfCustoms(readFlag(release, 'isCustomsReleased', context))
}

/**
 * The freight is released when it is paid and the original bill has been returned. So a missing bill matters only
 * before the release. Null where neither is said.
 */
export function holdOfFreight({
  isReleased,
  isBillReceived,
}: Readonly<Record<'isReleased' | 'isBillReceived', boolean | null>>): HoldWord | null {
  if (isReleased === true) return { name: 'freight', status: 'released', description: null }
  const lacksBill = isBillReceived === false
  const description = lacksBill ? 'original bill of lading not received' : null
  if (isReleased === false) return { name: 'freight', status: 'hold', description }
  return lacksBill ? { name: 'freight', status: 'pending', description } : null
}

/** Cargo that customs has not released yet is `pending` and not on hold: customs may never inspect it. */
export function holdOfCustoms(isReleased: boolean | null): HoldWord | null {
  if (isReleased === null) return null
  return { name: 'customs', status: isReleased ? 'released' : 'pending', description: null }
}

function readFlag(part: Part, field: MemberName, { issues }: NoticeContext): boolean | null {
  const value = part.value[field]
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value
  const at = { path: `${part.path}/${field}`, lost: 'field' } as const
  issues.add('wrong_type', at, `true or false was expected, not ${nameOfType(value)}`)
  return null
}
