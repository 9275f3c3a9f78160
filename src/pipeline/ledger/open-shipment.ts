/**
 * Finds which shipment a request asks for. Makes it, or joins the account's shipment of that line and bill if there is
 * one.
 */

import { findStatedBill } from '../../domain/shipment/shipment.ts'
import type { Claim } from '../../domain/statements/observation.ts'
import { kindOfType } from '../../domain/tracking-requests/tracking-request-state.ts'
import type { ShipmentProjection } from '../../domain/view/projection.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { compactNumber, normalizedNumber } from '../../reference/shipping-lines.ts'
import type { JourneyState, ShipmentKey, ShipmentState } from '../projection/journey-state-sql.ts'
import type { TrackedRequest } from '../projection/tracking-requests-sql.ts'
import type { Fold } from './fold.ts'
import type { EntryOf, MessageEntry } from './ledger-sql.ts'
import { joinTexts } from './normalize-texts.ts'
import { findPolledType } from './polled-request.ts'
import { withShipment } from './state-rows.ts'

/**
 * The state was loaded without the shipment that the request turns out to ask for. It must be loaded again with that
 * shipment.
 */
export class ShipmentNotLoaded extends Error {
  readonly key: ShipmentKey
  constructor(key: ShipmentKey) {
    super(`shipment ${key.id} was not loaded`)
    this.key = key
  }
}

/** Names the shipment by the bill of a container, as the line states it, else by the number that was requested. */
export function deriveShipmentKey(
  fold: Fold,
  request: TrackedRequest,
  claims: readonly Claim[],
  now: string,
): ShipmentKey {
  const isContainer = kindOfType[findPolledType(request)] === 'container'
  const number = isContainer ? findStatedBill(claims, now) : request.requestNumber
  const { scac, accountId } = request
  const line = fold.findLine(scac)
  const requestedNumber = isContainer && number !== null ? compactNumber(line, number) : request.number
  const normalized = line === null ? requestedNumber : normalizedNumber(line, requestedNumber)
  return {
    id: uuidV5(LANDFALL_NAMESPACE, `shipment:${accountId}:${scac}:${normalized}`),
    scac,
    billOfLadingNumber: number ?? request.number,
    normalizedNumber: normalized,
  }
}

export interface OpenedShipment {
  readonly state: JourneyState
  readonly shipmentId: string
}

/** Throws `ShipmentNotLoaded`. */
export function openShipment(
  state: JourneyState,
  entry: EntryOf<'look'> | MessageEntry,
  request: TrackedRequest,
  key: ShipmentKey,
): OpenedShipment {
  const known = findShipment(state, key)
  if (known !== null)
    return {
      shipmentId: known.row.id,
      state: withShipment(state, addRequestData(known, request, entry.recordedAt)),
    }
  if (state.absent !== 'others' && !state.absent.has(key.id)) throw new ShipmentNotLoaded(key)
  const row = {
    accountId: entry.accountId,
    ...key,
    refNumbers: request.refNumbers,
    tags: request.shipmentTags,
    customerId: request.customerId,
    projection: {} as ShipmentProjection,
    trackingStoppedAt: null,
    trackingStoppedReason: null,
    timerAt: null,
    rules: entry.rules,
    createdAt: entry.recordedAt,
    updatedAt: entry.recordedAt,
  }
  const made = { row, containers: [], activeEvents: [], claims: new Map() }
  return { shipmentId: row.id, state: withShipment(state, made) }
}

/** Finds the shipment of that line and number, whatever its id is. */
export function findShipment(state: JourneyState, key: ShipmentKey): ShipmentState | null {
  for (const shipment of state.shipments.values()) {
    const { scac, normalizedNumber: number } = shipment.row
    if (scac === key.scac && number === key.normalizedNumber) return shipment
  }
  return null
}

/** Adds the data of the request to a shipment that existed before it, after the shipment's own data. */
function addRequestData(shipment: ShipmentState, request: TrackedRequest, at: string): ShipmentState {
  const { row } = shipment
  const refNumbers = joinTexts(row.refNumbers, request.refNumbers)
  const tags = joinTexts(row.tags, request.shipmentTags)
  const isMore = refNumbers.length > row.refNumbers.length || tags.length > row.tags.length
  const isAdopted = row.customerId === null && request.customerId !== null
  if (!isMore && !isAdopted) return shipment
  const customerId = row.customerId ?? request.customerId
  return { ...shipment, row: { ...row, refNumbers, tags, customerId, ...(isMore && { updatedAt: at }) } }
}
