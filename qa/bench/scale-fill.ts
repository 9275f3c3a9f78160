/**
 * Fills an installation by SQL with a number of containers. Each has a real projection with its own places, ship, times
 * and holds.
 */

import type { PoolClient } from 'pg'
import type { Pool } from '../../src/db/database.ts'
import type { Installation } from './installation.ts'
import { storeSnapshot, track, workOffTasks } from './installation.ts'
import { makeShipments } from './journeys.ts'
import { progress } from './measure.ts'
import { eventTables, fillEvents, idOf, lastChangedBy } from './scale-fill-events.ts'

export const scaleDefinition = '7f000000-0000-4000-8000-0000000000de'

const tables = [
  'shipments',
  'containers',
  'tracking_requests',
  'custom_fields',
  'search_entries',
  'labels',
  ...eventTables,
]
/** A number from 0 to below `below` that looks random and is the same in every run. */
const chance = (seed: string, below: number): string => `(abs(hashtext('${seed}' || n)) % ${below})`
const oneOf = (seed: string, values: readonly string[]): string =>
  `(array[${values.map((each) => `'${each}'`).join()}])[1 + ${chance(seed, values.length)}]`
const lines = ['MAEU', 'MAEU', 'MAEU', 'MSCU', 'MSCU', 'ONEY', 'CMDU', 'HLCU', 'COSU', 'EGLV', 'YMLU', 'ZIMU']
const pols = ['CNSHG', 'CNNGB', 'CNYTN', 'KRPUS', 'VNSGN', 'TWKHH', 'SGSIN', 'INNSA']
const pods = ['USLAX', 'USLGB', 'USNYC', 'USSAV', 'USHOU', 'NLRTM', 'DEHAM', 'BEANR', 'GBFXT', 'FRLEH']
/** Half of the containers are finished. Most of the newer ones are at sea. */
const status = (
  place: string,
): string => `case when ${place} < 0.5 then 'empty_returned' when ${place} < 0.7 then 'picked_up'
  when ${place} < 0.78 then 'available' when ${place} < 0.84 then 'grounded' when ${place} < 0.98 then 'on_ship' else 'new' end`

export async function fillToScale(
  installation: Installation,
  accounts: readonly { readonly accountId: string; readonly containers: number }[],
): Promise<void> {
  const template = await installation.newAccount()
  const tracked = await track(installation, template, makeShipments(1, 1))
  for (const version of [0, 1, 2]) {
    for (const each of tracked) await storeSnapshot(installation, each, version)
    await workOffTasks(installation)
  }
  const client = await installation.service.pool.connect()
  try {
    await client.query(`set statement_timeout = 0; set maintenance_work_mem = '512MB'; set synchronous_commit = off`)
    const indexes = await dropIndexes(client)
    for (const table of tables) await client.query(`alter table ${table} disable trigger user`)
    for (const { accountId, containers } of accounts) {
      progress(`  ${containers.toLocaleString('en-US')} containers of one account`)
      await fillAccount(client, accountId, containers, template.account.id)
      await fillEvents(client, accountId, containers, template.account.id)
    }
    for (const table of tables) await client.query(`alter table ${table} enable trigger user`)
    progress('  building the indexes')
    for (const index of indexes) await client.query(index)
    for (const table of tables) await client.query(`vacuum analyze ${table}`)
    await client.query('checkpoint')
  } finally {
    client.release(true)
  }
}

/** Returns the definitions of the indexes, which are made again when the rows are there, as a restore does. */
async function dropIndexes(client: PoolClient): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
       from pg_index i left join pg_constraint c on c.conindid = i.indexrelid
      where c.oid is null and i.indrelid::regclass::text = any($1::text[])`,
    [tables],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  // That of a table in partitions is told as one of the table alone; it is to be made in all of them.
  return rows.map(({ definition }) => definition.replace(' ON ONLY ', ' ON '))
}

async function fillAccount(client: PoolClient, accountId: string, containers: number, template: string): Promise<void> {
  const shipments = Math.ceil(containers / 2)
  const at = `timestamptz '2026-06-01' - ($2::integer - n) * interval '1 minute'`
  const eta = `to_jsonb((timestamptz '2026-06-25' - ($2::integer - n) * interval '1 minute')::text)`
  const instant = `jsonb_build_object('kind', 'instant', 'at', ${eta})`
  const place = `n::float / $2::integer`
  const leg = (
    name: string,
    code: string,
    rest = `'{}'`,
  ): string => `jsonb_build_object('${name}', (p.projection -> '${name}')
    || jsonb_build_object('place', (p.projection -> '${name}' -> 'place') || jsonb_build_object('unlocode', ${code})) || ${rest})`
  const route = `${leg('portOfLoading', oneOf('l', pols))}
    || ${leg('portOfDischarge', oneOf('d', pods), `jsonb_build_object('eta', ${instant}, 'ata', case when ${place} < 0.84 then ${instant} end)`)}
    || jsonb_build_object('podVessel', jsonb_build_object('imo', (9000000 + ${chance('v', 500)})::text, 'name', 'SHIP'))`
  const statuses = `array[${status(place)}, ${status(place)}]`
  await client.query(
    `insert into shipments (account_id, id, scac, bill_of_lading_number, normalized_number, ref_numbers, tags, projection,
                            tracking_stopped_at, created_at, updated_at, container_ids, container_statuses)
     select $1::uuid, ${idOf('s')}, ${oneOf('c', lines)}, 'SHA' || lpad(n::text, 9, '0'), 'SHA' || lpad(n::text, 9, '0'),
            array['PO-' || n], array_remove(array[case when n % 50 = 0 then 'blue' end, case when n % 1000 = 0 then 'rare' end], null),
            p.projection || ${route}, case when ${place} < 0.5 then ${at} end, ${at}, ${at},
            array[${idOf('c', '(2 * n - 1)')}, ${idOf('c', '(2 * n)')}], ${statuses}
       from (select projection from shipments where account_id = $3 limit 1) p, generate_series(1, $2::integer) as n`,
    [accountId, shipments, template],
  )
  await client.query(
    `insert into containers (account_id, id, shipment_id, number, trip, status, ref_numbers, projection, created_at, updated_at, scac)
     select $1::uuid, ${idOf('c', 'box')}, ${idOf('s')}, 'MSCU' || lpad(box::text, 7, '0'), 1, ${status(place)}, array['LOT' || box % 5000],
            p.projection || ${route} || jsonb_build_object(
              'podTerminal', jsonb_build_object('terminalId', md5('t' || ${chance('t', 60)})::uuid),
              'freeTime', jsonb_build_object('terminal', null, 'rail', null, 'line', case when n % 2 = 0 then jsonb_build_object('kind', 'day', 'on',
                 (timestamptz '2026-06-30' - ($2::integer - n) * interval '1 minute')::date::text) end),
              'saidBy', '{"fees": "terminal"}'::jsonb, 'fees', case when n % 30 = 0 then '[{"type": "demurrage", "amount": 5, "currencyCode": "USD"}]'::jsonb else '[]' end,
              'holds', case when n % 20 = 0 then '[{"name": "customs", "status": "hold", "description": null}]'::jsonb else '[]' end),
            ${at}, ${at}, ${oneOf('c', lines)}
       from (select projection from containers where account_id = $3 limit 1) p, generate_series(1, $2::integer) as n,
            lateral (values (2 * n - 1), (2 * n)) as boxes(box)`,
    [accountId, shipments, template],
  )
  await client.query(
    `insert into tracking_requests (account_id, id, request_type, request_number, number, scac, shipment_id, status, lifecycle,
                                    ref_numbers, created_at, updated_at)
     select $1::uuid, ${idOf('r')}, 'bill_of_lading', 'SHA' || lpad(n::text, 9, '0'), 'SHA' || lpad(n::text, 9, '0'),
            ${oneOf('c', lines)}, ${idOf('s')}, case when ${place} < 0.5 then 'tracking_stopped' when n % 40 = 0 then 'failed' else 'created' end,
            '{}', array['PO-' || n], ${at}, ${at}
       from generate_series(1, $2::integer) as n`,
    [accountId, shipments],
  )
  await client.query(
    `insert into custom_field_definitions (account_id, id, entity_type, api_slug, display_name, data_type, created_at, updated_at, last_changed_by)
     values ($1, $2, 'Container', 'buyer', 'Buyer', 'short_text', now(), now(), ${lastChangedBy})`,
    [accountId, scaleDefinition],
  )
  await client.query(
    `insert into custom_fields (account_id, id, definition_id, entity_id, value, created_at, updated_at, last_changed_by)
     select $1::uuid, ${idOf('f')}, $3, ${idOf('c')}, to_jsonb('buyer ' || n % 1000), now(), now(), ${lastChangedBy}
       from generate_series(1, $2::integer, 10) as n`,
    [accountId, containers, scaleDefinition],
  )
  await client.query(
    `insert into search_entries (account_id, kind, id, body, created_at)
     select account_id, 'container', id, E'\\n' || number || E'\\n' || ref_numbers[1] || E'\\n', created_at from containers where account_id = $1
     union all
     select account_id, 'shipment', id, E'\\n' || normalized_number || E'\\n' || search_tidy(ref_numbers[1]) || E'\\n', created_at
       from shipments where account_id = $1`,
    [accountId],
  )
  // Without it, the plan of the next statement takes this account for one without rows, and joins them by nested loops.
  await client.query('analyze shipments, containers')
  await client.query(
    `insert into labels (account_id, id, term, at)
     select account_id, id, unnest(labels_of('s', tags, ref_numbers)), created_at from shipments where account_id = $1
     union all
     select c.account_id, c.id, unnest(labels_of('c', s.tags, c.ref_numbers)), c.updated_at
       from containers c join shipments s on s.account_id = $1 and s.id = c.shipment_id where c.account_id = $1
     union all
     select account_id, id, unnest(labels_of('q', shipment_tags, ref_numbers)), created_at from tracking_requests where account_id = $1`,
    [accountId],
  )
}

/** Ids of an account's rows, in an order that looks random. */
export async function pickIds(pool: Pool, accountId: string, table: string): Promise<string[]> {
  const text = `select id from ${table} where account_id = $1 order by md5(id::text) limit 400`
  return (await pool.query<{ id: string }>(text, [accountId])).rows.map(({ id }) => id)
}
