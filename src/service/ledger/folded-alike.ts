/** Finds out whether the present readers and rules, entry by entry, give the served rows from a shipment's ledger. */

import { isSameJson } from '../../core/values/json-value.ts'
import { FileStoreError } from '../../platform/files/file-store.ts'
import type { Yield } from '../../store/journey-state/state.ts'
import { entriesOfShipment } from '../../store/ledger/state-at.ts'
import { readStood, type Stood } from '../../store/ledger/stood.ts'
import type { Service } from '../service.ts'
import type { Fold } from './fold.ts'
import { keptSnapshots } from './kept-snapshots.ts'
import { openReplay, type Replay } from './replay.ts'
import { requestsOf } from './state-rows.ts'

interface Key {
  readonly accountId: string
  readonly shipmentId: string
}

/**
 * More entries take too long to fold. A shipment with more, or one that cannot be folded, counts as not alike, and what
 * stands of it is kept.
 */
const entriesMax = 1_000

export async function isFoldedAlike(service: Service, fold: Fold, key: Key): Promise<boolean> {
  const { pool, metrics } = service
  const entries = await entriesOfShipment(pool, { ...key, until: 'infinity', limit: entriesMax + 1 })
  if (entries.length > entriesMax) return false
  const snapshotIds = entries.flatMap(({ snapshotId }) => snapshotId ?? [])
  const kept = keptSnapshots(pool, service, snapshotIds)
  const replay = openReplay(pool, fold, { accountId: key.accountId, kept })
  try {
    for (const entry of entries) await replay.fold(entry)
  } catch (error) {
    // What it was folded with can be read later.
    if (error instanceof FileStoreError) throw error
    metrics.jobFailed({ job: 'fold_again', account: key.accountId, of: key.shipmentId, error })
    return false
  }
  const [folded, served] = [stoodOf(replay, key), await readStood(pool, key)]
  return folded !== null && served !== null && isSameJson(comparable(folded), comparable(served))
}

function stoodOf(replay: Replay, { shipmentId }: Key): Stood | null {
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
    transportEvents: announcedOf(yields, isOf),
    events: yields.flatMap(({ events }) => events.filter(isOf).map(({ id }) => id)),
  }
}

function announcedOf(
  yields: readonly Yield[],
  isOf: (row: { readonly shipmentId: string | null }) => boolean,
): Stood['transportEvents'] {
  const standing = new Set<string>()
  const ended = new Set<string>()
  for (const { announced, ended: gone } of yields) {
    // An entry ends only what stood before it.
    for (const id of gone) if (standing.delete(id)) ended.add(id)
    for (const row of announced) if (isOf(row)) standing.add(row.id)
  }
  return { standing: [...standing], ended: [...ended] }
}

/** What a rebuild compares, in a fixed order. */
function comparable(stood: Stood): unknown {
  const sorted = <Row extends { readonly id: string }>(rows: readonly Row[]): readonly Row[] =>
    rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const { rules: _, ...shipment } = stood.shipment
  const told = {
    shipment,
    containers: sorted(stood.containers).map(({ id, projection, refNumbers, createdAt, updatedAt }) => ({
      id,
      projection,
      refNumbers,
      createdAt,
      updatedAt,
    })),
    requests: sorted(stood.requests).map(
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
    issues: sorted(stood.issues),
    transportEvents: [stood.transportEvents.standing.toSorted(), stood.transportEvents.ended.toSorted()],
    events: stood.events,
  }
  return JSON.parse(JSON.stringify(told))
}
