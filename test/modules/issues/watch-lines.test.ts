// A line whose answers suddenly change: the operator is warned which line, how much is lost, with an example, and
// is informed when it is over.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { reportJumps, watchLines } from '../../../src/modules/issues/watch-lines.ts'
import { describeOperatorIssue } from '../../../src/platform/operator-issue-kinds.ts'
import { openCommandLine } from '../../support/command-line.ts'
import { openTestService, type TestService } from '../../support/service.ts'

let running: TestService
const { call } = openCommandLine(() => ({ DATABASE_URL: running.databaseUrl }))
const credentialId = '00000000-0000-4000-8000-00000000000c'
let seconds = 0

before(async () => {
  running = await openTestService()
  await running.newAccount()
  const { pool } = running.service
  await pool.query({
    text: `insert into credentials (id, scac, source, profile, is_fiction, created_at)
           values ($1, 'MSCU', 'dcsa', '{}', false, now())`,
    values: [credentialId],
  })
  await pool.query({
    text: `insert into subjects (id, credential_id, scac, kind, number, created_at)
           select gen_random_uuid(), $1, 'MSCU', 'bill_of_lading', 'MEDU' || n, now() from generate_series(1, 10) n`,
    values: [credentialId],
  })
})
after(() => running.close())

/** Each answer has ten events; the answers are about ten numbers in rotation. */
async function answer(times: number, understood: number): Promise<void> {
  await running.service.pool.query({
    text: `insert into looks (subject_id, id, started_at, ended_at, duration_ms, outcome, is_unchanged, credential_id,
                              events_told, events_aside, events_understood, events_lost, unread)
           select s.id, gen_random_uuid(), at, at, 1, 'found', false, $1, 10, 0, $3, 0, $4
             from generate_series(1, $2) n
             join lateral (select timestamptz '2026-01-01' + ($5 + n) * interval '1 second' as at) t on true
             join lateral (select id from subjects where number = 'MEDU' || (n % 10 + 1)) s on true`,
    values: [credentialId, times, understood, understood < 10 ? '{"no_place": 3}' : '{}', seconds],
  })
  seconds += times
}

const misread = async () =>
  /^landfall_line_misread_total\{scac="MSCU"\} (\d+)/m.exec(await running.service.metrics.write())?.[1] ?? '0'

test('gives no warning while a line is understood as before', async () => {
  await answer(120, 10)
  assert.equal(await watchLines(running.service), 0)
  await reportJumps(running.service)
  assert.deepEqual(running.service.operatorIssues.active(), [])
})

test('warns the operator once when the unread events of a line suddenly increase', async () => {
  await answer(50, 7)
  assert.equal(await watchLines(running.service), 1)
  assert.equal(await watchLines(running.service), 0, 'one process says it, once')
  assert.equal(await misread(), '1')
  await reportJumps(running.service)
  assert.deepEqual(running.service.operatorIssues.active(), ['line_misread'])
  const printed = await call('issues')
  assert.equal(printed.code, 0, printed.err)
  assert.match(
    printed.out,
    /^! MSC \(MSCU\): 30 % of the events are not understood, 0 % before; for example the answer about MEDU\d+: 3 no_place\.$/m,
  )
  const { lines_misread: lines } = JSON.parse((await call('issues --json')).out)
  assert.partialDeepStrictEqual(lines, [{ scac: 'MSCU', shareBefore: 0, shareNow: 0.3 }])
  const {
    summary: says,
    remedy,
    isHint,
  } = describeOperatorIssue('line_misread', { database: 'private', dataFolder: '.' })
  assert.match(`${says} ${remedy}`, /suddenly understands less.*landfall -- issues.*sources read/s)
  assert.equal(isHint, true, 'it is served on meanwhile')
})

test('the warning remains while a line sends unreadable events, and ends by itself afterwards', async () => {
  await answer(150, 7)
  assert.equal(await watchLines(running.service), 0)
  await reportJumps(running.service)
  assert.deepEqual(running.service.operatorIssues.active(), ['line_misread'])
  await answer(50, 10)
  assert.equal(await watchLines(running.service), 1)
  await reportJumps(running.service)
  assert.deepEqual(running.service.operatorIssues.active(), [])
  assert.doesNotMatch((await call('issues')).out, /MSCU/)
})
