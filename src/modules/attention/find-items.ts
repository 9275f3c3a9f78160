/** Finds what needs a person: SQL finds candidates by index, and the domain rules decide. */

import type { Db } from '../../db/database.ts'
import { costItem } from '../../domain/charges/attention-of-charges.ts'
import { requestItem } from '../../domain/tracking-requests/attention-of-requests.ts'
import { type AttentionItem, compareRanks, rankOf } from '../../domain/view/attention-item.ts'
import { type ContainerReason, containerItem, containerReasons } from '../../domain/view/attention-of-containers.ts'
import { type ShipmentReason, shipmentItem, shipmentReasons } from '../../domain/view/attention-of-shipments.ts'
import type { AttentionReason } from '../../domain/view/attention-reasons.ts'
import { readAttentionCharges } from './attention-charges-sql.ts'
import { readAttentionContainers } from './attention-containers-sql.ts'
import type { AttentionQuestion } from './attention-narrowing-sql.ts'
import { readAttentionRequests, readAttentionShipments } from './attention-shipments-sql.ts'
import { countMarks } from './attention-snoozes-sql.ts'
import { joinMarks, readMarks } from './item-marks.ts'

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
