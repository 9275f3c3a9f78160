/**
 * A backup goes onto a cluster, from it, and back into one server. Needs a coordinator of Citus
 * (`node tools/run.mjs tools/citus.ts`); LANDFALL_TEST_CITUS_URL names it.
 */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { isDistributed } from '../../../src/db/distributed/is-distributed.ts'
import { withConnection } from '../../support/cluster.ts'
import { openCommandLine } from '../../support/command-line.ts'
import { openTestDatabase, type TestDatabase } from '../../support/database.ts'
import { type ClusterDatabase, openClusterDatabase } from '../../support/distributed.ts'
import { type Kept, listKept, readKept } from '../../upgrade/kept.ts'
import { restoreKept, upgrade } from '../../upgrade/restore.ts'
import { type Dump, dumpRows } from '../../upgrade/rows.ts'

const coordinator = process.env['LANDFALL_TEST_CITUS_URL'] ?? ''
const isSkipped = coordinator === '' && 'LANDFALL_TEST_CITUS_URL names no coordinator of Citus'

describe('a backup of a distributed installation', { skip: isSkipped }, () => {
  let kept: Kept
  let one: TestDatabase
  let back: TestDatabase
  let divided: ClusterDatabase
  let folder: string
  let place: Record<string, string> = {}
  const { call } = openCommandLine(() => place)

  before(async () => {
    kept = readKept(listKept().at(-1) ?? '')
    one = await openTestDatabase()
    back = await openTestDatabase()
    divided = await openClusterDatabase(coordinator)
    await restoreKept(one.url, kept)
    await upgrade(one.url)
    folder = mkdtempSync(join(tmpdir(), 'landfall-backup-'))
  })
  after(async () => {
    await divided?.close()
    await one?.close()
    await back?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const at = (url: string): void => {
    place = { DATABASE_URL: url, LANDFALL_SECRET: kept.secret, LANDFALL_DATA: join(folder, 'data') }
  }
  async function run(line: string): Promise<string> {
    const { code, out, err } = await call(line)
    assert.equal(code, 0, err)
    return out + err
  }

  test('can be restored on a single server with every row', async () => {
    at(one.url)
    await run(`backup ${folder}/one.landfall --without-secrets`)
    const original = await rowsOf(one.url)

    at(divided.url)
    const said = await run(`restore ${folder}/one.landfall --force`)
    assert.match(said, /All rows are at the coordinator\. `.*database distribute` divides them by account\./)
    await run('database distribute --shards 8')
    assert.equal(await withConnection(divided.url, isDistributed), true)
    await run(`backup ${folder}/divided.landfall --without-secrets`)

    at(back.url)
    assert.doesNotMatch(await run(`restore ${folder}/divided.landfall --force`), /coordinator/)
    assert.deepEqual(withoutPause(await rowsOf(back.url)), withoutPause(original))
  })

  test('contains the same moment of all nodes while other sessions write', async () => {
    const accounts = Array.from({ length: 8 }, () => randomUUID())
    await withConnection(divided.url, async (client) => {
      for (const id of accounts) {
        await client.query(
          `insert into accounts (id, company_name, is_fiction, created_at) values ($1, 'One', false, now())`,
          [id],
        )
        await client.query(
          `insert into saved_views (account_id, id, name, list, query, columns, created_by, created_at, updated_at, last_changed_by)
           values ($1, $1, '0', 'containers', '{}', '{}', '{}', now(), now(), '{}')`,
          [id],
        )
      }
      const { rows } = await client.query(
        `select count(distinct nodename || nodeport)::int as nodes from citus_shards
          where shardid in (select get_shard_id_for_distribution_column('saved_views', id) from unnest($1::uuid[]) id)`,
        [accounts],
      )
      assert.equal(rows[0]?.nodes, 2)
    })
    // The accounts are written one after the other: at each moment a later one is as an earlier one, or one step behind.
    const stop = new AbortController()
    const writing = writeInTurn(divided.url, accounts, stop.signal)
    at(divided.url)
    await run(`backup ${folder}/busy.landfall --without-secrets`)
    stop.abort()
    assert.ok((await writing) > 20)
    at(back.url)
    await run(`restore ${folder}/busy.landfall --force`)
    const kept = await withConnection(back.url, async (client) => {
      const { rows } = await client.query<{ step: number }>(
        `select name::int as step from saved_views where account_id = any($1) order by array_position($1, account_id)`,
        [accounts],
      )
      return rows.map(({ step }) => step)
    })
    assert.equal(kept.length, accounts.length)
    assert.deepEqual(
      kept,
      kept.toSorted((a, b) => b - a),
    )
    assert.ok((kept[0] ?? 0) - (kept.at(-1) ?? 0) <= 1, kept.join(' '))
    assert.ok((kept[0] ?? 0) > 0)
  })

  test('overwrites a distributed installation only with --force', async () => {
    at(divided.url)
    assert.equal((await call(`restore ${folder}/divided.landfall`)).code, 1)
    await run(`restore ${folder}/divided.landfall --force`)
    assert.equal(await withConnection(divided.url, isDistributed), false)
    await run('database distribute --shards 8')
  })
})

/** Returns how many steps were done. */
async function writeInTurn(url: string, accounts: readonly string[], signal: AbortSignal): Promise<number> {
  return await withConnection(url, async (client) => {
    for (let step = 1; ; step += 1) {
      for (const id of accounts)
        await client.query('update saved_views set name = $2 where account_id = $1', [id, String(step)])
      if (signal.aborted) return step
    }
  })
}

const rowsOf = (url: string): Promise<Dump> => withConnection(url, (client) => dumpRows(client))
const withoutPause = ({ tables, ...rest }: Dump): Dump => ({
  ...rest,
  tables: tables.map((table) => ({ ...table, rows: table.rows.filter(([name]) => name !== 'paused') })),
})
