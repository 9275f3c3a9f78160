/**
 * Everything of the account that is under way, for one map: each ship with its position, and each terminal or place
 * with the containers that are there. Three statements, for any number of containers.
 */

import type { GeoPoint } from '../../domain/geography/great-circle.ts'
import { instantOf } from '../../domain/values/time.ts'
import type { Fix } from '../../pipeline/positions/fixes-sql.ts'
import { findPlaceByCode, type Place } from '../../reference/places.ts'
import type { Terminal } from '../../reference/terminal.ts'
import { findTerminalById } from '../../reference/terminals.ts'
import { nameShip, vesselId } from '../../reference/vessels.ts'
import { type Context, requireScope } from '../access/context.ts'
import { journeyNow, type Service } from '../service.ts'
import type { ShipmentFilter } from '../shipments/list-shipments-sql.ts'
import { readLastPositions } from '../vessels/vessel-positions-sql.ts'
import {
  type FleetQuery,
  type LadenShip,
  type PlaceWithContainers,
  readLadenShips,
  readPlacesWithContainers,
} from './fleet-sql.ts'
import { computeShipPosition, isFresh, lastKnownPosition, type ShipPosition, type Voyage } from './reckon-ship.ts'

export interface FleetShip {
  readonly row: LadenShip
  readonly vesselId: string | null
  readonly name: string
  readonly voyage: string | null
  readonly position: ShipPosition
  readonly nextPort: Place | null
  /** ISO instant. */
  readonly eta: string | null
}

export interface FleetPlace {
  readonly row: PlaceWithContainers
  readonly point: GeoPoint
  readonly terminal: Terminal | null
  readonly place: Place | null
}

export interface Fleet {
  /** ISO instant, on the clock of the journeys. */
  readonly at: string
  readonly ships: readonly FleetShip[]
  readonly places: readonly FleetPlace[]
  /** Containers under way that have no point: no source has named a place on the map, or there are too many points. */
  readonly unplacedContainers: number
  readonly hasMore: boolean
}

export const shipmentIdsMax = 20
export const pointsMax = 2_000
/** The search of ways by sea stops after this time; the remaining ships are shown at their last known position. */
const reckoningMs = 250

export async function getFleet(
  service: Service,
  context: Context,
  { filter }: { readonly filter: ShipmentFilter | null },
): Promise<Fleet> {
  requireScope(context, 'read')
  const { id: accountId, isSandbox } = context.account
  const at = journeyNow(service, isSandbox)
  // One row more than is shown, to know whether there are more.
  const of: FleetQuery = { accountId, filter, now: at, shipmentIdsMax, rowsMax: pointsMax + 1 }
  const aboard = await readLadenShips(service.pool, of)
  const ashore = await readPlacesWithContainers(service.pool, of)
  const imos = aboard.map(({ imo }) => imo)
  const fixes = imos.length === 0 ? [] : await readLastPositions(service.pool, { isSandbox, imos })
  const fixOf = new Map(fixes.map((fix) => [fix.imo, fix]))
  const ships = placeShips(aboard.slice(0, pointsMax), fixOf, at)
  const places = ashore.slice(0, pointsMax).flatMap((row) => locateContainers(row) ?? [])
  const placed = new Set<LadenShip | PlaceWithContainers>([...ships, ...places].map(({ row }) => row))
  return {
    at,
    ships,
    places,
    unplacedContainers: [...aboard, ...ashore]
      .filter((row) => !placed.has(row))
      .reduce((sum, { containers }) => sum + containers, 0),
    hasMore: aboard.length > pointsMax || ashore.length > pointsMax,
  }
}

function placeShips(rows: readonly LadenShip[], fixes: ReadonlyMap<string, Fix>, at: string): readonly FleetShip[] {
  const startedMs = performance.now()
  return rows.flatMap((row) => {
    const { voyage, nextPort } = voyageOf(row, fixes.get(row.imo) ?? null)
    const { lastFix } = voyage
    const mayReckon = (lastFix === null || !isFresh(lastFix, at)) && performance.now() - startedMs < reckoningMs
    const position = (mayReckon ? computeShipPosition(voyage, at) : null) ?? lastKnownPosition(voyage)
    if (position === null) return []
    const name = nameShip(row.imo, (row.vessel ?? row.last?.vessel)?.name ?? null).name
    return [
      {
        row,
        vesselId: vesselId(row.imo),
        name: name ?? `IMO ${row.imo}`,
        voyage: row.voyage ?? row.last?.voyage ?? null,
        position,
        nextPort,
        eta: voyage.next?.eta ?? null,
      },
    ]
  })
}

function voyageOf(
  { last, port }: LadenShip,
  fix: Fix | null,
): { readonly voyage: Voyage; readonly nextPort: Place | null } {
  const from = pointOf(placeAt(last?.place.unlocode))
  const departure =
    last === null || from === null ? null : { point: from, at: instantOf(last.time, last.place.timeZone).at }
  const nextPort = placeAt(port?.place?.unlocode)
  const point = pointOf(nextPort)
  const eta = port?.eta == null ? null : instantOf(port.eta, nextPort?.timeZone ?? null).at
  // A position from before the ship left is about the voyage before.
  const lastFix = fix !== null && (departure === null || fix.heardAt >= departure.at) ? fix : null
  return { voyage: { departure, next: point === null ? null : { point, eta }, lastFix }, nextPort }
}

/** A terminal without its own point is shown at its port. */
function locateContainers(row: PlaceWithContainers): FleetPlace | null {
  if (row.place === null) return null
  const terminal = findTerminalById(row.place)
  const place = placeAt(terminal === null ? row.place : terminal.unlocode)
  const point = pointOf(terminal) ?? pointOf(place)
  return point === null ? null : { row, point, terminal, place }
}

function placeAt(unlocode: string | null | undefined): Place | null {
  return unlocode == null ? null : findPlaceByCode(unlocode)
}

function pointOf(of: { readonly latitude: number | null; readonly longitude: number | null } | null): GeoPoint | null {
  if (of === null || of.latitude === null || of.longitude === null) return null
  return { latitude: of.latitude, longitude: of.longitude }
}
