/** The events of an installation from before they lay in parts: the migration reads none, and all go on as they are. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberEvents } from '../../src/service/telling/events/number-events.ts'
import { tidyEvents } from '../../src/service/telling/events/tidy-events.ts'
import { inTransaction } from '../../src/store/database.ts'
import { cutBefore } from '../../src/store/ground/time-parts.ts'
import { withConnection } from '../support/cluster.ts'
import { openTestDatabase } from '../support/database.ts'
import { beginEventParts } from '../support/event-months.ts'
import { listKept, readKept } from './kept.ts'
import { restoreKept, upgrade } from './restore.ts'
import { rowsOf } from './rows.ts'
import { openUpgraded } from './upgraded.ts'

for (const name of listKept())
  test(`the events of the installation that was kept as ${name} become a part while older programs write`, async () => {
    const kept = readKept(name)
    const database = await openTestDatabase()
    await restoreKept(database.url, kept)
    const file = (table: string) =>
      withConnection(database.url, async (client) => {
        const { rows } = await client.query<{ file: string }>(
          `select relfilenode::text as file from pg_class where relname = $1`,
          [table],
        )
        return rows[0]?.file
      })
    const fileBefore = await file('events')
    await upgrade(database.url)
    assert.equal(await file('events_before'), fileBefore, 'the table was not written anew')
    const upgraded = await openUpgraded(kept, database.url)
    const { service, clock } = upgraded.api
    const { pool } = service
    try {
      await beginEventParts(pool, new Date(clock.now()).toISOString())
      const count = rowsOf(kept, 'events').length
      assert.ok(count > 50)
      const places = async () => {
        const { rows } = await pool.query<{ place: string; count: number }>(
          `select tableoid::regclass::text as place, count(*)::int from events group by 1 order by 1`,
        )
        return Object.fromEntries(rows.map((row) => [row.place, row.count]))
      }
      // As versions of before write and number them.
      let written = 0
      const writeAsBefore = async () => {
        written += 1
        await pool.query(
          `insert into events (account_id, id, name, reference_type, reference_id, payload, created_at)
           select account_id, gen_random_uuid(), name, reference_type, reference_id, payload, created_at from events limit 1`,
        )
        await pool.query(
          `with batch as materialized (
             select account_id, id, ordinal from events where sequence is null order by ordinal limit 2000
           ), placed as (
             select account_id, id, row_number() over (partition by account_id order by ordinal) as place from batch
           ), counted as (
             select account_id, count(*) as events from batch group by account_id
           ), counters as (
             insert into event_counters (account_id, last_sequence) select account_id, events from counted
             on conflict (account_id) do update set last_sequence = event_counters.last_sequence + excluded.last_sequence
             returning account_id, last_sequence
           )
           update events e set sequence = counters.last_sequence - counted.events + placed.place
             from placed join counters using (account_id) join counted using (account_id)
            where e.account_id = placed.account_id and e.id = placed.id`,
        )
      }
      // Each step is what a process that died after the one before finds.
      for (const step of ['checked', 'cut', null]) {
        await writeAsBefore()
        assert.equal(
          await inTransaction(pool, (db) => cutBefore(db, 'events', new Date(clock.now()).toISOString())),
          step,
        )
      }
      await writeAsBefore()
      await tidyEvents(service)
      clock.advance(35 * 86_400_000)
      await tidyEvents(service)
      await writeAsBefore()
      assert.deepEqual(await places(), { events_0001: 1, events_before: count + written - 1 })
      assert.equal(await numberEvents(service), 0)
      const { rows } = await pool.query(
        `select from (select account_id, count(*) as events, max(sequence) as last, count(distinct ordinal) as ordinals
                        from events group by 1) e
          where events <> last or ordinals <> events`,
      )
      assert.deepEqual(rows, [], 'numbers without gaps, and no ordinal twice')
    } finally {
      await upgraded.close()
      await database.close()
    }
  })
