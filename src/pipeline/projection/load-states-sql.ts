/**
 * Locks and reads the state of any number of shipments and requests of one account, in a fixed number of statements
 * (docs/decisions/0023). Locks are taken in one order, each once: requests by id, their poll targets, then shipments by
 * id. When it turns out that a lock is missing, it is never taken out of order: the caller rolls back and loads the
 * larger set.
 */

import type { Db } from '../../db/database.ts'
import { compareText } from '../../domain/statements/statement.ts'
import { polledLine } from '../../domain/tracking-requests/line-detection.ts'
import type { ClaimsById, JourneyState, ShipmentKey, ShipmentState } from './journey-state-sql.ts'
import { lockRequests, lockShipments, lockTargetIngestion } from './lock-rows-sql.ts'
import {
  activeEventsByShipment,
  containersByShipment,
  findActiveClaims,
  findClaimsByTarget,
  otherRequests,
  type PolledNumber,
} from './read-rows-sql.ts'
import type { ShipmentRow } from './shipments-sql.ts'
import type { TrackingRequestRow } from './tracking-requests-sql.ts'

export interface StateKeys {
  readonly accountId: string
  /** Requests to lock. */
  readonly requestIds: readonly string[]
  /** Shipments to lock, besides those of the requests. */
  readonly shipmentIds: readonly string[]
  /** True: also lock every request of those shipments (user actions, arrivals, reprojecting). */
  readonly locksAllRequests: boolean
  /** True: also read claims and active transport events, because the entry projects. Otherwise they are empty. */
  readonly isProjected: boolean
  /** Also read the live requests of these numbers, and of the numbers that the locked requests ask for. */
  readonly numbers?: readonly PolledNumber[]
}

export interface LoadedState {
  readonly state: JourneyState
  /** Requests that this transaction has locked. Of the others it may change only the timer. */
  readonly locked: ReadonlySet<string>
}

/** Which shipments the unlinked requests will open or join, according to the claims of their poll targets. */
export type ShipmentKeyResolver = (
  requests: readonly TrackingRequestRow[],
  claimsByTarget: ReadonlyMap<string, ClaimsById>,
) => readonly ShipmentKey[]

/**
 * Every request should be locked, but more requests ask for these shipments. The caller must roll back and load with
 * these ids too.
 */
export class MoreLocksNeeded extends Error {
  readonly requestIds: readonly string[]
  constructor(requestIds: readonly string[]) {
    super(`${requestIds.length} more requests ask for the shipments that were being locked`)
    this.requestIds = requestIds
  }
}

/**
 * At most nine statements; four where nothing is projected. Throws `MoreLocksNeeded`. Ids that the account does not have are
 * left out. Measured with generic plans: for sixteen requests among 100,000 shipments, 80 to 281 blocks a statement,
 * and no table scan.
 */
export async function loadStates(db: Db, keys: StateKeys, opening?: ShipmentKeyResolver): Promise<LoadedState> {
  const { accountId } = keys
  const held = await lockRequests(db, keys)
  if (keys.isProjected)
    await lockTargetIngestion(db, { accountId, subjectIds: held.flatMap(({ subjectId }) => subjectId ?? []) })
  const opened = opening === undefined ? [] : await findOpenedShipments(db, accountId, held, opening)
  const linked = held.flatMap(({ shipmentId }) => shipmentId ?? [])
  const ids = new Set([...linked, ...keys.shipmentIds, ...opened.map(({ id }) => id)])
  const rows = ids.size === 0 ? [] : await lockShipments(db, { accountId, ids: [...ids], opened })
  requireShipments(held, rows)
  const about = { accountId, shipmentIds: rows.map(({ id }) => id) }
  const locked = new Set(held.map(({ id }) => id))
  const others = await otherRequests(db, {
    ...about,
    numbers: [...(keys.numbers ?? []), ...held.flatMap(listPolledNumbers)],
    locked: [...locked],
  })
  if (keys.locksAllRequests) requireAllLocked(others, new Set(about.shipmentIds))
  const requests = [...held, ...others].sort((a, b) => compareText(a.createdAt, b.createdAt) || compareText(a.id, b.id))
  const containersOfShipments = await containersByShipment(db, about)
  const subjectIds = [...new Set(requests.flatMap(({ subjectId }) => subjectId ?? []))]
  const activeClaims = keys.isProjected ? await findActiveClaims(db, { ...about, subjectIds }) : noClaims
  const activeEvents = keys.isProjected ? await activeEventsByShipment(db, about) : new Map()
  const shipmentOf = (row: ShipmentRow): ShipmentState => ({
    row,
    containers: containersOfShipments.get(row.id) ?? [],
    activeEvents: activeEvents.get(row.id) ?? [],
    claims: activeClaims.byShipment.get(row.id) ?? new Map(),
  })
  const state: JourneyState = {
    accountId,
    requests: new Map(requests.map((row) => [row.id, row])),
    shipments: new Map(rows.map((row) => [row.id, shipmentOf(row)])),
    claimsByTarget: activeClaims.byTarget,
    issues: new Map(),
    absent: findAbsentShipmentIds(opened, rows),
  }
  return { state, locked }
}

/** The number as it is polled. While the line is being found, that is the number at the present candidate. */
function listPolledNumbers({ scac, requestType, number, lifecycle }: TrackingRequestRow): readonly PolledNumber[] {
  const polled = lifecycle.detection === undefined ? { scac, number } : polledLine(lifecycle.detection)
  return polled === null || polled.scac === null ? [] : [{ scac: polled.scac, number: polled.number, requestType }]
}

const noClaims = { byTarget: new Map<string, ClaimsById>(), byShipment: new Map<string, ClaimsById>() }

/** Reads the claims of the poll targets before the shipments are locked, because the claims determine the shipments. */
async function findOpenedShipments(
  db: Db,
  accountId: string,
  held: readonly TrackingRequestRow[],
  opening: ShipmentKeyResolver,
): Promise<readonly ShipmentKey[]> {
  const unlinked = held.filter(({ shipmentId }) => shipmentId === null)
  if (unlinked.length === 0) return []
  const subjectIds = [...new Set(unlinked.flatMap(({ subjectId }) => subjectId ?? []))]
  return opening(unlinked, await findClaimsByTarget(db, { accountId, subjectIds }))
}

function requireShipments(requests: readonly TrackingRequestRow[], found: readonly ShipmentRow[]): void {
  const ids = new Set(found.map(({ id }) => id))
  const orphan = requests.find(({ shipmentId }) => shipmentId !== null && !ids.has(shipmentId))
  if (orphan !== undefined) throw new Error(`shipment ${orphan.shipmentId} of request ${orphan.id} is gone`)
}

function requireAllLocked(others: readonly TrackingRequestRow[], shipmentIds: ReadonlySet<string>): void {
  const unlocked = others.filter(({ shipmentId }) => shipmentId !== null && shipmentIds.has(shipmentId))
  if (unlocked.length > 0) throw new MoreLocksNeeded(unlocked.map(({ id }) => id))
}

/** A shipment of that number counts as found, whatever its id is. */
function findAbsentShipmentIds(opened: readonly ShipmentKey[], found: readonly ShipmentRow[]): ReadonlySet<string> {
  const numberOf = (of: Pick<ShipmentKey, 'scac' | 'normalizedNumber'>): string => `${of.scac} ${of.normalizedNumber}`
  const known = new Set(found.flatMap((row) => [row.id, numberOf(row)]))
  return new Set(opened.flatMap((key) => (known.has(key.id) || known.has(numberOf(key)) ? [] : [key.id])))
}
