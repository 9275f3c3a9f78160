// Spans of what workers do besides looks: mails, deliveries of partners, and sets that belong to several traces.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { realClock } from '../../src/platform/clock.ts'
import { span } from '../../src/platform/traces.ts'
import { queueMail } from '../../src/service/ground/queue-mail.ts'
import { startWorkers } from '../../src/service/running/workers.ts'
import { listen } from '../../src/store/ground/listen.ts'
import { findTrace, handOnTrace, takeTrace, traceChannel } from '../../src/store/ground/trace-notices.ts'
import { journey, openStage } from '../service/tracking-harness.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Collector, nameOf, openCollector, settingsFor, told, trace } from '../support/collector.ts'
import { eventually } from '../support/eventually.ts'
import { openMailServer } from '../support/mail-server.ts'
import { sendTo } from '../support/send-to.ts'

const caller = () => ({ attributes: {} })

async function open(t: TestContext, env: Readonly<Record<string, string>> = {}) {
  const collector: Collector = await openCollector(t)
  const { close } = await trace(t, settingsFor(collector))
  const api: TestApi = await openTestApi({ startAt: new Date(realClock.now()).toISOString(), env })
  t.after(() => api.close())
  return { collector, close, api }
}

/** Until somebody listens, because a notice from before is lost. */
const listening = (api: TestApi) =>
  eventually(async () => {
    const { rows } = await api.service.pool.query(
      `select from pg_stat_activity where datname = current_database() and query = 'listen landfall_wake'`,
    )
    return rows.length > 0
  })

test('a mail is a part of the trace of who wanted it, says which kind it is, and never to whom or what', async (t) => {
  const server = await openMailServer()
  t.after(() => server.close())
  const { collector, close, api } = await open(t, { LANDFALL_SMTP_URL: server.url })
  const workers = startWorkers(
    { ...api.service, clock: realClock },
    { render: async () => Buffer.from('{}') },
  )
  t.after(() => workers.stop())
  await listening(api)
  await span('caller', caller, () =>
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

test('what a partner sends is a span with its channel and parts, without what it says', async (t) => {
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

test('a trace is handed on with the commit, over more ids than fit into a notice, and a row that is due again by itself is another', async (t) => {
  const { api } = await open(t)
  const stopping = new AbortController()
  const notices: string[] = []
  const connected = Promise.withResolvers<void>()
  const ended = listen(api.service.pool, [traceChannel], {
    signal: stopping.signal,
    heard: (notice) => notices.push(notice),
    connected: connected.resolve,
    broken: () => {},
  })
  await connected.promise
  const ids = Array.from(
    { length: 450 },
    (_, place) => `01890000-0000-7000-8000-${String(place).padStart(12, '0')}`,
  )
  await handOnTrace(api.service.pool, ['nobody'])
  await span('caller', caller, () => handOnTrace(api.service.pool, ids))
  // What other processes hear.
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
  assert.equal(takeTrace(ids[0] ?? ''), first)
  assert.equal(takeTrace(ids[0] ?? ''), null)
  assert.equal(findTrace('nobody'), null)
})

test('a set of answers from several looks has a trace of its own, with a link to each look; what one look brought goes on with it', async (t) => {
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
  const looks = spans.filter(({ name }) => name === 'look')
  const heard = spans.filter(({ name }) => name === 'hear')
  const [set, single] = heard
  assert.deepEqual([looks.length, heard.length, told(set)['landfall.jobs']], [3, 2, 2])
  assert.deepEqual(
    set?.links?.map(({ traceId }) => traceId).sort(),
    looks
      .slice(0, 2)
      .map(({ traceId }) => traceId)
      .sort(),
  )
  assert.ok(looks.every(({ traceId }) => traceId !== set?.traceId))
  assert.equal(single?.parentSpanId, looks[2]?.spanId)
  assert.equal(single?.links?.length ?? 0, 0)
})
