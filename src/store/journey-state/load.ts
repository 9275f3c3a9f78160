/**
 * Locks and reads the state of any number of shipments and requests of one account, in a fixed number of statements
 * (docs/decisions/0023). Locks are taken in one order, each once: requests by id, their subjects, then shipments by id.
 * When it turns out that a lock is missing, it is never taken out of order: the caller rolls back and loads the larger
 * set.
 */

import { lineAsked } from '../../core/requests/line-detection.ts'
import { compareText } from '../../core/statements/statement.ts'
import type { Db } from '../database.ts'
import type { ShipmentRow } from '../journeys/shipments.ts'
import type { TrackingRequestRow } from '../journeys/tracking-requests.ts'
import { holdSubjects, lockRequests, lockShipments } from './lock-rows.ts'
import {
  claimsBySubject,
  containersByShipment,
  type NumberAsked,
  otherRequests,
  standingByShipment,
  standingClaims,
} from './read-rows.ts'
import type { JourneyState, SaidClaims, ShipmentKey, ShipmentState } from './state.ts'

export interface StateKeys {
  readonly accountId: string
  /** Requests to lock. */
  readonly requestIds: readonly string[]
  /** Shipments to lock, besides those of the requests. */
  readonly shipmentIds: readonly string[]
  /** True: also lock every request of those shipments (user actions, arrivals, reprojecting). */
  readonly locksAsking: boolean
  /** True: also read claims and standing transport events, because the entry projects. Otherwise they are empty. */
  readonly isProjected: boolean
  /** Also read the live requests of these numbers, and of the numbers that the locked requests ask for. */
  readonly numbers?: readonly NumberAsked[]
}

export interface LoadedState {
  readonly state: JourneyState
  /** Requests that this transaction has locked. Of the others it may change only the timer. */
  readonly locked: ReadonlySet<string>
}

/** Which shipments the unlinked requests will open or join, according to the claims of their subjects. */
export type Opening = (
  requests: readonly TrackingRequestRow[],
  subjects: ReadonlyMap<string, SaidClaims>,
) => readonly ShipmentKey[]

/**
 * Every request should be locked, but more requests ask for these shipments. The caller must roll back and load with
 * these ids too.
 */
export class KeysGrew extends Error {
  readonly requestIds: readonly string[]
  constructor(requestIds: readonly string[]) {
    super(`${requestIds.length} requests came to ask for what was being locked`)
    this.requestIds = requestIds
  }
}

/**
 * At most nine statements; four where nothing is projected. Throws `KeysGrew`. Ids that the account does not have are
 * left out. Measured with generic plans: for sixteen requests among 100,000 shipments, 80 to 281 blocks a statement,
 * and no table scan.
 */
export async function loadStates(db: Db, keys: StateKeys, opening?: Opening): Promise<LoadedState> {
  const { accountId } = keys
  const held = await lockRequests(db, keys)
  if (keys.isProjected)
    await holdSubjects(db, { accountId, subjectIds: held.flatMap(({ subjectId }) => subjectId ?? []) })
  const opened = opening === undefined ? [] : await findOpened(db, accountId, held, opening)
  const linked = held.flatMap(({ shipmentId }) => shipmentId ?? [])
  const ids = new Set([...linked, ...keys.shipmentIds, ...opened.map(({ id }) => id)])
  const rows = ids.size === 0 ? [] : await lockShipments(db, { accountId, ids: [...ids], opened })
  requireShipments(held, rows)
  const about = { accountId, shipmentIds: rows.map(({ id }) => id) }
  const locked = new Set(held.map(({ id }) => id))
  const others = await otherRequests(db, {
    ...about,
    numbers: [...(keys.numbers ?? []), ...held.flatMap(numberOf)],
    locked: [...locked],
  })
  if (keys.locksAsking) refuseMore(others, new Set(about.shipmentIds))
  const requests = [...held, ...others].sort(
    (a, b) => compareText(a.createdAt, b.createdAt) || compareText(a.id, b.id),
  )
  const boxes = await containersByShipment(db, about)
  const subjectIds = [...new Set(requests.flatMap(({ subjectId }) => subjectId ?? []))]
  const said = keys.isProjected ? await standingClaims(db, { ...about, subjectIds }) : nothingSaid
  const standing = keys.isProjected ? await standingByShipment(db, about) : new Map()
  const shipmentOf = (row: ShipmentRow): ShipmentState => ({
    row,
    containers: boxes.get(row.id) ?? [],
    standing: standing.get(row.id) ?? [],
    claims: said.byShipment.get(row.id) ?? new Map(),
  })
  const state: JourneyState = {
    accountId,
    requests: new Map(requests.map((row) => [row.id, row])),
    shipments: new Map(rows.map((row) => [row.id, shipmentOf(row)])),
    subjects: said.bySubject,
    issues: new Map(),
    absent: absentOf(opened, rows),
  }
  return { state, locked }
}

/** The number as it is asked. While the line is being found, that is the number at the candidate whose turn it is. */
function numberOf({ scac, requestType, number, lifecycle }: TrackingRequestRow): readonly NumberAsked[] {
  const asked = lifecycle.detection === undefined ? { scac, number } : lineAsked(lifecycle.detection)
  return asked === null || asked.scac === null
    ? []
    : [{ scac: asked.scac, number: asked.number, requestType }]
}

const nothingSaid = { bySubject: new Map<string, SaidClaims>(), byShipment: new Map<string, SaidClaims>() }

/**
 * Reads the claims of the subjects before the shipments are locked, because the claims say which shipments these are.
 */
async function findOpened(
  db: Db,
  accountId: string,
  held: readonly TrackingRequestRow[],
  opening: Opening,
): Promise<readonly ShipmentKey[]> {
  const unlinked = held.filter(({ shipmentId }) => shipmentId === null)
  if (unlinked.length === 0) return []
  const subjectIds = [...new Set(unlinked.flatMap(({ subjectId }) => subjectId ?? []))]
  return opening(unlinked, await claimsBySubject(db, { accountId, subjectIds }))
}

function requireShipments(requests: readonly TrackingRequestRow[], found: readonly ShipmentRow[]): void {
  const ids = new Set(found.map(({ id }) => id))
  const lost = requests.find(({ shipmentId }) => shipmentId !== null && !ids.has(shipmentId))
  if (lost !== undefined) throw new Error(`shipment ${lost.shipmentId} of request ${lost.id} is gone`)
}

function refuseMore(others: readonly TrackingRequestRow[], shipmentIds: ReadonlySet<string>): void {
  const asking = others.filter(({ shipmentId }) => shipmentId !== null && shipmentIds.has(shipmentId))
  if (asking.length > 0) throw new KeysGrew(asking.map(({ id }) => id))
}

/** A shipment of that number counts as found, whatever its id is. */
function absentOf(opened: readonly ShipmentKey[], found: readonly ShipmentRow[]): ReadonlySet<string> {
  const numberOf = (of: Pick<ShipmentKey, 'scac' | 'normalizedNumber'>): string =>
    `${of.scac} ${of.normalizedNumber}`
  const known = new Set(found.flatMap((row) => [row.id, numberOf(row)]))
  return new Set(opened.flatMap((key) => (known.has(key.id) || known.has(numberOf(key)) ? [] : [key.id])))
}
