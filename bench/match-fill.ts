/**
 * Fills an installation by SQL: shipments that are known by boxes and bills, and messages that wait because they fit no
 * shipment.
 */

import type { Pool } from '../src/db/database.ts'
import { boxNumber } from './edi-load.ts'
import { progress } from './measure.ts'

export interface Waiting {
  readonly accountId: string
  readonly channelId: string
  readonly shipments: number
  readonly mentions: number
}

const at = `timestamptz '2026-03-01'`
const idOf = (kind: string): string => `md5($1::uuid::text || '${kind}' || n)::uuid`

/** `billOf`: the bill of the nth shipment. `waitingBillOf`: the bill that the nth waiting message names. */
export const billOf = (nth: number): string => `BNCHSHA${String(nth).padStart(9, '0')}`
export const waitingBillOf = (nth: number): string => `BNCHWAIT${String(nth).padStart(9, '0')}`

export async function fillWaiting(pool: Pool, of: Waiting): Promise<void> {
  const client = await pool.connect()
  try {
    // Triggers and foreign keys are switched off for speed: the rows written here are consistent.
    await client.query(
      `set statement_timeout = 0; set synchronous_commit = off; set session_replication_role = replica`,
    )
    progress(`  ${of.shipments.toLocaleString('en-US')} shipments`)
    await fillShipments(client, of)
    progress(`  ${of.mentions.toLocaleString('en-US')} messages that wait`)
    await fillMentions(client, of)
    await client.query('vacuum analyze')
    await client.query('checkpoint')
  } finally {
    client.release(true)
  }
}

interface Client {
  readonly query: (text: string, values?: unknown[]) => Promise<unknown>
}

/** One box, one bill and one request each. */
async function fillShipments(client: Client, { accountId, shipments }: Waiting): Promise<void> {
  const given = [accountId, shipments]
  const bill = `'BNCHSHA' || lpad(n::text, 9, '0')`
  await client.query(
    `insert into shipments (account_id, id, scac, bill_of_lading_number, normalized_number, projection, created_at, updated_at)
     select $1::uuid, ${idOf('s')}, 'ONEY', ${bill}, ${bill}, '{"isBookingCancelled": false}', ${at}, ${at}
       from generate_series(1, $2::integer) as n`,
    given,
  )
  await client.query(
    `insert into containers (account_id, id, shipment_id, number, trip, status, projection, created_at, updated_at)
     select $1::uuid, ${idOf('c')}, ${idOf('s')}, number, 1, 'on_ship', '{}', ${at}, ${at}
       from unnest($2::text[]) with ordinality as t (number, n)`,
    [accountId, Array.from({ length: shipments }, (_, nth) => boxNumber(nth + 1))],
  )
  await client.query(
    `insert into tracking_requests (account_id, id, request_type, request_number, number, scac, shipment_id, status, lifecycle,
                                    created_at, updated_at)
     select $1::uuid, ${idOf('r')}, 'bill_of_lading', ${bill}, ${bill}, 'ONEY', ${idOf('s')}, 'created', '{}', ${at}, ${at}
       from generate_series(1, $2::integer) as n`,
    given,
  )
  await client.query(
    `insert into shipment_documents (account_id, number, kind, shipment_id)
     select $1::uuid, ${bill}, 'bill_of_lading', ${idOf('s')} from generate_series(1, $2::integer) as n`,
    given,
  )
}

/** Each message is about a bill and a box that nobody tracks, and was matched long ago. */
async function fillMentions(client: Client, { accountId, channelId, mentions }: Waiting): Promise<void> {
  const given = [accountId, mentions, channelId]
  const bill = `'BNCHWAIT' || lpad(n::text, 9, '0')`
  const box = `'BNXU' || lpad(n::text, 7, '0')`
  await client.query(
    `insert into inbound_messages (id, channel_id, account_id, content_hash, byte_count, received_at, parts, faults)
     select md5($1::uuid::text || 'm')::uuid, $3::uuid, $1::uuid, '\\x00', 0, ${at}, $2::integer, '[]'`,
    given,
  )
  await client.query(
    `insert into subjects (id, credential_id, scac, kind, number, created_at)
     select ${idOf('j')}, $3::uuid, 'Y258', 'bill_of_lading', ${bill}, ${at} from generate_series(1, $2::integer) as n`,
    given,
  )
  await client.query(
    `insert into kept_snapshots (id, subject_id, content_hash, status, body, recorded_at)
     select ${idOf('p')}, ${idOf('j')}, decode(md5(n::text), 'hex'), 200, '\\x7b7d', ${at}
       from generate_series(1, $2::integer) as n, (select $3::uuid) as c`,
    given,
  )
  await client.query(
    `insert into mentions (id, message_id, channel_id, account_id, subject_id, snapshot_id, part, delivery_key, stands_at, received_at,
                           about, ranges, is_unmapped, matched_at)
     select ${idOf('o')}, md5($1::uuid::text || 'm')::uuid, $3::uuid, $1::uuid, ${idOf('j')}, ${idOf('p')}, n, n::text, ${at}, ${at},
            jsonb_build_array(jsonb_build_object('kind', 'bill_of_lading', 'number', ${bill}),
                              jsonb_build_object('kind', 'container', 'number', ${box})), '[]', false, ${at}
       from generate_series(1, $2::integer) as n`,
    given,
  )
  for (const [kind, number] of [
    ['bill_of_lading', bill],
    ['container', box],
  ])
    await client.query(
      `insert into mention_numbers (kind, number, mention_id, account_id, received_at)
       select '${kind}', ${number}, ${idOf('o')}, $1::uuid, ${at} from generate_series(1, $2::integer) as n`,
      [accountId, mentions],
    )
}
