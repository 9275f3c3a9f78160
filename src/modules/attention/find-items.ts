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

/** The most urgent first; of each reason at most `limit`. */
export async function findItems(
  db: Db,
  reasons: readonly AttentionReason[],
  query: AttentionQuestion,
): Promise<readonly AttentionItem[]> {
  const found = await Promise.all(reasons.map((reason) => findItemsOfReason(db, reason, query)))
  return found
    .flat()
    .map((item) => ({ item, rank: rankOf(item) }))
    .toSorted((a, b) => compareRanks(a.rank, b.rank))
    .map(({ item }) => item)
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
