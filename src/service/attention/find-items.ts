/** Finds what needs a person: the store looks up candidates by index, and core decides. */

import { costItem } from '../../core/charges/attention-of-charges.ts'
import { requestItem } from '../../core/requests/attention-of-requests.ts'
import { type AttentionItem, compareRanks, rankOf } from '../../core/shown/attention-item.ts'
import { type BoxReason, boxItem, boxReasons } from '../../core/shown/attention-of-boxes.ts'
import {
  type ShipmentReason,
  shipmentItem,
  shipmentReasons,
} from '../../core/shown/attention-of-shipments.ts'
import type { AttentionReason } from '../../core/shown/attention-reasons.ts'
import type { Db } from '../../store/database.ts'
import { readAttentionBoxes } from '../../store/read/attention-boxes.ts'
import { readCostingBoxes } from '../../store/read/attention-charges.ts'
import type { AttentionQuestion } from '../../store/read/attention-narrowing.ts'
import { readAttentionRequests, readAttentionShipments } from '../../store/read/attention-shipments.ts'

/** The most urgent first; of each reason at most `limit`. */
export async function findItems(
  db: Db,
  reasons: readonly AttentionReason[],
  asked: AttentionQuestion,
): Promise<readonly AttentionItem[]> {
  const found = await Promise.all(reasons.map((reason) => findOfReason(db, reason, asked)))
  return found
    .flat()
    .map((item) => ({ item, rank: rankOf(item) }))
    .toSorted((a, b) => compareRanks(a.rank, b.rank))
    .map(({ item }) => item)
}

export async function findOfReason(
  db: Db,
  reason: AttentionReason,
  asked: AttentionQuestion,
): Promise<readonly AttentionItem[]> {
  if (isOneOf(boxReasons, reason)) {
    const boxes = await readAttentionBoxes(db, reason, asked)
    return boxes.flatMap((box) => boxItem(reason, box, asked.now) ?? [])
  }
  if (isOneOf(shipmentReasons, reason)) {
    const shipments = await readAttentionShipments(db, reason, asked)
    return shipments.flatMap((shipment) => shipmentItem(reason, shipment, asked.now) ?? [])
  }
  if (reason === 'will_cost')
    return (await readCostingBoxes(db, asked)).flatMap((box) => costItem(box, asked.now) ?? [])
  return (await readAttentionRequests(db, asked)).map(requestItem)
}

function isOneOf<Of extends BoxReason | ShipmentReason>(
  values: readonly Of[],
  reason: AttentionReason,
): reason is Of {
  return (values as readonly string[]).includes(reason)
}
