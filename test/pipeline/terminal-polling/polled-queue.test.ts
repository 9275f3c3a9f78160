// A network of terminals gets a list of the wanted containers, and its data about them comes from a queue. Nothing in
// the queue is lost.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { findBuiltInDescription, mergeOverrides } from '../../../src/connectors/terminal-api/description.ts'
import { listPollStates } from '../../../src/modules/channels/poll-config.ts'
import { startLine } from '../../connectors/line-server.ts'
import { box, journey, otherBox } from '../../support/tracking-harness.ts'
import { openIntake } from '../ingestion/ingestion-harness.ts'

const bill = 'HLCUSHA260100077'
const secrets = { apiKey: 'K-s3cret', sasToken: 'SharedAccessSignature sr=x&sig=S-s3cret' }

interface Message {
  readonly sequence: number
  readonly body: string
  lock: string | null
}

/** The queue as it is known: a POST to its head locks a message, a DELETE of the lock takes it away. */
async function openNetwork(t: TestContext, queueChanges: object = {}, boxes: readonly string[] = [box]) {
  const stage = await openIntake(t)
  const published: string[][] = []
  const waiting: Message[] = []
  const refusals = new Map<string, string>()
  let sequence = 0
  let status = 200
  const head = '/topic-7/subscriptions/containerupdates/messages/head'
  const server = await startLine(({ method, url, headers, body }, response) => {
    const answer = (code: number, text = '', more = {}) => response.writeHead(code, more).end(text)
    if (url.pathname === '/publish') {
      assert.equal(headers['x-api-key'], secrets.apiKey)
      const { order } = JSON.parse(body) as { readonly order: readonly [{ unit: { unit_nbr: string } }] }
      const numbers = order.map(({ unit }) => unit.unit_nbr)
      published.push(numbers)
      const refusal = refusals.get(numbers[0] ?? '')
      return refusal === undefined ? answer(201, '{"tran_status":"S"}') : answer(412, refusal)
    }
    assert.equal(headers.authorization, secrets.sasToken)
    if (status !== 200) return answer(status)
    const isHead = url.pathname === head
    if (method === 'DELETE' && !isHead) {
      const at = waiting.findIndex(({ lock }) => lock === url.pathname)
      if (at >= 0) waiting.splice(at, 1)
      return answer(at >= 0 ? 200 : 410)
    }
    const next = waiting.find(({ lock }) => lock === null)
    if (next === undefined) return answer(204)
    const properties = { brokerproperties: JSON.stringify({ SequenceNumber: next.sequence, MessageId: 'm' }) }
    if (method === 'DELETE') {
      waiting.splice(waiting.indexOf(next), 1)
      return answer(200, next.body, properties)
    }
    next.lock = `/locks/${next.sequence}`
    return answer(201, next.body, { ...properties, location: server.base + next.lock })
  })
  t.after(() => server.close())
  const { answer = {}, asking = {} } = findBuiltInDescription('emodal') ?? {}
  const queue = { base: server.base, path: head, ...queueChanges }
  stage.carrier.answers({ json: journey(bill, 'discharged', boxes) }, bill)
  await stage.open({
    name: 'network',
    source: 'facility',
    speaker: { kind: 'terminal', code: 'EMODAL' },
    profile: mergeOverrides(answer, {
      stands: [{ port: 'USLAX', code: 'PIER' }],
      events: [{ code: '/UnitStatusInfo/StatusCode', codes: { OUT: 'GTOT LADEN' }, time: { at: '/EventTimestamp' } }],
    }),
    pollConfig: {
      profile: mergeOverrides(asking, { base: server.base, path: '/publish', rate: {}, queue }),
      secrets,
    },
  })
  return {
    ...stage,
    published,
    refusals,
    waiting,
    answers: (code: number) => {
      status = code
    },
    /** Locks run out. */
    unlock: () => {
      for (const message of waiting) message.lock = null
    },
    put: (body: unknown) => {
      sequence += 1
      waiting.push({ sequence, body: typeof body === 'string' ? body : JSON.stringify(body), lock: null })
    },
    status: async () =>
      (await stage.row<{ status: string }>(`select projection ->> 'status' as status from containers`)).status,
    messages: async () => (await stage.rows('select from inbound_messages')).length,
  }
}

const update = (code: string, at = '2026-01-31T18:00:00Z', of = box) => ({
  ContainerNumber: of,
  EventTimestamp: at,
  UnitStatusInfo: { StatusCode: code },
  CurrentLocationInfo: { TerminalCode: 'PIER' },
})

test('publishes a container once, uses the messages about it and then deletes them from the queue', async (t) => {
  const stage = await openNetwork(t)
  await stage.track(bill)
  await stage.drain()
  assert.deepEqual(stage.published, [[box]])
  assert.equal(await stage.status(), 'grounded')
  stage.put(update('XYZ', '2026-01-31T10:00:00Z'))
  stage.put(update('OUT'))
  await stage.pass(1)
  assert.equal(await stage.status(), 'picked_up')
  assert.deepEqual([stage.waiting.length, await stage.messages(), stage.published.length], [0, 2, 1])
  assert.ok(!JSON.stringify(stage.logged()).includes('s3cret'))
})

test('deletes a message from the queue only after storing it, and uses a repeated message once', async (t) => {
  const stage = await openNetwork(t)
  await stage.track(bill)
  await stage.drain()
  stage.put(update('OUT'))
  await stage.rows(`alter table inbound_messages add constraint no_more check (false) not valid`)
  await stage.pass(1)
  assert.deepEqual([stage.waiting.length, await stage.messages()], [1, 0])
  await stage.rows(`alter table inbound_messages drop constraint no_more`)
  stage.unlock()
  await stage.pass(2)
  assert.deepEqual([stage.waiting.length, await stage.messages(), await stage.status()], [0, 1, 'picked_up'])
  // The message was stored, but the process was killed before it deleted it from the queue.
  stage.waiting.push({ sequence: 1, body: JSON.stringify(update('OUT')), lock: null })
  const { id } = await stage.row<{ id: string }>(`select id from channels where name = 'network'`)
  const again = `insert into asked_numbers (channel_id, kind, number, next_ask_at, facility) values ($1, 'container', $2, $3, 'PIER')`
  stage.carrier.answers({ json: journey(bill, 'discharged') }, bill)
  await stage.rows(`update containers set projection = projection || '{"status": "grounded"}'`)
  await stage.rows(again, [id, box, new Date(stage.clock.now()).toISOString()])
  await stage.drain()
  assert.deepEqual([stage.waiting.length, await stage.messages()], [0, 1])
})

test('stores an unreadable message for the operator without delaying others', async (t) => {
  const stage = await openNetwork(t)
  await stage.track(bill)
  await stage.drain()
  stage.put('<html>')
  stage.put(update('OUT'))
  await stage.pass(1)
  assert.deepEqual([stage.waiting.length, await stage.messages(), await stage.status()], [0, 2, 'picked_up'])
  const { faults } = await stage.row<{ faults: number }>(
    'select count(*)::integer as faults from inbound_messages where jsonb_array_length(faults) > 0',
  )
  assert.equal(faults, 1)
})

test('reports a refused access to the queue and stops reading it for a while', async (t) => {
  const stage = await openNetwork(t)
  stage.answers(401)
  stage.put(update('OUT'))
  await stage.track(bill)
  await stage.drain()
  const [state] = [...(await listPollStates(stage.service)).values()]
  assert.match(state?.trouble ?? '', /it answered 401/)
  assert.equal(stage.waiting.length, 1)
  stage.answers(200)
  await stage.pass(3)
  assert.deepEqual([stage.waiting.length, await stage.status()], [0, 'picked_up'])
})

test('reads and uses the messages of a queue that cannot lock, which deletes them on reading', async (t) => {
  const stage = await openNetwork(t, { mode: 'receive_and_delete' })
  await stage.track(bill)
  await stage.drain()
  stage.put(update('OUT'))
  await stage.pass(1)
  assert.deepEqual([stage.waiting.length, await stage.status()], [0, 'picked_up'])
})

test('publishes each container by itself, and takes the refusal of a repeated one for a publication', async (t) => {
  const stage = await openNetwork(t, {}, [box, otherBox])
  stage.refusals.set(otherBox, '{"order":[{"tran_status":"E","msg_cd":"20025"}]}')
  await stage.track(bill)
  await stage.drain()
  assert.deepEqual(stage.published.toSorted(), [[box], [otherBox]].toSorted())
  await stage.pass(2)
  assert.equal(stage.published.length, 2)
  const [state] = [...(await listPollStates(stage.service)).values()]
  assert.equal(state?.trouble, null)
})

test('reports a container whose publication is refused, and uses the messages about the others', async (t) => {
  const stage = await openNetwork(t, {}, [box, otherBox])
  stage.refusals.set(otherBox, '{"order":[{"tran_status":"E","msg_cd":"20001","text":"200250"}]}')
  await stage.track(bill)
  await stage.drain()
  stage.put(update('OUT'))
  await stage.pass(2)
  assert.equal(stage.waiting.length, 0)
  assert.deepEqual(new Set(stage.published.map(([number]) => number)), new Set([box, otherBox]))
  const statuses = await stage.rows<{ number: string; status: string }>(
    `select number, projection ->> 'status' as status from containers where number = '${box}'`,
  )
  assert.equal(statuses[0]?.status, 'picked_up')
  assert.equal(stage.published.filter(([number]) => number === box).length, 1)
  const failed = stage.logged().filter(({ event }) => event === 'channel.ask_failed')
  assert.ok(failed.some(({ detail }) => detail === 'it answered 412'))
})
