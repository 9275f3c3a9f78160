/**
 * The ledger is the proof: folded again, it gives what is served, byte by byte. The check finds every planted
 * difference.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Source } from '../../../src/connectors/source.ts'
import { openSingleConnection, type Pool } from '../../../src/db/database.ts'
import type { Observation } from '../../../src/domain/statements/observation.ts'
import { scoreDueEtas } from '../../../src/modules/scorecards/score-etas.ts'
import { isFromLedgerSql } from '../../../src/pipeline/ledger/beside-fold-sql.ts'
import { type Fold, foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { readLedger } from '../../../src/pipeline/ledger/ledger-sql.ts'
import { type RebuildReport, rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { rebuiltTables } from '../../../src/pipeline/ledger/rebuild-sql.ts'
import { openReplay } from '../../../src/pipeline/ledger/replay.ts'
import { rereadAll } from '../../../src/pipeline/ledger/reread-history.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { createSnapshotLoader } from '../../../src/pipeline/ledger/snapshot-loader.ts'
import { openPastTables } from '../../../src/pipeline/ledger/state-at-sql.ts'
import { emptyState } from '../../../src/pipeline/ledger/state-rows.ts'
import type { EntryYield, JourneyState } from '../../../src/pipeline/projection/journey-state-sql.ts'
import { saveStates } from '../../../src/pipeline/projection/save-states-sql.ts'
import { type BusyMonths, liveBusyMonths } from '../../support/busy-months.ts'

describe('rebuilding projections', () => {
  let months: BusyMonths
  before(async () => {
    months = await liveBusyMonths({ journeys: 10, seed: 7 })
  })
  after(() => months.close())

  const fold = (): ReturnType<typeof foldBy> => foldBy(readRules(months.world.service.config))
  const check = (repair = false): Promise<RebuildReport> =>
    rebuildProjections(months.world.service, fold(), { repair, differencesMax: 20, progress: () => {} })
  const query = async (text: string): Promise<readonly Record<string, unknown>[]> =>
    (await months.world.service.pool.query<Record<string, unknown>>(text)).rows

  test('gives exactly the stored rows, including their ids', async () => {
    const report = await check()
    assert.deepEqual(report.differences, [])
    assert.equal(report.asRecorded, 0)
    assert.ok(months.snapshots > 200, `${months.snapshots} snapshots`)
    assert.ok(report.snapshotsRead > months.snapshots, 'accounts that share a subject read its snapshots each')
  })

  test('repairs the labels that list filters use', async () => {
    const labels = () => query('select account_id, id, term, at from labels order by account_id, id, term')
    const were = await labels()
    assert.ok(were.length > 0, 'nothing has a tag or a reference')
    await query(`update shipments set tags = '{planted}', ref_numbers = '{}'`)
    await query(`update containers set ref_numbers = '{PLANTED}', updated_at = updated_at + interval '1 day'`)
    assert.notDeepEqual(await labels(), were)
    await check(true)
    assert.deepEqual(await labels(), were)
    assert.deepEqual((await check()).differences, [])
  })

  test('gives the outcomes of estimates, and has those made again that differ', async () => {
    const score = async (): Promise<void> => {
      while ((await scoreDueEtas(months.world.service)) > 0);
    }
    await score()
    const read = () => query('select * from eta_outcomes order by account_id, shipment_id, kind, source_code, told_at')
    const were = await read()
    assert.ok(were.length > 50, `${were.length} outcomes`)
    await query(`update eta_outcomes set error_hours = error_hours + 1 where kind = 'first'`)
    await query(`delete from eta_outcomes where kind = 'line' and moved_hours is null`)
    await query(`update eta_outcomes set kind = 'terminal' where kind = 'line' and moved_hours = 0`)
    const { differences } = await check(true)
    assert.deepEqual(new Set(differences.map(({ table }) => table)), new Set(['eta_outcomes']))
    await score()
    assert.deepEqual(await read(), were)
    assert.deepEqual((await check()).differences, [])
    await query('insert into eta_outcomes_due select account_id, id from shipments')
    await query('delete from eta_outcomes')
    await score()
    assert.deepEqual(await read(), were)
  })

  test('the test data contains every case that a fold can get wrong', async () => {
    const [counts] = await query(`
      select (select count(*) from ledger where kind = 'timer') as timers,
             (select count(*) from ledger where payload ->> 'action' = 'stop_tracking') as stops,
             (select count(*) from ledger where payload ->> 'action' = 'resume_tracking') as resumes,
             (select count(*) from ledger where kind = 'heard' and payload @> '{"add": [{"fact": "delivered"}]}') as deliveries,
             (select count(*) from claims where retired_at is not null) as retired,
             (select count(*) from events where name = 'container.transport.corrected') as corrected,
             (select count(*) from events where name = 'container.transport.retracted') as retracted,
             (select count(*) from events where name like 'container.transport.estimated.%') as estimates,
             (select count(*) from issues) as issues,
             (select count(*) from tracking_requests where status = 'tracking_stopped') as stopped,
             (select count(*) from (select 1 from tracking_requests where shipment_id is not null
                                     group by account_id, shipment_id having count(*) > 1) s) as joined`)
    for (const [what, count] of Object.entries(counts ?? {})) assert.ok(Number(count) > 0, `no ${what}`)
    const failed = months.world.logged().filter(({ event }) => event === 'job.failed')
    assert.deepEqual(failed.slice(0, 2), [], `${failed.length} jobs failed`)
  })

  test('gives the stored rows, whether it saves state after each ledger entry or after many', async () => {
    const { pool } = months.world.service
    for (const { account } of months.accounts) {
      const accountId = account.id
      const entries = await readLedger(pool, { accountId, after: 0, limit: 10_000 })
      const [often, once] = [openSingleConnection(pool), openSingleConnection(pool)]
      try {
        for (const each of [often, once]) await openPastTables(each)
        const replay = openReplay(pool, fold(), {
          accountId,
          loader: createSnapshotLoader(pool, months.world.service),
        })
        const empty = emptyState(accountId)
        const all: EntryYield[] = []
        let before = empty
        const readOnce = async (): Promise<unknown> => {
          await once.query('savepoint nothing')
          const from = { state: empty, locked: new Set<string>() }
          await saveStates(once, { before: from, after: replay.state(), yields: all })
          const rows = await readRebuilt(once, accountId)
          await once.query('rollback to savepoint nothing')
          return rows
        }
        for (const [done, entry] of entries.entries()) {
          await replay.fold(entry)
          const yields = replay.takeYields()
          const after = replay.state()
          const loaded = { state: { ...before, issues: new Map() }, locked: new Set(before.requests.keys()) }
          await saveStates(often, { before: loaded, after: countedSince(before, after), yields })
          all.push(...yields)
          before = after
          if (done % 40 !== 0) continue
          assert.deepEqual(await readRebuilt(often, accountId), await readOnce(), `after ${entry.position}`)
        }
        const inTheEnd = await readOnce()
        assert.deepEqual(await readRebuilt(often, accountId), inTheEnd)
        assert.deepEqual(inTheEnd, await readRebuilt(pool, accountId), 'as live work left it')
      } finally {
        await Promise.all([often.end(), once.end()])
      }
    }
  })

  test('finds ledger entries of a shipment whose requests lost its id, and fails at an entry without a request', async () => {
    await query(`create table kept_asking as select account_id, id, shipment_id from tracking_requests`)
    await query(`update tracking_requests set shipment_id = null`)
    const { differences } = await check()
    assert.ok(differences.length > 10)
    for (const { table, columns } of differences)
      assert.deepEqual([table, ...columns], ['tracking_requests', 'shipment_id'])
    await query(`update tracking_requests r set shipment_id = k.shipment_id from kept_asking k
                  where k.account_id = r.account_id and k.id = r.id`)
    const [stray] = await query(
      `insert into ledger (account_id, kind, shipment_id, recorded_at, payload, rules)
       select id, 'timer', gen_random_uuid(), created_at, '{"of": "shipment"}', 2 from accounts order by id limit 1
       returning position`,
    )
    await assert.rejects(
      check(),
      new RegExp(`^Error: Ledger entry ${stray?.['position']} \\(timer\\) cannot be folded: it belongs to no request`),
    )
    await query(`alter table ledger disable trigger user`)
    await query(`delete from ledger where position = ${stray?.['position']}`)
    await query(`alter table ledger enable trigger user`)
    assert.deepEqual((await check()).differences, [])
  })

  test('reports every planted fault and nothing else', async () => {
    for (const table of ['containers', 'shipments', 'events', 'claims'])
      await query(`create table kept_${table} as select * from ${table}`)
    const faults: readonly (readonly [sql: string, reported: string])[] = [
      [
        `update containers set projection = jsonb_set(projection, '{status}', '"off_dock"')
          where id = (select id from containers where status <> 'off_dock' order by id limit 1)`,
        'containers different: projection',
      ],
      [
        `update shipments set tags = tags || 'x'::text where id = (select min(id::text)::uuid from shipments)`,
        'shipments different: tags',
      ],
      [
        // Not the event that is lost below, which is the last of an account.
        `update events set payload = payload || '{"x": 1}'
          where id = (select id from events where sequence = 1 order by account_id limit 1)`,
        'events different: payload',
      ],
      [
        `update claims set observation = observation || '{"key": "x"}'
          where id = (select min(id::text)::uuid from claims)`,
        'claims different: observation',
      ],
      [`delete from claims where id = (select max(id::text)::uuid from claims)`, 'claims missing: '],
      [
        `insert into events (id, account_id, name, reference_type, reference_id, shipment_id, payload, created_at)
         select gen_random_uuid(), account_id, name, reference_type, reference_id, shipment_id, payload, created_at
           from events where shipment_id is not null order by id limit 1`,
        'events unexpected: ',
      ],
      [
        `delete from events where id = (select id from events t where sequence is not null and ${isFromLedgerSql('events')}
                                         order by account_id, sequence desc limit 1)`,
        'events missing: ; accounts misnumbered: sequence',
      ],
      [swapSequences, 'events misnumbered: sequence'],
    ]
    for (const [sql] of faults) await query(sql)
    const reported = (await check()).differences.map(
      ({ table, kind, columns }) => `${table} ${kind}: ${columns.join(', ')}`,
    )
    assert.deepEqual(reported.toSorted(), faults.flatMap(([, expected]) => expected.split('; ')).toSorted())
  })

  test('a repair makes the tables equal to the result of the ledger, except sent events', async () => {
    await query(`update tracking_requests set timer_at = '2001-01-01' where timer_at is null`)
    await query(`delete from transport_events where id in (select id from transport_events limit 5)`)
    const repaired = await check(true)
    assert.equal(repaired.isRepaired, true)
    assert.ok(repaired.differences.length > 10)
    const still = (await check()).differences
    assert.deepEqual(new Set(still.map(({ table }) => table)), new Set(['events', 'accounts']))
    await query(`delete from events`)
    await query(`insert into events overriding system value select * from kept_events`)
    for (const table of ['containers', 'shipments', 'events', 'claims']) {
      const [row] = await query(
        `select count(*) as n from (select to_jsonb(t) from ${table} t except select to_jsonb(k) from kept_${table} k) d`,
      )
      assert.equal(row?.['n'], 0, `${table} is as it was before`)
    }
  })

  test('reports a changed byte in a snapshot, and no repair uses damaged bytes', async () => {
    await query(`create table whole_snapshots as select * from snapshots`)
    await query(`update snapshots set body = set_byte(body, 40, get_byte(body, 40) # 1)
                  where id = (select min(id::text)::uuid from snapshots)`)
    const report = await check(true)
    assert.ok(report.differences.some(({ table, columns }) => table === 'snapshots' && columns[0] === 'body'))
    assert.equal(report.isRepaired, false)
    await query(`update snapshots s set body = k.body from whole_snapshots k where s.id = k.id`)
  })

  test('keeps the recorded results of entries that an earlier version of a reader produced', async () => {
    const report = await rebuildProjections(months.world.service, withReader(fold(), corrected), {
      repair: false,
      differencesMax: 20,
      progress: () => {},
    })
    assert.deepEqual(report.differences, [])
    assert.ok(report.asRecorded > 200, `${report.asRecorded} as recorded`)
  })
})

describe('a corrected reader', () => {
  let months: BusyMonths
  before(async () => {
    months = await liveBusyMonths({ journeys: 6, seed: 41, looks: 21 })
  })
  after(() => months.close())

  test('repairs tracked shipments and announces the differences as corrections', async () => {
    const { world } = months
    const { pool } = world.service
    const old = foldBy(readRules(world.service.config))
    const fresh = withReader(old, corrected)
    const check = async (fold: Fold): Promise<RebuildReport> => {
      const report = await rebuildProjections(world.service, fold, {
        repair: false,
        differencesMax: 20,
        progress: () => {},
      })
      assert.deepEqual(report.differences, [])
      return report
    }
    const eventCounts = async (): Promise<Readonly<Record<string, number>>> => {
      const { rows } = await pool.query<{ name: string; n: number }>(
        `select name, count(*)::integer as n from events where sequence is not null group by name`,
      )
      return Object.fromEntries(rows.map(({ name, n }) => [name, n]))
    }
    const checked = await check(old)
    assert.ok(checked.snapshotsRead > 50)
    const before = await eventCounts()
    assert.deepEqual((await rereadAll(world.service, old, () => world.clock)).requests, 0, 'nothing to read anew')

    const reread = await rereadAll(world.service, fresh, () => world.clock)
    assert.deepEqual(reread.failed, [])
    assert.ok(reread.changed > 3 && reread.added > 3 && reread.retired > 3, JSON.stringify(reread))
    await world.drain()
    const after = await eventCounts()
    const more = (name: string): number => (after[name] ?? 0) - (before[name] ?? 0)
    assert.ok(more('container.transport.corrected') > 0, 'times that are read otherwise')
    assert.ok(more('container.transport.retracted') > 0, `events that are no longer read: ${JSON.stringify(after)}`)
    assert.equal(more('tracking_request.succeeded'), 0)

    assert.ok((await check(fresh)).asRecorded > 50)
    assert.ok((await check(old)).asRecorded > 3, 'the second readings')
    const again = await rereadAll(world.service, fresh, () => world.clock)
    assert.deepEqual([again.added, again.retired], [0, 0])
  })

  test('cannot be verified when a claim is missing that only the earlier reader could produce', async () => {
    const { service } = months.world
    const { rows } = await service.pool.query<{ id: string }>(
      `delete from claims where reader like 'dcsa/5+%' and id = (
         select id from claims where reader like 'dcsa/5+%' order by id limit 1) returning id`,
    )
    await assert.rejects(
      rebuildProjections(service, withReader(foldBy(readRules(service.config)), corrected), {
        repair: false,
        differencesMax: 20,
        progress: () => {},
      }),
      new RegExp(`claim ${rows[0]?.id} is gone`),
    )
  })
})

/** Two events of one shipment exchange their numbers, with negative numbers in between, because a number is unique. */
const swapSequences = `
  do $$
  declare pair record;
  begin
    select array_agg(id order by ordinal) as ids, array_agg(sequence order by ordinal) as numbers into pair
      from events where sequence is not null
       and shipment_id = (select shipment_id from events where shipment_id is not null
                           group by shipment_id having count(*) > 5 order by shipment_id limit 1);
    update events set sequence = -1 where id = pair.ids[2];
    update events set sequence = pair.numbers[2] where id = pair.ids[1];
    update events set sequence = pair.numbers[1] where id = pair.ids[2];
  end $$`

function withReader(fold: Fold, mend: (source: Source<unknown>) => Source<unknown>): Fold {
  return {
    ...fold,
    findSource: (name) => {
      const source = fold.findSource(name)
      return source === null || source.name !== 'dcsa' ? source : mend(source)
    },
  }
}

/** Reads discharges an hour later than the reader before it, and laden containers out of the gate not at all. */
function corrected(source: Source<unknown>): Source<unknown> {
  return {
    ...source,
    version: source.version + 1,
    read: (...asked) => {
      const reading = source.read(...asked)
      return { ...reading, observations: reading.observations.flatMap(readOtherwise) }
    },
  }
}

function readOtherwise(said: Observation): readonly Observation[] {
  if (said.kind !== 'event') return [said]
  if (said.code === 'GTOT' && said.load === 'LADEN') return []
  if (said.code !== 'DISC' || said.time.kind !== 'instant') return [said]
  const at = new Date(Date.parse(said.time.at) + 3_600_000).toISOString()
  return [{ ...said, time: { ...said.time, at } }]
}

/** Issues are counted from the time a state was loaded: here, from the entry before. */
function countedSince(before: JourneyState, after: JourneyState): JourneyState {
  const counted = [...after.issues.values()]
    .filter((issue) => before.issues.get(issue.id) !== issue)
    .map((issue) => ({ ...issue, times: issue.times - (before.issues.get(issue.id)?.times ?? 0) }))
  return { ...after, issues: new Map(counted.map((issue) => [issue.id, issue])) }
}

/** For each table a fingerprint of the account's rows. */
async function readRebuilt(db: Pool, accountId: string): Promise<unknown> {
  const tables = rebuiltTables.map(
    ({ name, ignored }) =>
      `(select count(*) || ' ' || md5(string_agg((to_jsonb(t) - '{${ignored.join()}}'::text[])::text, '' order by id))
          from ${name} t where account_id = '${accountId}' and ${isFromLedgerSql(name)}) as ${name}`,
  )
  return (await db.query(`select ${tables.join()}`)).rows
}
