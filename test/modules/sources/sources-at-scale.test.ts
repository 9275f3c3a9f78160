// However often a line was polled and answered, its state is read from indexes: no scan of polls, poll targets or claims.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Db } from '../../../src/db/database.ts'
import type { Context } from '../../../src/modules/access/context.ts'
import { listSourceOverviews } from '../../../src/modules/sources/list-sources.ts'
import { openTestService, type TestService } from '../../support/service.ts'

let running: TestService
let account: Context
const channelId = '00000000-0000-4000-8000-00000000000c'
const numbers = 5_000
const rows = 50_000

before(async () => {
  running = await openTestService()
  account = await running.newAccount()
  const { pool } = running.service
  const accountId = account.account.id
  const run = (text: string, values: readonly unknown[]) => pool.query({ text, values: [...values] })
  await run(
    `insert into channels (id, account_id, scac, source, profile, is_fiction, created_at)
     values ($1, $2, 'MSCU', 'dcsa', '{}', false, now())`,
    [channelId, accountId],
  )
  await run(
    `insert into subjects (id, credential_id, scac, kind, number, created_at, next_look_at, last_attempted_at, failures)
     select md5(n::text)::uuid, $1, 'MSCU', 'bill_of_lading', 'MEDU' || n, '2026-01-01',
            timestamptz '2026-03-01' + n * interval '1 second', '2026-02-01', (n % 4 = 0)::integer
       from generate_series(1, $2::integer) n`,
    [channelId, numbers],
  )
  await run(
    `select make_looks_day(day::date) from generate_series(date '2026-01-01', date '2026-02-05', interval '1 day') day`,
    [],
  )
  await run(
    `insert into day_looks (subject_id, id, started_at, ended_at, duration_ms, outcome, is_unchanged, credential_id, snapshot_id,
                        events_told, events_aside, events_understood, events_lost, unread)
     select md5((n % $2::integer + 1)::text)::uuid, gen_random_uuid(), at, at, 100 + n % 10, 'found', false, $1,
            md5('answer ' || n)::uuid, 10, 0, 10, 0, '{}'
       from generate_series(1, $3::integer) n
       join lateral (select timestamptz '2026-01-01' + n * interval '1 minute' as at) t on true`,
    [channelId, numbers, rows],
  )
  await run(
    `insert into claims (account_id, id, subject_id, source_kind, source_code, source_key, observation, first_snapshot_id,
                         reader, read_at, recorded_at)
     select $1, gen_random_uuid(), md5((n % $2::integer + 1)::text)::uuid, 'shipping_line', 'MSCU', n::text,
            jsonb_build_object('kind', 'event', 'classifier', 'ACT', 'time',
              jsonb_build_object('kind', 'instant', 'at', to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))),
            md5('answer ' || n)::uuid, 'dcsa', at, at + interval '2 hours'
       from generate_series(1, $3::integer) n
       join lateral (select timestamptz '2026-01-01' + n * interval '1 minute' as at) t on true`,
    [accountId, numbers, rows],
  )
  await run('analyze channels, subjects, day_looks, claims', [])
})
after(() => running.close())

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly Plan[]
}

function scannedIn(plan: Plan): readonly string[] {
  const own = plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : []
  return [...own, ...(plan.Plans ?? []).flatMap(scannedIn)]
}

test('reads the overview of sources from indexes, with a bounded number of blocks', async () => {
  const { pool } = running.service
  const reads: { readonly name: string; readonly scanned: readonly string[]; readonly blocks: number }[] = []
  const db = {
    query: async (statement: { readonly name: string; readonly text: string; readonly values: readonly unknown[] }) => {
      const { rows: plans } = await pool.query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>({
        text: `explain (analyze, buffers, format json) ${statement.text}`,
        values: [...statement.values],
      })
      for (const { Plan: plan } of plans.flatMap((row) => row['QUERY PLAN']))
        reads.push({
          name: statement.name,
          scanned: scannedIn(plan),
          blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
        })
      return pool.query(statement as never)
    },
  } as unknown as Db & TestService['service']['pool']
  const [way] = await listSourceOverviews({ ...running.service, pool: db }, account)
  assert.deepEqual([way?.answeredShare, way?.answerMs, way?.newsDelayMs], [0.75, 104, 7_200_000])
  assert.deepEqual(reads.map(({ name }) => name).toSorted(), [
    'line_readings',
    'news_delays',
    'position_feeds',
    'sources_contradicted',
    'sources_milestones',
    'sources_of_account',
  ])
  for (const { name, scanned, blocks } of reads) {
    const large = scanned.filter((table) => /^(day_looks_\d+|subjects|claims)$/.test(table))
    assert.deepEqual(large, [], name)
    assert.ok(blocks < 1_000, `${name} touches ${blocks} blocks`)
  }
})
