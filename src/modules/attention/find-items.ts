/** Finds what needs a person: SQL finds candidates by index, and the domain rules decide. */

import { createHash } from 'node:crypto'
import type { Db } from '../../db/database.ts'
import { costItem } from '../../domain/charges/attention-of-charges.ts'
import { requestItem } from '../../domain/tracking-requests/attention-of-requests.ts'
import { type AttentionItem, compareRanks, parseItemId, rankOf } from '../../domain/view/attention-item.ts'
import { type ContainerReason, containerItem, containerReasons } from '../../domain/view/attention-of-containers.ts'
import { type ShipmentReason, shipmentItem, shipmentReasons } from '../../domain/view/attention-of-shipments.ts'
import type { AttentionReason } from '../../domain/view/attention-reasons.ts'
import { readAttentionCharges } from './attention-charges-sql.ts'
import { readAttentionContainers } from './attention-containers-sql.ts'
import type { AttentionQuestion } from './attention-narrowing-sql.ts'
import { readAttentionRequests, readAttentionShipments } from './attention-shipments-sql.ts'
import { type AttentionMark, countMarks, listMarks } from './attention-snoozes-sql.ts'

/** More than a person can have marked as done; beyond it a long list ends earlier. */
const hiddenMax = 5_000

/**
 * The most urgent first; of each reason at most `limit`. What is done is left out together with what is set aside, and
 * does not count for the limit.
 */
export async function findItems(
  db: Db,
  reasons: readonly AttentionReason[],
  query: AttentionQuestion,
): Promise<readonly AttentionItem[]> {
  const { accountId, realNow, snoozed = 'out' } = query
  const hidden = await countMarks(db, { accountId, max: hiddenMax })
  const wide = { ...query, limit: query.limit + hidden }
  const found = (await Promise.all(reasons.map((reason) => findItemsOfReason(db, reason, wide)))).flat()
  const items = snoozed === 'out' && hidden > 0 ? await leaveOutDone(db, found, { accountId, realNow }) : found
  return items
    .map((item) => ({ item, rank: rankOf(item) }))
    .toSorted((a, b) => compareRanks(a.rank, b.rank))
    .map(({ item }) => item)
}

async function leaveOutDone(
  db: Db,
  items: readonly AttentionItem[],
  of: Pick<AttentionQuestion, 'accountId' | 'realNow'>,
): Promise<readonly AttentionItem[]> {
  const done = joinMarks(items, await readMarks(db, { ...of, items })).map(({ isDone }) => isDone)
  return items.filter((_, index) => done[index] !== true)
}

export async function findItemsOfReason(
  db: Db,
  reason: AttentionReason,
  query: AttentionQuestion,
): Promise<readonly AttentionItem[]> {
  if (isOneOf(containerReasons, reason)) {
    const containers = await readAttentionContainers(db, reason, query)
    return containers.flatMap((container) => containerItem(reason, container, query.now) ?? [])
  }
  if (isOneOf(shipmentReasons, reason)) {
    const shipments = await readAttentionShipments(db, reason, query)
    return shipments.flatMap((shipment) => shipmentItem(reason, shipment, query.now) ?? [])
  }
  if (reason === 'will_cost')
    return (await readAttentionCharges(db, query)).flatMap((container) => costItem(container, query.now) ?? [])
  return (await readAttentionRequests(db, query)).map(requestItem)
}

function isOneOf<Of extends ContainerReason | ShipmentReason>(
  values: readonly Of[],
  reason: AttentionReason,
): reason is Of {
  return (values as readonly string[]).includes(reason)
}

export interface MarkedItem extends AttentionItem {
  readonly snoozedUntil: string | null
  /** Somebody has done it, and nothing new has happened since. */
  readonly isDone: boolean
}

export async function readMarks(
  db: Db,
  of: { readonly accountId: string; readonly items: readonly AttentionItem[]; readonly realNow: string },
): Promise<readonly AttentionMark[]> {
  const ids = of.items.map(({ id }) => parseItemId(id)?.subjectId ?? '')
  if (ids.length === 0) return []
  return listMarks(db, { accountId: of.accountId, subjectIds: [...new Set(ids)], now: of.realNow })
}

export function joinMarks(items: readonly AttentionItem[], marks: readonly AttentionMark[]): readonly MarkedItem[] {
  const byId = new Map(marks.map((mark) => [`${mark.reason}.${mark.subjectId}`, mark]))
  return items.map((item) => {
    const mark = byId.get(item.id)
    return { ...item, snoozedUntil: mark?.until ?? null, isDone: mark?.doneBasis === hashBasis(item) }
  })
}

/** A hash, because sources write what a basis contains, and it may be long. */
export function hashBasis({ basis }: Pick<AttentionItem, 'basis'>): string {
  return createHash('sha256').update(basis).digest('base64url')
}
