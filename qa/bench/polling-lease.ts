/**
 * What it takes to find whom to ask next among very many channels, compared with the least that any queue in the
 * database needs.
 */

import { standardProfile } from '../../src/connectors/dcsa/profile.ts'
import { inTransaction, type Pool } from '../../src/db/database.ts'
import { queuePlannedChannels } from '../../src/pipeline/polling/channel-queue-sql.ts'
import { takeDuePolls } from '../../src/pipeline/polling/due-polls.ts'
import { realClock } from '../../src/platform/clock.ts'
import { uuidV7 } from '../../src/platform/ids.ts'
import { openInstallation } from './installation.ts'
import { type Figure, median, percentile, progress } from './measure.ts'

export async function benchLease(of: {
  readonly channels: number
  readonly rounds: number
  /** How many looks are leased at a time. */
  readonly taken: number
}): Promise<Figure> {
  const { channels, rounds, taken } = of
  const { service, postgres, close } = await openInstallation()
  try {
    progress(`polling: the lease among ${channels} channels`)
    const { pool } = service
    const hear = () =>
      inTransaction(pool, (db) => queuePlannedChannels(db, new Date(service.clock.now()).toISOString()))
    await fill(pool, channels)
    // Puts the new channels into the queue first, a thousand at a time.
    for (let heard = 0; heard <= channels / 1_000; heard += 1) await hear()
    await pool.query('vacuum analyze')
    const ours: number[] = []
    const least: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      await makeDue(pool, round, taken)
      // A worker that wakes up first queues the channels that were planned in the meantime.
      await hear()
      const startedAt = performance.now()
      const jobs = await takeDuePolls(service, taken)
      ours.push(performance.now() - startedAt)
      if (jobs.length !== taken) throw new Error(`${jobs.length} were taken, not ${taken}`)
      least.push(await leastOf(pool, round, taken))
      await finish(
        pool,
        jobs.map(({ pollTarget: subject }) => subject.id),
      )
    }
    const figure = median(ours)
    return {
      bench: 'polling',
      what: `A lease (${taken === 1 ? 'one look' : `${taken} looks`}) among ${channels.toLocaleString('en-US')} channels`,
      unit: 'ms',
      figure,
      limit: {
        what: `${taken} rows of a plain queue of as many locked, put off and committed`,
        value: median(least),
      },
      ratio: median(least) / figure,
      aim: 'less than 2 ms',
      isMet: figure < 2,
      note: `${rounds} leases, each of ${taken} channels at a time; 95 of 100 took less than ${percentile(ours, 0.95).toFixed(1)} ms, the fastest ${Math.min(...ours).toFixed(1)} ms`,
      postgres,
    }
  } finally {
    await close()
  }
}

/** One channel for each account, four numbers for each channel, none due. */
async function fill(pool: Pool, channels: number): Promise<void> {
  const profile = JSON.stringify({ ...standardProfile, scac: 'HLCU', base: 'https://line.example' })
  const values = [channels, profile, uuidV7(realClock.now())]
  await pool.query({
    text: `insert into accounts (id, company_name, is_fiction, created_at)
           select gen_random_uuid(), 'Account ' || n, false, now() from generate_series(1, $1) n`,
    values: [channels],
  })
  await pool.query({
    text: `insert into channels (id, account_id, scac, source, profile, is_fiction, created_at)
           select gen_random_uuid(), id, 'HLCU', 'dcsa', $1, false, now() from accounts where company_name like 'Account %'`,
    values: [values[1]],
  })
  await pool.query(`insert into subjects (id, credential_id, scac, kind, number, created_at, next_look_at, dealt_to)
    select gen_random_uuid(), c.id, 'HLCU', 'bill_of_lading', 'HLCU' || n || substr(c.id::text, 1, 8), now(),
           now() + interval '1 hour' + random() * interval '6 hours', c.account_id
      from channels c cross join generate_series(1, 4) n where c.scac = 'HLCU'`)
  await pool.query(
    'create table bench_queue (id int primary key, ready_at timestamptz not null) with (fillfactor = 50)',
  )
  await pool.query({
    text: "insert into bench_queue select n, now() - random() * interval '1 hour' from generate_series(1, $1) n",
    values: [channels],
  })
  await pool.query('create index on bench_queue (ready_at)')
}

/** Makes one number of some channels due. Each round takes other channels. */
async function makeDue(pool: Pool, round: number, taken: number): Promise<void> {
  await pool.query({
    text: `update subjects set next_look_at = now() - interval '1 second' where id in (
             select distinct on (credential_id) id from subjects
              where credential_id in (select id from channels where scac = 'HLCU' order by id offset $1 limit $2)
                and lease_token is null
              order by credential_id, id)`,
    values: [round * taken, taken],
  })
}

async function finish(pool: Pool, ids: readonly string[]): Promise<void> {
  await pool.query({
    text: `update subjects set lease_token = null, leased_until = null, next_look_at = now() + interval '6 hours' where id = any($1)`,
    values: [ids],
  })
}

async function leastOf(pool: Pool, round: number, taken: number): Promise<number> {
  const startedAt = performance.now()
  await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ id: number }>({
      name: 'bench_queue_take',
      text: `select id from bench_queue where ready_at <= now() order by ready_at limit $1 for update skip locked`,
      values: [taken],
    })
    await db.query({
      name: 'bench_queue_put',
      text: `update bench_queue set ready_at = now() + $2 * interval '1 second' where id = any($1::int[])`,
      values: [rows.map(({ id }) => id), round],
    })
  })
  return performance.now() - startedAt
}
