/**
 * The log of looks, with a partition per day: what one more look costs, how long it takes to drop a day with a million
 * looks, and what reading costs.
 */

import { inTransaction, type Pool } from '../src/db/database.ts'
import type { Service } from '../src/modules/service.ts'
import { readLineReadings } from '../src/modules/sources/line-readings-sql.ts'
import { prunePolls } from '../src/pipeline/polling/prune-polls.ts'
import { type Poll, recordPoll } from '../src/pipeline/response-archive/snapshots-sql.ts'
import { realClock } from '../src/platform/clock.ts'
import { uuidV7 } from '../src/platform/ids.ts'
import { openInstallation } from './installation.ts'
import { alternate, type Figure, median, medianRatio, progress, secondsOf, spread } from './measure.ts'
import { isFull } from './size.ts'

const rounds = 9
const looksOfRound = 3_000
const dayMs = 86_400_000
const floor = `(date_trunc('day', now() at time zone 'UTC') - interval '30 days') at time zone 'UTC'`

/** With `--full` the day that is dropped has ten million looks. */
export async function benchLooks(): Promise<readonly Figure[]> {
  const { service, postgres, close } = await openInstallation()
  try {
    const looks = isFull() ? 10_000_000 : 1_000_000
    progress(`looks: thirty days, and a day of ${looks} that goes`)
    await fill(service, looks)
    const figures = [await inserting(service.pool), await reading(service.pool), ...(await going(service, looks))]
    return figures.map((figure) => ({ bench: 'looks', ...figure, postgres }))
  } finally {
    await close()
  }
}

type Measured = Omit<Figure, 'bench' | 'postgres'>

const lookColumns = `subject_id, id, started_at, ended_at, duration_ms, outcome, status_code, detail, snapshot_id, is_unchanged,
  attempted_at, credential_id, events_told, events_aside, events_understood, events_lost, unread`

/**
 * Writes thirty days of 20,000 looks each, and before them the day that is dropped, in which each subject was asked
 * four times.
 */
async function fill(service: Service, looks: number): Promise<void> {
  const { pool } = service
  await pool.query(`insert into subjects (id, credential_id, scac, kind, number, created_at)
    select md5(n::text)::uuid, (select id from channels limit 1), 'ONEY', 'container', 'B' || n, now() - interval '40 days'
      from generate_series(1, ${looks / 4}) n`)
  for (let age = 31; age >= 0; age -= 1) {
    const day = new Date(realClock.now() - age * dayMs).toISOString().slice(0, 10)
    await pool.query({ text: 'select make_looks_day($1::date)', values: [day] })
    const count = age === 31 ? looks : 20_000
    for (let from = 0; from < count; from += 250_000)
      await pool.query({
        text: `insert into day_looks (${lookColumns})
               select md5((n % $2::int + 1)::text)::uuid, gen_random_uuid(), at, at, 300, case when n % 50 = 0 then 'unreachable' else 'found' end,
                      200, null, gen_random_uuid(), false, at, (select id from channels limit 1), 12, 0, 12, 0, '{}'
                 from generate_series($3::int, $4::int) n
                cross join lateral (select $1::timestamptz + n * (interval '1 day' / $5::float8) as at) t`,
        values: [day, looks / 4, from, Math.min(count, from + 250_000) - 1, count],
      })
  }
  // The log as it was before partitions: one table, with a key to the subjects.
  await pool.query(`create table plain_looks (like looks_before including all);
    alter table plain_looks add foreign key (subject_id) references subjects (id)`)
  await pool.query('vacuum analyze')
}

async function inserting(pool: Pool): Promise<Measured> {
  const { rows } = await pool.query<{ id: string; channel: string }>({
    text: `select id, credential_id as channel from subjects order by id limit $1`,
    values: [looksOfRound],
  })
  const lookAt = ({ id, channel }: (typeof rows)[number]): Poll => {
    const at = new Date(realClock.now()).toISOString()
    const events = { told: 12, aside: 0, understood: 12, lost: 0, unread: {} }
    const of = { subjectId: id, credentialId: channel, startedAt: at, attemptedAt: at, endedAt: at, events }
    const answer = {
      durationMs: 300,
      outcome: 'found',
      statusCode: 200,
      detail: 'answered',
      isUnchanged: false,
    }
    return { ...of, ...answer, id: uuidV7(realClock.now()), snapshotId: id }
  }
  /** How many looks per second one connection writes. */
  const write = async (record: typeof recordPoll): Promise<number> =>
    looksOfRound /
    (await secondsOf(() =>
      inTransaction(pool, async (db) => {
        for (const row of rows) await record(db, lookAt(row))
      }),
    ))
  const sides = await alternate(rounds, { ours: () => write(recordPoll), limit: () => write(recordPlain) })
  const ratio = medianRatio(sides)
  return {
    what: 'Looks written to the log by one connection',
    unit: 'looks/s',
    figure: median(sides.ours),
    limit: { what: 'the same into one plain table, as the log was before', value: median(sides.limit) },
    ratio,
    aim: 'at least 0.9 of it',
    isMet: ratio >= 0.9,
    note: `${rounds} rounds of ${looksOfRound}, ${spread(sides.ours)}; 32 days are there`,
  }
}

const recordPlain: typeof recordPoll = async (db, look) => {
  const swapped: typeof db = {
    query: (statement) =>
      db.query({
        ...statement,
        name: 'bench_look_plain',
        text: statement.text.replace('day_looks', 'plain_looks'),
      }),
  }
  await recordPoll(swapped, look)
}

async function reading(pool: Pool): Promise<Measured> {
  const times: number[] = []
  for (let round = 0; round < 50; round += 1)
    times.push(1_000 * (await secondsOf(() => readLineReadings(pool, { credentialIds: null, answers: 50 }))))
  const figure = median(times)
  return {
    what: 'What the newest answers of a line were understood of, read out of 32 days',
    unit: 'ms',
    figure,
    limit: null,
    ratio: null,
    aim: 'less than 20 ms',
    isMet: figure < 20,
    note: 'one access, the newest hundred answers',
  }
}

async function going(service: Service, looks: number): Promise<readonly Measured[]> {
  const { pool } = service
  const leastSeconds = await secondsOf(() =>
    pool.query(`create table least_days as
      select subject_id, (ended_at at time zone 'UTC')::date as day, array_agg(attempted_at) as at
        from day_looks where ended_at < ${floor} group by 1, 2`),
  )
  const pieces: number[] = []
  for (let more = 1; more > 0; )
    pieces.push(
      await secondsOf(async () => {
        more = await prunePolls(service)
      }),
    )
  const rested = { ...service, clock: { ...service.clock, now: () => realClock.now() + 601_000 } }
  const dropSeconds = await secondsOf(() => prunePolls(rested))
  const { rows } = await pool.query<{ left: number; kept: number }>(
    `select (select count(*) from day_looks where ended_at < ${floor})::int as left,
            (select count(*) from look_days)::int as kept`,
  )
  if (rows[0]?.left !== 0) throw new Error(`${rows[0]?.left} looks are left`)
  const seconds = pieces.reduce((sum, piece) => sum + piece, 0)
  const { rows: sizes } = await pool.query<{ bytes: number }>(`select pg_total_relation_size('look_days') as bytes`)
  return [
    {
      what: `Looks of a day that goes, folded to ${(rows[0]?.kept ?? 0).toLocaleString('en-US')} days of subjects`,
      unit: 'looks/s',
      figure: looks / seconds,
      limit: {
        what: 'one statement that groups the same rows into a table without a key',
        value: looks / leastSeconds,
      },
      ratio: leastSeconds / seconds,
      aim: 'at least 20,000: forty million in an hour and a quarter, rests included',
      isMet: looks / seconds >= 20_000,
      note: `${looks.toLocaleString('en-US')} looks in ${seconds.toFixed(1)} s and ${pieces.length} pieces, the longest ${(1_000 * Math.max(...pieces)).toFixed(0)} ms; ${Math.round((sizes[0]?.bytes ?? 0) / (rows[0]?.kept ?? 1))} bytes are kept of each subject and day`,
    },
    {
      what: 'The day dropped',
      unit: 'ms',
      figure: 1_000 * dropSeconds,
      limit: null,
      ratio: null,
      aim: 'less than 1,000 ms',
      isMet: dropSeconds < 1,
      note: 'as long as who looks may have to wait',
    },
  ]
}
