/**
 * Fills an installation by SQL with numbers and references, as tracking this many containers would leave them in the
 * tables.
 */

import type { Pool } from '../src/db/database.ts'
import { progress } from './measure.ts'

export interface Filled {
  readonly accountId: string
  readonly containers: number
}

/** A third of all boxes has the first owner code, so that there is a text that very many boxes contain. */
const owner = `(array['MSCU','MSCU','MSCU','MSCU','MAEU','MAEU','TCLU','TGHU','CMAU','HLBU','OOLU','TEMU'])`
/** Digits that look random and are the same in every run. */
const digits = (seed: string): string => `lpad((abs(hashtext(${seed} || n)) % 10000000)::text, 7, '0')`
const at = `timestamptz '2025-01-01' + n * interval '1 minute'`

/**
 * Each shipment has two containers and one request, and all of them have references. The index is built at the end, as
 * in a restore.
 */
export async function fillForSearch(pool: Pool, accounts: readonly Filled[]): Promise<void> {
  const tables = ['shipments', 'containers', 'tracking_requests']
  const client = await pool.connect()
  try {
    await client.query(`set statement_timeout = 0; set maintenance_work_mem = '512MB'`)
    for (const table of tables) await client.query(`alter table ${table} disable trigger user`)
    await client.query('drop index search_entries_grams')
    for (const account of accounts) await fillAccount(client, account)
    for (const table of tables) await client.query(`alter table ${table} enable trigger user`)
    progress('  building the index')
    await client.query(`create index search_entries_grams on search_entries
      using gin (search_grams(account_id, kind, body)) with (fastupdate = off)`)
    await client.query('vacuum analyze search_entries')
    for (const table of tables) await client.query(`vacuum analyze ${table}`)
    await client.query('checkpoint')
  } finally {
    client.release(true)
  }
}

async function fillAccount(
  client: { readonly query: (text: string, values?: unknown[]) => Promise<unknown> },
  { accountId, containers }: Filled,
): Promise<void> {
  progress(`  ${containers.toLocaleString('en-US')} containers of one account`)
  const shipments = Math.ceil(containers / 2)
  const projection = `'{"isBookingCancelled": false, "portOfLoading": {"place": {"unlocode": "CNSHA"}, "atd": null},
    "portOfDischarge": {"place": {"unlocode": "USLAX"}, "ata": null}}'`
  const idOf = (kind: string): string => `md5($1::uuid::text || '${kind}' || n)::uuid`
  await client.query(
    `insert into shipments (account_id, id, scac, bill_of_lading_number, normalized_number, ref_numbers, projection,
                            created_at, updated_at)
     select $1::uuid, ${idOf('s')}, 'ONEY', 'ONEY' || x, x, array['PO-' || n, 'CUST-' || n % 2000], ${projection}, ${at}, ${at}
       from (select n, 'SHA' || lpad(n::text, 9, '0') as x from generate_series(1, $2::integer) as n) as t`,
    [accountId, shipments],
  )
  await client.query(
    `insert into containers (account_id, id, shipment_id, number, trip, status, ref_numbers, projection, created_at,
                             updated_at)
     select $1::uuid, ${idOf('c')}, md5($1::uuid::text || 's' || (n + 1) / 2)::uuid, ${owner}[1 + n % 12] || ${digits(`'c'`)}, n, 'on_ship',
            array['LOT' || n], '{}', ${at}, ${at}
       from generate_series(1, $2::integer) as n`,
    [accountId, containers],
  )
  await client.query(
    `insert into tracking_requests (account_id, id, request_type, request_number, number, scac, shipment_id, status,
                                    lifecycle, ref_numbers, created_at, updated_at)
     select $1::uuid, ${idOf('r')}, 'bill_of_lading', 'ONEYSHA' || lpad(n::text, 9, '0'), 'SHA' || lpad(n::text, 9, '0'), 'ONEY',
            ${idOf('s')}, 'tracking_stopped', '{}', array['PO-' || n], ${at}, ${at}
       from generate_series(1, $2::integer) as n`,
    [accountId, shipments],
  )
  await client.query(
    `insert into search_entries (account_id, kind, id, body, created_at)
     select account_id, kind, id, E'\\n' || (select string_agg(search_tidy(x), E'\\n') from unnest(numbers) as x) || E'\\n',
            created_at
       from (select account_id, 'shipment' as kind, id, array[bill_of_lading_number, normalized_number] || ref_numbers as numbers,
                    created_at from shipments where account_id = $1
             union all
             select account_id, 'container', id, array[number] || ref_numbers, created_at
               from containers where account_id = $1
             union all
             select account_id, 'tracking_request', id, array[request_number, number] || ref_numbers, created_at
               from tracking_requests where account_id = $1) as t
      order by created_at`,
    [accountId],
  )
}
