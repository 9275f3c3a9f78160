/**
 * `landfall database distribute`: an installation with accounts, shipments and events is divided, and goes on. Where
 * LANDFALL_TEST_CITUS_URL names no coordinator of Citus (`node tools/run.mjs tools/citus.ts` starts one), only what it
 * says without a cluster is tested.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type pg from 'pg'
import { openPool, type Pool } from '../../../src/db/database.ts'
import { distributeTables, placeNewTables } from '../../../src/db/distributed/distribute-tables.ts'
import { registerWorker } from '../../../src/db/workers.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { openCommandLine } from '../../support/command-line.ts'
import { openTestDatabase } from '../../support/database.ts'
import { type ClusterDatabase, openClusterDatabase } from '../../support/distributed.ts'
import { type Seeded, seededAt, seedShipment } from '../../support/seed.ts'
import { testSecret } from '../../support/service.ts'

const coordinator = process.env['LANDFALL_TEST_CITUS_URL'] ?? ''
const isSkipped = coordinator === '' && 'LANDFALL_TEST_CITUS_URL names no coordinator of Citus'

let env: Record<string, string> = {}
const { call } = openCommandLine(() => env)

test('the command database distribute reports what is missing without a Citus cluster, and changes nothing', async () => {
  assert.match((await call('database distribute')).err, /Set DATABASE_URL to the coordinator of a Citus cluster/)
  const database = await openTestDatabase()
  try {
    env = { DATABASE_URL: database.url }
    if (coordinator === '') {
      const { code, err } = await call('database distribute')
      assert.equal(code, 1)
      assert.match(err, /This database has no Citus\. Install Citus on the coordinator and on each worker/)
    }
    const wrong = await call('database distribute --shards 0')
    assert.deepEqual([wrong.code, /--shards is a number from 1 to 1024/.test(wrong.err)], [2, true])
  } finally {
    env = {}
    await database.close()
  }
})

describe('an installation on a cluster', { skip: isSkipped }, () => {
  let database: ClusterDatabase
  let one: Seeded
  let two: Seeded
  let key: string
  let otherKey: string
  const api = (): Promise<TestApi> =>
    openTestApi({
      startAt: seededAt,
      on: { database: { url: database.url, close: async () => {} }, secret: testSecret },
    })
  let pool: Pool
  const sql = async <Row extends pg.QueryResultRow>(text: string): Promise<readonly Row[]> =>
    (await pool.query<Row>(text)).rows

  before(async () => {
    database = await openClusterDatabase(coordinator)
    env = { DATABASE_URL: database.url }
    pool = openPool({ connection: database.url, connectionsMax: 2 })
    const open = await api()
    key = open.key
    one = await seedShipment(open)
    otherKey = await open.newKey(await open.newAccount(), ['read', 'write'])
    two = await seedShipment(open, { key: otherKey, carrier: one.carrier })
    await open.close()
  })
  after(async () => {
    await one.carrier.close()
    await pool.end()
    await database.close()
  })

  test('is not distributed while a process works on it, nor on a coordinator without workers', async () => {
    const other = await openClusterDatabase(coordinator, { knowsWorkers: false })
    await assert
      .rejects(distributeTables(other.url, { shards: 8 }), /The coordinator has no workers.*citus_add_node/)
      .finally(other.close)
    const of = { sessions: '', host: 'machine-7', pid: 4711, role: 'worker', version: '0' }
    const worker = await pool.connect()
    await registerWorker(worker, of)
    const { code, err } = await call('database distribute')
    assert.equal(code, 1)
    assert.match(err, /Processes of Landfall use this database \(machine-7, pid 4711\)\. Stop them first/)
    worker.release(true)
  })

  test('keeps all data when it is distributed, and the API gives the same answers', async () => {
    const paths = [
      `/v2/shipments/${one.shipmentId}?include=containers,tracking_requests`,
      '/v2/containers?include=shipment',
      '/v2/tracking_requests',
      '/v2/events?include=reference_object',
      '/v2/search?query=CNSH',
    ]
    const read = async (): Promise<readonly unknown[]> => {
      const open = await api()
      try {
        const answers = []
        for (const who of [key, otherKey])
          for (const url of paths) answers.push((await open.call({ url, key: who })).body)
        return answers
      } finally {
        await open.close()
      }
    }
    const counts = `select (select count(*) from shipments) as shipments, (select count(*) from labels) as labels,
                           (select count(*) from search_entries) as searched, (select count(*) from ledger) as entries`
    const before = [await read(), await sql(counts)]
    const { code, out, err } = await call('database distribute --shards 16')
    assert.equal(code, 0, err)
    assert.match(out, /Divided by account: \d+ tables \(shipments,/)
    assert.match(out, /Copied to every node: 9 tables/)
    assert.deepEqual([await read(), await sql(counts)], before)
    const spread = await sql<{ node: number; shards: number }>(
      `select nodeport as node, count(*)::int as shards from citus_shards where table_name = 'shipments'::regclass group by 1`,
    )
    assert.deepEqual(
      spread.map(({ shards }) => shards),
      [8, 8],
    )
    const left = await sql(
      `select logicalrelid::text as table from pg_dist_partition where pg_relation_size(logicalrelid) > 0`,
    )
    assert.deepEqual(left, [], 'rows that were copied are still on the disk of the coordinator')
  })

  test('continues: a new shipment is ingested, sends events and is shown to its account alone', async () => {
    const open = await api()
    try {
      const third = await seedShipment(open, { key: otherKey, bill: 'CNSH99999999', carrier: one.carrier })
      assert.notEqual(third.shipmentId, two.shipmentId)
      const answer = await open.call({
        url: `/v2/shipments/${third.shipmentId}?include=containers`,
        key: otherKey,
      })
      assert.equal(answer.body.included?.length, 2)
      const told = await open.call({
        url: `/v2/events?filter[shipment_id]=${third.shipmentId}&limit=100`,
        key: otherKey,
      })
      assert.ok(told.many().some(({ attributes }) => attributes['event'] === 'container.transport.vessel_departed'))
      assert.equal((await open.call({ url: `/v2/shipments/${third.shipmentId}`, key })).status, 404)
      // The nodes would give numbers of ranges of their own, and the order of writing would be lost.
      const [numbers] = await sql<{ isInOrder: boolean }>(
        `select (select max(position) from ledger) < 1e6 and (select max(ordinal) from events) < 1e6 as "isInOrder"`,
      )
      assert.equal(numbers?.isInOrder, true)
    } finally {
      await open.close()
    }
  })

  test('is distributed only once, and distributes the tables of a newer version at the next start', async () => {
    assert.match((await call('database distribute')).out, /All tables are already distributed/)
    await sql(`create table newer (account_id uuid not null references accounts (id), id uuid not null, said text,
                                   primary key (account_id, id))`)
    await placeNewTables(database.url)
    assert.deepEqual(
      await sql(
        `select partmethod as method, (select count(*)::int from pg_constraint where conrelid = 'newer'::regclass and contype = 'f') as keys
           from pg_dist_partition where logicalrelid = 'newer'::regclass`,
      ),
      [{ method: 'h', keys: 1 }],
    )
  })
})
