/** Deliveries from before their partitioning: the migration reads nothing, and all of them continue. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTransaction } from '../../src/db/database.ts'
import { partitionOldRows } from '../../src/db/time-partitions.ts'
import { addDays } from '../../src/domain/values/time.ts'
import { pruneDeliveries } from '../../src/pipeline/delivery/prune-deliveries.ts'
import { withConnection } from '../support/cluster.ts'
import { openTestDatabase } from '../support/database.ts'
import { listKept, readKept, readLightKept } from './kept.ts'
import { restoreKept, upgrade } from './restore.ts'
import { rowsOf } from './rows.ts'
import { openUpgraded } from './upgraded.ts'

const tables = ['webhook_notifications', 'webhook_notification_logs'] as const

const undivided = listKept().filter((name) => !readKept(name).migrations.includes('0113_parts_of_time'))
assert.ok(undivided.length > 0)

for (const name of undivided)
  test(`the deliveries of the stored installation ${name} become a partition while older programs write`, async () => {
    const kept = readLightKept(name)
    const database = await openTestDatabase()
    await restoreKept(database.url, kept)
    const files = () =>
      withConnection(database.url, async (client) => {
        const { rows } = await client.query<{ file: string }>(
          `select relfilenode::text as file from pg_class
            where relname ~ '^webhook_notification(s|_logs)(_before)?$' and relkind = 'r' order by relname`,
        )
        return rows.map(({ file }) => file)
      })
    const filesBefore = await files()
    await upgrade(database.url)
    assert.deepEqual(await files(), filesBefore, 'no table was written anew')
    const upgraded = await openUpgraded(kept, database.url)
    const { service, clock } = upgraded.api
    const { pool } = service
    try {
      const at = () => new Date(clock.now()).toISOString()
      const places = async (table: string) =>
        Object.fromEntries(
          (
            await pool.query<{ place: string; count: number }>(
              `select tableoid::regclass::text as place, count(*)::int from ${table} group by 1`,
            )
          ).rows.map(({ place, count }) => [place.replace(`${table}_`, ''), count]),
        )
      const counts = tables.map((table) => rowsOf(kept, table).length)
      assert.ok(counts.every((count) => count > 5))
      const [notifications = 0, attempts = 0] = counts
      // As earlier versions write it.
      let written = 0
      const writeAsBefore = async () => {
        written += 1
        await pool.query(
          `insert into webhook_notifications (account_id, id, webhook_id, event_id, event, sequence, lane_id, created_at, delivery_status)
           select account_id, gen_random_uuid(), webhook_id, event_id, event, sequence, lane_id, $1, 'succeeded'
             from webhook_notifications limit 1`,
          [at()],
        )
        await pool.query(
          `insert into webhook_notification_logs (account_id, notification_id, id, attempt, duration_ms, created_at)
           select account_id, id, gen_random_uuid(), 1, 1, $1 from webhook_notifications where created_at = $1`,
          [at()],
        )
      }
      const cut = (table: (typeof tables)[number]) => inTransaction(pool, (db) => partitionOldRows(db, table, at()))
      await writeAsBefore()
      // Begun, and not continued until its bound is near: the bound is removed, and nothing was refused.
      assert.equal(await cut('webhook_notification_logs'), 'bounded')
      clock.advance(2.9 * 86_400_000)
      assert.equal(await cut('webhook_notification_logs'), 'unbounded')
      clock.advance(86_400_000)
      await writeAsBefore()
      for (const table of tables)
        for (const step of ['bounded', 'checked', 'cut', null]) {
          assert.equal(await cut(table), step)
          clock.advance(1_000)
          await writeAsBefore()
        }
      assert.deepEqual(await places('webhook_notifications'), { before: notifications + written })
      assert.deepEqual(await places('webhook_notification_logs'), { before: attempts + written })
      await pruneDeliveries(service)
      clock.advance(70 * 86_400_000)
      await pruneDeliveries(service)
      await writeAsBefore()
      const month = at().slice(0, 7).replace('-', '')
      const day = at().slice(0, 10).replaceAll('-', '')
      assert.deepEqual(await places('webhook_notifications'), {
        before: notifications + written - 1,
        [month]: 1,
      })
      assert.deepEqual(await places('webhook_notification_logs'), { [day]: 1 }, 'the others were too old')
      assert.ok(addDays(at(), -60) > kept.seenAt)
    } finally {
      await upgraded.close()
      await database.close()
    }
  })
