/** The rows that became different while a state was folded, as records with the names of the columns. */

import { compareText } from '../../domain/statements/statement.ts'
import { isLive } from '../../domain/tracking-requests/tracking-request-state.ts'
import { eventRecords } from './domain-events-sql.ts'
import { toColumnRecord } from './fold-rows-sql.ts'
import type { ClaimsById, EntryYield, JourneyState, ShipmentState, WrittenClaim } from './journey-state-sql.ts'
import type { LoadedState } from './load-states-sql.ts'
import { type TransportEventRecord, transportEventRecords } from './transport-events-sql.ts'

type Rows = readonly Readonly<Record<string, unknown>>[]

export interface ChangedRows {
  readonly shipments: { readonly made: Rows; readonly changed: Rows }
  readonly requests: {
    readonly made: Rows
    /**
     * Requests that are no longer searched for or tracked. After them, another request of the same number is possible.
     */
    readonly ended: Rows
    readonly changed: Rows
    /** Requests that this transaction has not locked: only id and timer. */
    readonly timers: Rows
  }
  readonly containers: { readonly made: Rows; readonly changed: Rows }
  readonly claims: Rows
  readonly issues: Rows
  readonly transportEvents: { readonly made: Rows; readonly ended: Rows }
  readonly events: Rows
}

/**
 * A row has changed when its object is another one. Nothing is ever deleted: a row that is missing from the state was
 * lost by mistake.
 */
export function changedRows(before: LoadedState, after: JourneyState, yields: readonly EntryYield[]): ChangedRows {
  const { state } = before
  requireAll('request', state.requests, after.requests)
  requireAll('shipment', state.shipments, after.shipments)
  const pairs = [...after.shipments].flatMap(([id, shipment]) => {
    const was = state.shipments.get(id)
    return was === shipment ? [] : [{ was, shipment }]
  })
  return {
    shipments: changedShipments(pairs),
    requests: changedRequests(before, after),
    containers: changedContainers(pairs),
    claims: changedClaims([
      ...[...after.claimsByTarget].map(([id, claimsNow]) => ({
        was: state.claimsByTarget.get(id),
        claimsNow,
      })),
      ...pairs.map(({ was, shipment }) => ({ was: was?.claims, claimsNow: shipment.claims })),
    ]),
    issues: [...after.issues.values()]
      .filter((issue) => state.issues.get(issue.id) !== issue)
      .sort((a, b) => compareText(a.id, b.id))
      .map(toColumnRecord),
    transportEvents: yieldedTransportEvents(yields),
    events: yields.flatMap(({ at, events }) => eventRecords(events).map((event) => ({ ...event, created_at: at }))),
  }
}

interface ShipmentBeforeAfter {
  readonly was: ShipmentState | undefined
  readonly shipment: ShipmentState
}

function requireAll(
  name: string,
  was: ReadonlyMap<string, unknown>,
  after: { readonly has: (id: string) => boolean },
): void {
  for (const id of was.keys()) if (!after.has(id)) throw new Error(`the ${name} ${id} was lost while folding`)
}

/** The record includes the containers as they will be. Otherwise the triggers would write the shipment once more. */
function changedShipments(pairs: readonly ShipmentBeforeAfter[]): ChangedRows['shipments'] {
  const recordOfShipment = ({ row, containers }: ShipmentState) =>
    toColumnRecord({
      ...row,
      containerIds: containers.map(({ id }) => id),
      containerStatuses: containers.map(({ projection }) => projection.status),
    })
  const changed = pairs.flatMap(({ was, shipment }) =>
    was !== undefined && (was.row !== shipment.row || haveOtherStatuses(was, shipment)) ? [shipment] : [],
  )
  const made = pairs.flatMap(({ was, shipment }) => (was === undefined ? [shipment] : []))
  return { made: made.map(recordOfShipment), changed: changed.map(recordOfShipment) }
}

function haveOtherStatuses(was: ShipmentState, { containers }: ShipmentState): boolean {
  return (
    was.containers !== containers &&
    (was.containers.length !== containers.length ||
      containers.some(({ id, projection }, place) => {
        const known = was.containers[place]
        return known?.id !== id || known.projection.status !== projection.status
      }))
  )
}

function changedContainers(pairs: readonly ShipmentBeforeAfter[]): ChangedRows['containers'] {
  const made: Readonly<Record<string, unknown>>[] = []
  const changed: Readonly<Record<string, unknown>>[] = []
  for (const { was, shipment } of pairs) {
    if (was?.containers === shipment.containers) continue
    const known = new Map(was?.containers.map((row) => [row.id, row]))
    requireAll('container', known, new Set(shipment.containers.map(({ id }) => id)))
    const { id: shipmentId, scac } = shipment.row
    for (const row of shipment.containers) {
      const old = known.get(row.id)
      if (old === row) continue
      const record = toColumnRecord({ ...row, shipmentId, scac, status: row.projection.status })
      if (old === undefined) made.push(record)
      else changed.push(record)
    }
  }
  return { made, changed }
}

function changedRequests({ state, locked }: LoadedState, after: JourneyState): ChangedRows['requests'] {
  const rows = [...after.requests.values()].filter((row) => state.requests.get(row.id) !== row)
  const isMade = (id: string): boolean => !state.requests.has(id)
  const held = rows.filter(({ id }) => locked.has(id) && !isMade(id))
  return {
    made: rows.filter(({ id }) => isMade(id)).map(toColumnRecord),
    ended: held.filter(({ status }) => !isLive(status)).map(toColumnRecord),
    changed: held.filter(({ status }) => isLive(status)).map(toColumnRecord),
    timers: rows
      .filter(({ id }) => !locked.has(id) && !isMade(id))
      .map(({ id, timerAt }) => ({ id, timer_at: timerAt })),
  }
}

/** In order of id, so that two transactions that state the same under one poll target do not wait for each other. */
function changedClaims(
  sets: readonly { readonly was: ClaimsById | undefined; readonly claimsNow: ClaimsById }[],
): Rows {
  const changed = new Map<string, WrittenClaim>()
  for (const { was, claimsNow } of sets) {
    if (was === claimsNow) continue
    for (const claim of claimsNow.values()) if (was?.get(claim.id) !== claim) changed.set(claim.id, claim)
  }
  return [...changed.values()]
    .sort((a, b) => compareText(a.id, b.id))
    .map((claim) => ({
      id: claim.id,
      subject_id: claim.subjectId,
      shipment_id: claim.shipmentId,
      source_kind: claim.source.kind,
      source_code: claim.source.code,
      source_key: claim.observation.key,
      equipment: claim.observation.equipment,
      observation: claim.observation,
      first_snapshot_id: claim.firstSnapshotId,
      gone_snapshot_id: claim.goneSnapshotId,
      reader: claim.reader,
      read_at: claim.readAt,
      recorded_at: claim.recordedAt,
      // Null means that it is effective since it was recorded. Rows from before this column have null too.
      stands_at: claim.standsAt === claim.recordedAt ? null : claim.standsAt,
      hand: claim.hand,
      delivery_key: claim.deliveryKey,
      missing_since: claim.missingSince,
      retired_at: claim.retiredAt,
    }))
}

/** An event that one yield published and a later yield ended is written as ended. */
function yieldedTransportEvents(yields: readonly EntryYield[]): ChangedRows['transportEvents'] {
  const made: (TransportEventRecord & { readonly invalidated_at: string | null })[] = []
  const places = new Map<string, number>()
  const ended = new Map<string, string>()
  for (const { at, ended: endedIds, published } of yields) {
    for (const id of endedIds) {
      const place = places.get(id)
      const madeEvent = place === undefined ? undefined : made[place]
      if (place === undefined || madeEvent === undefined) ended.set(id, at)
      else made[place] = { ...madeEvent, invalidated_at: at }
    }
    for (const record of transportEventRecords(published)) {
      places.set(record.id, made.length)
      made.push({ ...record, created_at: at, invalidated_at: null })
    }
  }
  return { made, ended: [...ended].map(([id, at]) => ({ id, at })) }
}
