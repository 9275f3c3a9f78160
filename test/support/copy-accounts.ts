/**
 * Makes a larger installation than a test can live through in minutes: copies the ledgers of its accounts to new
 * accounts.
 */

import type { Pool } from '../../src/db/database.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../src/platform/ids.ts'

/**
 * The requests and subjects of a copy keep the names of the original, because each account has its own. Shipments and
 * boxes get the ids that the fold gives them. Rows are not copied: a repair makes them. Returns the number of entries.
 */
export async function copyLedgers(pool: Pool, copies: number): Promise<number> {
  const { rows: accounts } = await pool.query<{ id: string }>(
    `select distinct account_id as id from ledger l join accounts a on a.id = l.account_id order by 1`,
  )
  const { rows: boxes } = await pool.query<Box>(
    `select s.account_id as account, s.id as shipment, s.scac, s.normalized_number as number,
            c.id as box, c.number || '#' || c.trip as key
       from shipments s left join containers c on c.account_id = s.account_id and c.shipment_id = s.id`,
  )
  for (let copy = 0; copy < copies; copy += 1) for (const { id } of accounts) await copyLedger(pool, id, copy, boxes)
  await pool.query('analyze ledger')
  const { rows } = await pool.query<{ n: number }>('select count(*) as n from ledger')
  return rows[0]?.n ?? 0
}

interface Box {
  readonly account: string
  readonly shipment: string
  readonly scac: string
  readonly number: string
  readonly box: string | null
  readonly key: string | null
}

async function copyLedger(pool: Pool, account: string, copy: number, boxes: readonly Box[]): Promise<void> {
  const to = uuidV5(LANDFALL_NAMESPACE, `copy:${account}:${copy}`)
  const ids = new Map<string, string>()
  for (const { shipment, scac, number, box, key } of boxes.filter((each) => each.account === account)) {
    const id = uuidV5(LANDFALL_NAMESPACE, `shipment:${to}:${scac}:${number}`)
    ids.set(shipment, id)
    if (box !== null) ids.set(box, uuidV5(LANDFALL_NAMESPACE, `container:${id}:${key}`))
  }
  await pool.query(
    `insert into accounts (id, company_name, is_fiction, created_at)
     select $2, company_name || ' ' || $3, is_fiction, created_at from accounts where id = $1`,
    [account, to, String(copy)],
  )
  const { rows } = await pool.query<{ entry: string }>(
    `select to_jsonb(l)::text as entry from ledger l where l.account_id = $1 order by l.position`,
    [account],
  )
  // Replaces ids wherever an entry names them: the request that it is about, the shipment that it joins or opens, the
  // box about which a user spoke.
  const entries = rows.map(({ entry }) => entry.replace(anyId, (id) => ids.get(id) ?? id))
  await pool.query(
    `insert into ledger (account_id, kind, tracking_request_id, shipment_id, subject_id, snapshot_id, reader,
                         recorded_at, payload, rules)
     select $1, l.kind, l.tracking_request_id, l.shipment_id, l.subject_id, l.snapshot_id, l.reader, l.recorded_at,
            l.payload, l.rules
       from jsonb_populate_recordset(null::ledger, $2::jsonb) l
      order by l.position`,
    [to, `[${entries.join(',')}]`],
  )
}

const anyId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
