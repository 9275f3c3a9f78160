/**
 * The most frequent query: one container with its shipment, and the ids that a document links besides those in the two
 * rows. `npm run qa -- bench read` compares it with a bare route.
 */

import { batchQueries } from '../../db/batch-queries.ts'
import type { Db } from '../../db/database.ts'
import { customerNameSql } from '../../db/listing/customer-name.ts'
import { makeRowCache } from '../../db/row-memory.ts'
import {
  type LastPolledJson,
  lastPolledJson,
  lastPolledSql,
  pollTargetIdsSql,
} from '../../pipeline/polling/last-polled-sql.ts'
import {
  agreedFacilities,
  readShipmentJson,
  type ShipmentFacilities,
  type ShipmentJson,
  type ShipmentReading,
  shipmentJson,
} from '../shipments/list-shipments-sql.ts'
import { type ContainerJson, type ContainerReading, containerJson, readContainerJson } from './list-containers-sql.ts'
import { type EventIds, eventIdsColumns } from './related-ids-sql.ts'

export interface ContainerWithShipment {
  readonly container: ContainerReading
  readonly shipment: ShipmentReading
  /** Of the container. At most `rawIdsMax` raw events, the last ingested. */
  readonly eventIds: EventIds
  readonly facilities: ShipmentFacilities
}

export const rawIdsMax = 101

interface Key {
  readonly accountId: string
  readonly id: string
}

const remembered = makeRowCache<ContainerWithShipment>()

/**
 * The database sends the complete result only when its version differs from the one that is remembered here
 * (docs/decisions/0021).
 */
export async function readContainerWithShipment(db: Db, key: Key): Promise<ContainerWithShipment | null> {
  const name = `${key.accountId} ${key.id}`
  const known = remembered.find(db, name)
  if (known !== null && known.version === (await readVersion(db, key))) return known.value
  const found = await readFromDatabase(db, key)
  // A shipment that names a person is not remembered: a member who leaves must no longer be named, and leaving changes
  // no version.
  if (found !== null && found.value.shipment.stoppedByUserId === null) remembered.put(db, name, found)
  return found?.value ?? null
}

const withShipment = 'join shipments s on s.account_id = $1 and s.id = c.shipment_id'

/**
 * What the two rows do not contain comes from entries of the ledger: claims, transport events, the other containers.
 * Positions are given in the order of folding, for a shipment (`lockShipmentFloor`) and for the poll targets that are
 * polled for it, so that the last position of both names the state. A repair writes no entry, but touches the
 * containers (`replaceFromScratch`).
 */
const version = `concat_ws(' ', c.xmin, s.xmin, c.updated_at, s.updated_at,
  (select max(e.position) from ledger e where e.account_id = $1 and e.shipment_id = s.id),
  (select max((select max(e.position) from ledger e where e.account_id = $1 and e.subject_id = t.subject_id))
     from tracking_requests t where t.account_id = $1 and t.shipment_id = s.id),
  ${customerNameSql('s')},
  (select t.xmin from charge_tallies t where t.account_id = $1 and t.container_id = c.id)) as version`
const wholeVersion = `concat_ws(' ', c.version, l.attempted_at, l.succeeded_at) as version`

/**
 * Without the JSON, which is two thirds of the cost of the complete statement, and without its plan, which alone takes
 * long to make. The list is unnested, so that the plan does not depend on its length.
 */
const readVersion = batchQueries(async (db, { accountId, ids }) => {
  const { rows } = await db.query<{ id: string; version: string }>({
    name: 'read_container_with_shipment_versions',
    text: `with c as materialized (
             select c.id, ${version}, ${pollTargetIdsSql('s.id')}
               from unnest($2::uuid[]) as asked(id)
               join containers c on c.account_id = $1 and c.id = asked.id ${withShipment})
           select c.id, ${wholeVersion} from c ${lastPolledSql('c')}`,
    values: [accountId, ids],
  })
  return new Map(rows.map((row) => [row.id, row.version]))
})

/** One JSON array, for the reason that `shipmentJson` gives. */
const whole = `json_build_array(${containerJson}, ${shipmentJson},
  to_json(${eventIdsColumns.transport}), to_json(${eventIdsColumns.raw}),
  (select json_build_array(${agreedFacilities.pod}, ${agreedFacilities.pickup})
     from (select k.terminal_id as pod, case when coalesce(s.projection -> 'destination', 'true') <> 'null'
                                             then k.projection #>> '{pickupFacility,terminalId}' end as pickup
             from containers k where k.account_id = $1 and k.shipment_id = s.id) as k)) as told`

type ContainerWithShipmentJson = readonly [
  container: ContainerJson,
  shipment: ShipmentJson,
  transportEventIds: readonly string[],
  rawEventIds: readonly string[],
  facilities: readonly [podTerminalId: string | null, pickupFacilityId: string | null],
]

async function readFromDatabase(
  db: Db,
  { accountId, id }: Key,
): Promise<{ readonly version: string; readonly value: ContainerWithShipment } | null> {
  const { rows } = await db.query<{ version: string; told: ContainerWithShipmentJson; lastPolled: LastPolledJson }>({
    name: 'read_container_with_shipment',
    text: `with c as materialized (
             select ${version}, ${whole}, ${pollTargetIdsSql('s.id')}
               from containers c ${withShipment}
              where c.account_id = $1 and c.id = $2)
           select ${wholeVersion}, c.told, ${lastPolledJson} as "lastPolled" from c ${lastPolledSql('c')}`,
    values: [accountId, id, rawIdsMax],
  })
  const row = rows[0]
  if (row === undefined) return null
  const [container, shipment, transportEventIds, rawEventIds, [podTerminalId, pickupFacilityId]] = row.told
  const value = {
    container: readContainerJson(container, row.lastPolled),
    shipment: readShipmentJson(shipment, row.lastPolled),
    eventIds: { containerId: id, transportEventIds, rawEventIds },
    facilities: { id: shipment[0], podTerminalId, pickupFacilityId },
  }
  return { version: row.version, value }
}
