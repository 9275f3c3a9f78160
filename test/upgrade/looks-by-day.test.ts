/** Polls from before their summaries by day: all exist after the upgrade, and the history is the same after deletion. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays } from '../../src/domain/values/time.ts'
import { prunePolls } from '../../src/pipeline/polling/prune-polls.ts'
import { openTestDatabase } from '../support/database.ts'
import { listKept, readLightKept } from './kept.ts'
import { upgradedOf } from './restore.ts'
import { rowsOf } from './rows.ts'
import { openUpgraded } from './upgraded.ts'

/** The installations stored before the log of polls was divided by days. */
const undivided = listKept().filter((name) => rowsOf(readLightKept(name), 'looks').length > 0)
assert.ok(undivided.length > 0)

for (const name of undivided)
  test(`the history of the stored installation ${name} is the same after its polls are deleted`, async () => {
    const kept = readLightKept(name)
    const database = await openTestDatabase({ filling: upgradedOf(name) })
    const upgraded = await openUpgraded(kept, database.url)
    const { api } = upgraded
    try {
      const { pool } = api.service
      const polls = rowsOf(kept, 'looks')
      const count = async (table: string) => (await pool.query(`select from ${table}`)).rowCount
      assert.ok(polls.length > 50)
      assert.deepEqual([await count('looks'), await count('day_looks')], [polls.length, 0])
      const ended = polls.map((look) => String(look.get('ended_at'))).toSorted()
      const moments = [0.2, 0.5, 0.8, 1].map((part) =>
        new Date(Date.parse(ended[Math.floor(part * (ended.length - 1))] ?? '') + 1).toISOString(),
      )
      const urls = kept.observed.answers.filter(({ url }) => /^\/v2\/shipments\/[0-9a-f-]{36}$/.test(url))
      assert.ok(urls.length > 5)
      const pasts = async () => {
        const told: string[] = []
        for (const { url, key } of urls.slice(0, 6))
          for (const at of moments) told.push((await api.call({ url: `${url}?as_of=${at}`, key })).text)
        return told
      }
      // It works while an earlier version of the program still writes as before.
      await pool.query(
        `insert into looks (subject_id, id, started_at, ended_at, duration_ms, outcome, is_unchanged)
         select subject_id, gen_random_uuid(), $1, $1, 1, 'found', true from looks limit 1`,
        [kept.seenAt],
      )
      const days = (Date.parse(addDays(new Date().toISOString(), 32)) - api.clock.now()) / 86_400_000
      api.clock.advance(Math.ceil(days) * 86_400_000)
      const before = await pasts()
      assert.ok(before.some((text) => /"line_tracking_last_succeeded_at":"/.test(text)))
      for (let rest = 0; rest < 10; rest += 1) {
        while ((await prunePolls(api.service, { rowsMax: 40 })) > 0);
        assert.deepEqual(await pasts(), before)
        api.clock.advance(600_000)
        if ((await count('looks')) === 0) break
      }
      assert.equal(await count('looks'), 0)
    } finally {
      await upgraded.close()
      await database.close()
    }
  })
