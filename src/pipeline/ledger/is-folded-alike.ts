/** Checks whether the present readers and rules yield, entry by entry, the served rows from a shipment's ledger. */

import { isSameJson } from '../../domain/values/json-value.ts'
import type { Service } from '../../modules/service.ts'
import { FileStoreError } from '../../platform/files/file-store.ts'
import type { EntryYield } from '../projection/journey-state-sql.ts'
import type { Fold } from './fold.ts'
import { type PreviousState, readPreviousState } from './previous-state-sql.ts'
import { openReplay, type Replay } from './replay.ts'
import { createSnapshotLoader } from './snapshot-loader.ts'
import { entriesOfShipment } from './state-at-sql.ts'
import { requestsOf } from './state-rows.ts'

interface ShipmentRef {
  readonly accountId: string
  readonly shipmentId: string
}

/**
 * More entries take too long to fold. A shipment with more, or one that cannot be folded, counts as different, and its
 * rows stay.
 */
const entriesMax = 1_000

export async function isRefoldIdentical(service: Service, fold: Fold, key: ShipmentRef): Promise<boolean> {
  const { pool, metrics } = service
  const entries = await entriesOfShipment(pool, { ...key, until: 'infinity', limit: entriesMax + 1 })
  if (entries.length > entriesMax) return false
  const snapshotIds = entries.flatMap(({ snapshotId }) => snapshotId ?? [])
  const loader = createSnapshotLoader(pool, service, snapshotIds)
  const replay = openReplay(pool, fold, { accountId: key.accountId, loader })
  try {
    for (const entry of entries) await replay.fold(entry)
  } catch (error) {
    // The snapshots of its entries can be read later.
    if (error instanceof FileStoreError) throw error
    metrics.jobFailed({ job: 'fold_again', account: key.accountId, of: key.shipmentId, error })
    return false
  }
  const [folded, served] = [collectRows(replay, key), await readPreviousState(pool, key)]
  return folded !== null && served !== null && isSameJson(toComparable(folded), toComparable(served))
}

function collectRows(replay: Replay, { shipmentId }: ShipmentRef): PreviousState | null {
  const state = replay.state()
  const shipment = state.shipments.get(shipmentId)
  if (shipment === undefined) return null
  const isOf = (row: { readonly shipmentId: string | null }): boolean => row.shipmentId === shipmentId
  const yields = replay.takeYields()
  return {
    shipment: shipment.row,
    containers: shipment.containers,
    requests: requestsOf(state, shipmentId),
    issues: [...state.issues.values()].filter(isOf),
    transportEvents: collectTransportEvents(yields, isOf),
    events: yields.flatMap(({ events }) => events.filter(isOf).map(({ id }) => id)),
  }
}

function collectTransportEvents(
  yields: readonly EntryYield[],
  isOf: (row: { readonly shipmentId: string | null }) => boolean,
): PreviousState['transportEvents'] {
  const activeIds = new Set<string>()
  const ended = new Set<string>()
  for (const { published, ended: endedIds } of yields) {
    // An entry ends only what was active before it.
    for (const id of endedIds) if (activeIds.delete(id)) ended.add(id)
    for (const row of published) if (isOf(row)) activeIds.add(row.id)
  }
  return { standing: [...activeIds], ended: [...ended] }
}

/** What a rebuild compares, in a fixed order. */
function toComparable(shipmentRows: PreviousState): unknown {
  const sorted = <Row extends { readonly id: string }>(rows: readonly Row[]): readonly Row[] =>
    rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const { rules: _, ...shipment } = shipmentRows.shipment
  const fields = {
    shipment,
    containers: sorted(shipmentRows.containers).map(({ id, projection, refNumbers, createdAt, updatedAt }) => ({
      id,
      projection,
      refNumbers,
      createdAt,
      updatedAt,
    })),
    requests: sorted(shipmentRows.requests).map(
      ({ id, status, failedReason, lifecycle, isRetrying, retryCount, timerAt, updatedAt }) => ({
        id,
        status,
        failedReason,
        lifecycle,
        isRetrying,
        retryCount,
        timerAt,
        updatedAt,
      }),
    ),
    issues: sorted(shipmentRows.issues),
    transportEvents: [shipmentRows.transportEvents.standing.toSorted(), shipmentRows.transportEvents.ended.toSorted()],
    events: shipmentRows.events,
  }
  return JSON.parse(JSON.stringify(fields))
}
