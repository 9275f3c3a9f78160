/**
 * Statements of the store on a database that is distributed by account. LANDFALL_TEST_CITUS_URL names a coordinator of
 * Citus, as `node tools/run.mjs tools/citus.ts` starts one. Without it these tests are skipped, and say so.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type ClusterDatabase, openDistributedDatabase } from '../support/distributed.ts'
import { findStatements } from '../support/statements.ts'

const coordinator = process.env['LANDFALL_TEST_CITUS_URL'] ?? ''
const isSkipped = coordinator === '' && 'LANDFALL_TEST_CITUS_URL names no coordinator of Citus'

let database: ClusterDatabase | null = null
before(async () => {
  if (coordinator !== '') database = await openDistributedDatabase(coordinator)
})
after(async () => database?.close())

/** What is left to be written in another way, before an installation can be distributed. */
const refusedYet: readonly string[] = [
  'boxes_put_off',
  'channels_late',
  'import_read',
  'inbound_message_of_all',
  'inbound_messages_of_channel',
  'mentions_waiting',
  'notification_bodies',
  'notification_lanes_lock',
  'notifications_claim',
  'notifications_finish',
  'notifications_release',
  'snapshot_heard',
  'snapshots_lock_unpacked',
  'tasks_enqueue_mentions',
  'vessels_aboard',
]

test('statements run where the rows of an account lie on one node', { skip: isSkipped }, async () => {
  assert.ok(database !== null)
  const refused: Record<string, string> = {}
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    for (const { name, text } of await findStatements(
      fileURLToPath(new URL('../../src/store/', import.meta.url)),
    )) {
      const why = await runOnce(client, name, text)
      if (why !== null) refused[name] = why
    }
  } finally {
    await client.end()
  }
  assert.deepEqual(
    Object.entries(refused).filter(([name]) => !refusedYet.includes(name)),
    [],
  )
  assert.deepEqual(
    refusedYet.filter((name) => refused[name] === undefined),
    [],
    'they run now: take them off the list',
  )
})

/** Why the engine does not run the statement; null where it does, or where only the values of this test do not fit. */
async function runOnce(client: pg.Client, name: string, text: string): Promise<string | null> {
  await client.query('begin')
  try {
    await client.query(`prepare "${name}" as ${text}`)
    const { rows } = await client.query<{ readonly types: string[] }>(
      'select parameter_types::text[] as types from pg_prepared_statements where name = $1',
      [name],
    )
    const values = (rows[0]?.types ?? []).map(sampleOf)
    await client.query(`execute "${name}"${values.length === 0 ? '' : `(${values.join(', ')})`}`)
    return null
  } catch (error) {
    const { code = '', message } = error as pg.DatabaseError
    // 42601: of `exists (select from …)` the engine makes a part without columns, which it cannot read.
    return ['0A000', '42601'].includes(code) || message.includes('is not distributed') ? message : null
  } finally {
    await client.query('rollback')
    await client.query('deallocate all')
  }
}

const values: Record<string, string> = {
  uuid: `'11111111-1111-4111-8111-111111111111'`,
  bigint: '1',
  integer: '1',
  smallint: '1',
  'double precision': '1',
  numeric: '1',
  boolean: 'true',
  jsonb: `'{}'`,
  json: `'{}'`,
  'timestamp with time zone': 'now()',
  date: `'2026-01-01'`,
  interval: `'1 day'`,
}

function sampleOf(type: string): string {
  return type.endsWith('[]')
    ? `array[${sampleOf(type.slice(0, -2))}]::${type}`
    : `${values[type] ?? `'x'`}::${type}`
}
