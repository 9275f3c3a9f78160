// The log of polls is stored for a set number of days. `as_of` and the list of attempts stay correct after its days were
// deleted.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { addMs } from '../../../src/domain/values/time.ts'
import type { Service } from '../../../src/modules/service.ts'
import { prunePolls } from '../../../src/pipeline/polling/prune-polls.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { openCarrier } from '../../support/carrier.ts'
import { giveAccess } from '../../support/service.ts'
import { journey } from '../../support/tracking-harness.ts'

const hourMs = 3_600_000
const startAt = '2026-02-01T00:00:00Z'
const number = 'HLCULOOKSDAY0001'
/** Nothing is looked at later. */
const seenAt = '2026-02-15T00:00:00.000Z'
const step = 29

interface Line {
  readonly api: TestApi
  /** Each with the only shipment that it tracks. */
  readonly accounts: readonly { readonly key: string; readonly request: string; readonly shipment: string }[]
  readonly tidy: (options?: { readonly rowsMax?: number }) => Promise<number>
}

/** Two accounts track one number of one line, the second from the second day on; every fifth poll fails. */
async function liveFor(t: TestContext, days: number): Promise<Line> {
  const api = await openTestApi({
    startAt,
    isServing: true,
    env: { LANDFALL_LOOKS_KEPT_DAYS: '7' },
  })
  const carrier = await openCarrier()
  t.after(async () => {
    await carrier.close()
    await api.close()
  })
  await giveAccess(api, { scac: 'HLCU', profile: carrier.profile('HLCU') })
  carrier.answersTo(() =>
    carrier.asked.length % 5 === 0
      ? { status: 503, json: {} }
      : { json: journey(number, api.clock.now() < Date.parse('2026-02-05T00:00:00Z') ? 'loaded' : 'sailed') },
  )
  const tidy: Line['tidy'] = (options) => prunePolls(api.service, options)
  const accounts: Line['accounts'][number][] = []
  for (let day = 0; day < days; day += 1) {
    if (day < 2) accounts.push(await track(api))
    // The partitions are made ahead, except on one day.
    if (day !== 4) await tidy()
    for (let part = 0; part < 4; part += 1) {
      api.clock.advance(6 * hourMs)
      await api.drain()
    }
  }
  return { api, accounts, tidy }
}

async function track(api: TestApi): Promise<Line['accounts'][number]> {
  const key = await api.newKey(await api.newAccount(), ['read', 'write'])
  const attributes = { request_type: 'bill_of_lading', request_number: number, scac: 'HLCU' }
  const body = { data: { type: 'tracking_request', attributes } }
  const made = await api.call({ method: 'POST', url: '/v2/tracking_requests', body, key })
  await api.drain()
  const shipments = await api.call({ url: '/v2/shipments', key })
  return { key, request: made.one().id, shipment: shipments.many()[0]?.id ?? '' }
}

/** The shipment of each account every few hours, each answer as the API sends it. */
async function pasts({ api, accounts }: Line, hours = step): Promise<readonly string[]> {
  const answers: string[] = []
  for (const { key, shipment } of accounts)
    for (let at = addMs(startAt, hourMs); at < seenAt; at = addMs(at, hours * hourMs)) {
      const answer = await api.call({ url: `/v2/shipments/${shipment}?as_of=${at}`, key })
      answers.push(`${at} ${answer.status} ${answer.text}`)
    }
  return answers
}

const rows = async <Row extends object>({ service }: TestApi, text: string): Promise<readonly Row[]> =>
  (await service.pool.query<Row & Record<string, never>>(text)).rows
const partsOf = async (api: TestApi): Promise<readonly string[]> =>
  (await rows<{ part: string }>(api, 'select part from look_parts where dropped_at is null order by part')).map(
    ({ part }) => part,
  )

/** Runs to the end, with the wait between condensing a partition and dropping it. */
async function tidyAll({ api, tidy }: Line, rests = 20): Promise<void> {
  for (let rest = 0; rest < rests; rest += 1) {
    while ((await tidy({ rowsMax: 3 })) > 0);
    api.clock.advance(hourMs / 6)
  }
}

test('deleting expired polls day by day does not change any answer with as_of', async (t) => {
  const line = await liveFor(t, 7)
  const { api, accounts, tidy } = line
  for (let part = 0; part < 7 * 4; part += 1) {
    api.clock.advance(6 * hourMs)
    await api.drain()
  }
  const before = await pasts(line)
  assert.ok(before.some((answer) => / 200 /.test(answer) && /"line_tracking_last_succeeded_at":"/.test(answer)))
  const [first, second] = accounts
  assert.ok(first !== undefined && second !== undefined && first.shipment !== second.shipment)
  const attemptsBefore = await api.call({
    url: `/v2/tracking_requests/${first.request}/attempts`,
    key: first.key,
  })
  assert.equal(attemptsBefore.body.meta?.['no_longer_listed'], null)
  const counted = 'select count(*) as n, count(distinct attempted_at) as asked from looks'
  const [{ n: looks, asked } = { n: 0, asked: 0 }] = await rows<{ n: number; asked: number }>(api, counted)
  // Wherever the process is killed, each batch is whole, and the next process continues.
  for (let piece = 0; piece < 6; piece += 1) {
    const isCut = piece % 3 === 1
    await prunePolls(isCut ? cutOff(api.service, 'look_part_fold') : api.service, { rowsMax: 2 }).catch(
      (error: Error) => assert.match(error.message, /^killed/),
    )
    assert.deepEqual(
      await pasts(line, 3 * step),
      before.filter((answer) => isAmong(answer, 3 * step)),
    )
  }
  // Killed after the day was condensed and before it was dropped: nothing is lost, and the next run drops it.
  api.clock.advance(hourMs / 6)
  const parts = await partsOf(api)
  await assert.rejects(prunePolls(cutOff(api.service, 'look_part_drop')), /^Error: killed/)
  assert.deepEqual(await partsOf(api), parts)
  assert.deepEqual(
    await pasts(line, 3 * step),
    before.filter((answer) => isAmong(answer, 3 * step)),
  )
  await tidyAll(line)
  await assert.rejects(
    api.service.pool.query(`select drop_looks_part('20260212')`),
    /are not folded/,
    'what is not folded does not go',
  )
  const [oldest] = await partsOf(api)
  assert.equal(oldest, '20260208', 'seven days and today')
  const [{ n: left } = { n: 0 }] = await rows<{ n: number }>(api, counted)
  assert.ok(left < looks && left > 0, `${left} of ${looks}`)
  assert.deepEqual(await pasts(line), before)
  assert.equal(await tidy(), 0)

  const listed = await api.call({
    url: `/v2/tracking_requests/${first.request}/attempts?page[size]=100`,
    key: first.key,
  })
  const gone = listed.body.meta?.['no_longer_listed'] as { attempts: number; until: string }
  const moments = new Set(listed.many().map(({ attributes }) => attributes['attempted_at']))
  assert.equal(moments.size + gone.attempts, asked)
  assert.ok(gone.until < '2026-02-08' && gone.until > '2026-02-07')
  const ofOther = await api.call({
    url: `/v2/tracking_requests/${second.request}/attempts?page[size]=100`,
    key: second.key,
  })
  const otherGone = ofOther.body.meta?.['no_longer_listed'] as { attempts: number }
  assert.ok(otherGone.attempts < gone.attempts, 'not what was asked before it asked')
})

test('as_of shows a poll that is stored late, even if older data of that day was already deleted', async (t) => {
  const line = await liveFor(t, 8)
  const { api, tidy } = line
  const [first] = line.accounts
  assert.ok(first !== undefined)
  const attemptedAt = async (at: string): Promise<unknown> => {
    const answer = await api.call({ url: `/v2/shipments/${first.shipment}?as_of=${at}`, key: first.key })
    const { line_tracking_last_attempted_at, line_tracking_last_succeeded_at } = answer.one().attributes
    return [line_tracking_last_attempted_at, line_tracking_last_succeeded_at]
  }
  /** As an earlier program writes it, which has no partitions for days. */
  const comes = (at: string, outcome: string) =>
    api.service.pool.query(
      `insert into looks (subject_id, id, started_at, ended_at, duration_ms, outcome, is_unchanged, attempted_at)
       select id, gen_random_uuid(), $1, $1, 1, $2, false, $1 from subjects`,
      [at, outcome],
    )
  // The first of February is folded, and rests.
  while ((await tidy()) > 0);
  assert.deepEqual(await partsOf(api).then(([part]) => part), '20260201')
  await comes('2026-02-01T20:00:00Z', 'found')
  await comes('2026-02-01T20:30:00Z', 'unreachable')
  const late = ['2026-02-01T20:30:00Z', '2026-02-01T20:00:00Z']
  assert.deepEqual(await attemptedAt('2026-02-01T21:00:00Z'), late)
  await tidyAll(line)
  assert.equal((await partsOf(api)).includes('20260201'), false)
  assert.deepEqual(await attemptedAt('2026-02-01T21:00:00Z'), late)
  // Its day has gone.
  await comes('2026-02-01T21:10:00Z', 'found')
  const later = ['2026-02-01T21:10:00Z', '2026-02-01T21:10:00Z']
  assert.deepEqual(await attemptedAt('2026-02-01T22:00:00Z'), later)
  await tidyAll(line)
  assert.deepEqual(await rows(api, 'select from day_looks_default'), [])
  assert.deepEqual(await attemptedAt('2026-02-01T22:00:00Z'), later)
  // Nobody made its day, for its clock is ahead.
  await comes('2026-02-27T00:00:00Z', 'found')
  assert.equal((await rows(api, 'select from day_looks_default')).length, 1)
  while ((await tidy()) > 0);
  assert.deepEqual(
    await rows(api, `select tableoid::regclass::text as day from day_looks where ended_at > '2026-02-26'`),
    [{ day: 'day_looks_20260227' }],
  )
})

test('log maintenance does not block polls, and two maintenance jobs do not block each other', async (t) => {
  const line = await liveFor(t, 9)
  const { api, tidy } = line
  const looks = async () => (await rows<{ n: number }>(api, 'select count(*) as n from looks'))[0]?.n ?? 0
  // Somebody reads for a long time, as a backup does: no partition is dropped, and polls are still made.
  const reader = await api.service.pool.connect()
  await reader.query('begin')
  await reader.query('select count(*) from looks')
  const before = await looks()
  await tidyAll(line, 3)
  assert.ok((await partsOf(api)).includes('20260201'))
  await api.drain()
  await reader.query('rollback')
  reader.release()
  assert.ok((await looks()) >= before)
  for (let rest = 0; rest < 20; rest += 1) {
    await Promise.all([tidy({ rowsMax: 3 }), tidy({ rowsMax: 3 }), tidy({ rowsMax: 3 })])
    api.clock.advance(hourMs / 6)
  }
  assert.ok(!(await partsOf(api)).includes('20260201'))
  const failed = api.logged().filter(({ event }) => event === 'job.failed')
  assert.deepEqual(failed, [])
})

/** `answer` begins with the time of the poll. */
function isAmong(answer: string, hours: number): boolean {
  const at = Date.parse(answer.slice(0, 24))
  return (at - Date.parse(startAt) - hourMs) % (hours * hourMs) === 0
}

/** A service whose connection breaks in the middle of a transaction, after that statement was sent. */
function cutOff(service: Service, statement: string): Service {
  const connect = async () => {
    const client = await service.pool.connect()
    const query = async (sent: { readonly name?: string }) => {
      const done = await client.query(sent as never)
      if (sent.name?.startsWith(statement) === true) throw new Error(`killed after ${sent.name}`)
      return done
    }
    return new Proxy(client, { get: (of, name) => (name === 'query' ? query : Reflect.get(of, name)) })
  }
  const pool = new Proxy(service.pool, {
    get: (of, name) => (name === 'connect' ? connect : Reflect.get(of, name)),
  })
  return { ...service, pool }
}
