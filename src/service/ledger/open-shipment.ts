/**
 * Finds which shipment a request asks for. Makes it, or joins the account's shipment of that line and bill if there is
 * one.
 */

import { kindOfType } from '../../core/requests/tracking-request-state.ts'
import { heardBill } from '../../core/shipment/shipment.ts'
import type { ShipmentProjection } from '../../core/shown/projection.ts'
import type { Claim } from '../../core/statements/observation.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { normalizedNumber, tidyNumber } from '../../reference/shipping-lines.ts'
import type { JourneyState, ShipmentKey, ShipmentState } from '../../store/journey-state/state.ts'
import type { TrackedRequest } from '../../store/journeys/tracking-requests.ts'
import type { EntryOf, MessageEntry } from '../../store/ledger/ledger.ts'
import { askedType } from './asked-request.ts'
import type { Fold } from './fold.ts'
import { withShipment } from './state-rows.ts'
import { joinTexts } from './tidy-texts.ts'

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

/**
 * Names the shipment by the bill under which the line says that a container travels, else by the number that was asked
 * for.
 */
export function identify(
  fold: Fold,
  request: TrackedRequest,
  claims: readonly Claim[],
  now: string,
): ShipmentKey {
  const isContainer = kindOfType[askedType(request)] === 'container'
  const number = isContainer ? heardBill(claims, now) : request.requestNumber
  const { scac, accountId } = request
  const line = fold.findLine(scac)
  const asked = isContainer && number !== null ? tidyNumber(line, number) : request.number
  const normalized = line === null ? asked : normalizedNumber(line, asked)
  return {
    id: uuidV5(LANDFALL_NAMESPACE, `shipment:${accountId}:${scac}:${normalized}`),
    scac,
    billOfLadingNumber: number ?? request.number,
    normalizedNumber: normalized,
  }
}

export interface Opened {
  readonly state: JourneyState
  readonly shipmentId: string
}

/** Throws `ShipmentNotLoaded`. */
export function openShipment(
  state: JourneyState,
  entry: EntryOf<'look'> | MessageEntry,
  request: TrackedRequest,
  key: ShipmentKey,
): Opened {
  const known = findShipment(state, key)
  if (known !== null)
    return {
      shipmentId: known.row.id,
      state: withShipment(state, joinedBy(known, request, entry.recordedAt)),
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
  const made = { row, containers: [], standing: [], claims: new Map() }
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

/** Adds what the request brings to a shipment that was there before it, after what the shipment has. */
function joinedBy(shipment: ShipmentState, request: TrackedRequest, at: string): ShipmentState {
  const { row } = shipment
  const refNumbers = joinTexts(row.refNumbers, request.refNumbers)
  const tags = joinTexts(row.tags, request.shipmentTags)
  const isMore = refNumbers.length > row.refNumbers.length || tags.length > row.tags.length
  const isAdopted = row.customerId === null && request.customerId !== null
  if (!isMore && !isAdopted) return shipment
  const customerId = row.customerId ?? request.customerId
  return { ...shipment, row: { ...row, refNumbers, tags, customerId, ...(isMore && { updatedAt: at }) } }
}
