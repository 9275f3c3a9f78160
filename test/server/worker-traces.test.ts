// Spans of workers besides polls: e-mails, deliveries of partners, and task sets that belong to several traces.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { listen } from '../../src/db/listen.ts'
import { consumeTrace, findTrace, sendTrace, traceChannel } from '../../src/db/trace-notices.ts'
import { queueMail } from '../../src/pipeline/jobs/queue-mail.ts'
import { realClock } from '../../src/platform/clock.ts'
import { withSpan } from '../../src/platform/traces.ts'
import { startWorkers } from '../../src/server/workers.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Collector, nameOf, openCollector, settingsFor, told, trace } from '../support/collector.ts'
import { eventually } from '../support/eventually.ts'
import { openMailServer } from '../support/mail-server.ts'
import { sendTo } from '../support/send-to.ts'
import { journey, openStage } from '../support/tracking-harness.ts'

const caller = () => ({ attributes: {} })

async function open(t: TestContext, env: Readonly<Record<string, string>> = {}) {
  const collector: Collector = await openCollector(t)
  const { close } = await trace(t, settingsFor(collector))
  const api: TestApi = await openTestApi({ startAt: new Date(realClock.now()).toISOString(), env })
  t.after(() => api.close())
  return { collector, close, api }
}

/** Waits for a listener, because an earlier notice is lost. */
const listening = (api: TestApi) =>
  eventually(async () => {
    const { rows } = await api.service.pool.query(
      `select from pg_stat_activity where datname = current_database() and query = 'listen landfall_wake'`,
    )
    return rows.length > 0
  })

test('an e-mail belongs to the trace of its cause, with its kind, and without recipient and content', async (t) => {
  const server = await openMailServer()
  t.after(() => server.close())
  const { collector, close, api } = await open(t, { LANDFALL_SMTP_URL: server.url })
  const workers = startWorkers({ ...api.service, clock: realClock }, { render: async () => Buffer.from('{}') })
  t.after(() => workers.stop())
  await listening(api)
  await withSpan('caller', caller, () =>
    queueMail(api.service.pool, api.service, {
      kind: 'invitation',
      about: api.context.account.id,
      mail: { to: 'hush@example.com', subject: 'hush', text: 'hush' },
      goodForMs: 3_600_000,
    }),
  )
  await eventually(() => server.mails.length > 0)
  await workers.stop()
  await close()
  const spans = collector.spans()
  const mail = spans.find(({ name }) => name === 'mail')
  assert.equal(nameOf(spans, mail?.parentSpanId), 'caller')
  assert.deepEqual([told(mail)['landfall.kind'], told(mail)['landfall.attempt']], ['invitation', 1])
  assert.ok(!collector.requests.some(({ body }) => body.includes('hush')))
})

test('a partner message is a span with its channel and parts, without its content', async (t) => {
  const { collector, close, api } = await open(t)
  const { inbound, channel } = await sendTo(api, api.context, { number: 'LDFU1000018', word: 'HUSH' })
  await close()
  const ingest = collector.spans().find(({ name }) => name === 'ingest')
  assert.equal(told(ingest)['landfall.message_id'], inbound)
  assert.equal(told(ingest)['landfall.who'], 'Y258')
  assert.equal(told(ingest)['landfall.parts'], 1)
  for (const hush of ['LDFU1000018', 'LDFU', channel])
    assert.ok(!collector.requests.some(({ body }) => body.includes(hush)), hush)
})

test('a commit sends the trace context to other processes', async (t) => {
  const { api } = await open(t)
  const stopping = new AbortController()
  const notices: string[] = []
  const connected = Promise.withResolvers<void>()
  const ended = listen(api.service.pool, [traceChannel], {
    signal: stopping.signal,
    onMessage: (notice) => notices.push(notice),
    connected: connected.resolve,
    broken: () => {},
  })
  await connected.promise
  const ids = Array.from({ length: 450 }, (_, place) => `01890000-0000-7000-8000-${String(place).padStart(12, '0')}`)
  await sendTrace(api.service.pool, ['nobody'])
  await withSpan('caller', caller, () => sendTrace(api.service.pool, ids))
  // The notices that other processes get.
  await eventually(() => notices.length === 3)
  stopping.abort()
  await ended
  assert.ok(notices.every((notice) => Buffer.byteLength(notice) < 8_000))
  assert.deepEqual(
    notices.flatMap((notice) => notice.split(' ').slice(1)),
    ids,
  )
  const [first, ...others] = ids.map(findTrace)
  assert.match(first ?? '', /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  assert.ok(others.every((each) => each === first))
  assert.equal(consumeTrace(ids[0] ?? ''), first)
  assert.equal(consumeTrace(ids[0] ?? ''), null)
  assert.equal(findTrace('nobody'), null)
})

test('a task set of several polls has its own trace with links to the polls', async (t) => {
  const collector = await openCollector(t)
  const { close } = await trace(t, settingsFor(collector))
  const stage = await openStage(t)
  const [one, other, alone] = ['HLCUSHA260100001', 'HLCUSHA260100002', 'HLCUSHA260100003']
  for (const bill of [one, other, alone]) stage.carrier.answers({ json: journey(bill, 'loaded') }, bill)
  await stage.track(one)
  await stage.track(other)
  await stage.drain()
  await stage.track(alone)
  await stage.drain()
  await close()
  const spans = collector.spans()
  const polls = spans.filter(({ name }) => name === 'look')
  const ingests = spans.filter(({ name }) => name === 'hear')
  const [set, single] = ingests
  assert.deepEqual([polls.length, ingests.length, told(set)['landfall.jobs']], [3, 2, 2])
  assert.deepEqual(
    set?.links?.map(({ traceId }) => traceId).sort(),
    polls
      .slice(0, 2)
      .map(({ traceId }) => traceId)
      .sort(),
  )
  assert.ok(polls.every(({ traceId }) => traceId !== set?.traceId))
  assert.equal(single?.parentSpanId, polls[2]?.spanId)
  assert.equal(single?.links?.length ?? 0, 0)
})
