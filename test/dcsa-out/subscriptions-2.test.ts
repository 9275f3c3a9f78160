// Subscriptions of DCSA Track & Trace 2.2: a receiver of the standard is sent each move once, signed.
import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { openRenderer } from '../../src/api/notifications/notification-document.ts'
import { createChannel } from '../../src/modules/channels/channels.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Seeded, seededAt, seedShipment } from '../support/seed.ts'
import { faultOfError2, faultOfEvent2 } from './rules-2.ts'

interface Delivered {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}
type Event = Readonly<Record<string, unknown>>

let api: TestApi
let seeded: Seeded
let url: string
let delivered: Delivered[] = []
let headStatus = 204
const secret = randomBytes(32).toString('base64')
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    delivered.push({ method: request.method ?? '', headers: request.headers, body: Buffer.concat(chunks) })
    response.writeHead(request.method === 'HEAD' ? headStatus : 204).end()
  })
})

before(async () => {
  api = await openTestApi({ startAt: seededAt, render: openRenderer })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`
})
after(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await seeded?.carrier.close()
  await api.close()
})
beforeEach(() => {
  delivered = []
  headStatus = 204
})

async function ask(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  key: string = api.key,
): Promise<{ readonly status: number; readonly body: Record<string, unknown>; readonly text: string }> {
  const answer = await api.app.inject({
    method,
    url: `/dcsa/v2/event-subscriptions${path}`,
    headers: {
      host: 'landfall.test',
      authorization: `Token ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
  const text = answer.body
  return { status: answer.statusCode, text, body: text === '' ? {} : JSON.parse(text) }
}

async function subscribe(filters: object = {}, key = api.key): Promise<string> {
  const made = await ask('POST', '', { callbackUrl: url, secret, ...filters }, key)
  assert.equal(made.status, 201, made.text)
  return String(made.body['subscriptionID'])
}

/** The events sent to each subscription since the test began, in the order of sending. */
async function deliverAll(): Promise<readonly { readonly to: string; readonly event: Event }[]> {
  await api.drain()
  delivered = delivered.filter(({ method }) => method === 'POST')
  return delivered.map(({ headers, body }) => {
    const events = JSON.parse(body.toString()) as readonly Event[]
    assert.equal(events.length, 1)
    return { to: String(headers['subscription-id']), event: events[0] ?? {} }
  })
}

const signed = (key: string, body: Buffer): string =>
  `sha256=${createHmac('sha256', Buffer.from(key, 'base64')).update(body).digest('hex')}`

test('a subscription is stored after its receiver answers a signed HEAD, and is shown without its secret', async () => {
  const asked = { transportEventTypeCode: ['ARRI', 'DEPA'], equipmentReference: 'MSCU4000005' }
  const id = await subscribe(asked)
  const [proof] = delivered
  assert.deepEqual([proof?.method, proof?.headers['subscription-id']], ['HEAD', id])
  assert.equal(proof?.headers['notification-signature'], signed(secret, Buffer.alloc(0)))
  const shown = { subscriptionID: id, callbackUrl: url, ...asked }
  assert.deepEqual((await ask('GET', `/${id}`)).body, shown)
  assert.deepEqual((await ask('GET', '')).body, [shown])
  assert.equal((await ask('DELETE', `/${id}`)).status, 204)
  assert.equal((await ask('GET', `/${id}`)).status, 404)
})

test('a silent receiver, a weak secret and a filter that matches nothing are refused, and nothing is stored', async () => {
  const good = { callbackUrl: url, secret }
  const cases: readonly (readonly [object, number, string])[] = [
    [{ secret }, 422, '/callbackUrl'],
    [{ callbackUrl: url }, 422, '/secret'],
    [{ ...good, callbackUrl: 'http://example.com/' }, 422, '/callbackUrl'],
    [{ ...good, callbackUrl: 'http://127.0.0.1:9/' }, 422, '/callbackUrl'],
    [{ ...good, secret: 'no base64!' }, 422, '/secret'],
    [{ ...good, secret: 'c2hvcnQ=' }, 422, '/secret'],
    [{ ...good, colour: 'red' }, 422, '/colour'],
    [{ ...good, eventType: ['SHIPMENT'] }, 422, '/eventType'],
    [{ ...good, eventType: ['SHIP'] }, 422, '/eventType/0'],
    [{ ...good, shipmentEventTypeCode: ['RECE'] }, 422, '/eventType'],
    [{ ...good, carrierServiceCode: 'AE1' }, 422, '/carrierServiceCode'],
    [{ ...good, transportCallID: 'theirs' }, 422, '/transportCallID'],
  ]
  for (const [body, status, pointer] of cases) {
    const answer = await ask('POST', '', body)
    assert.equal(answer.status, status, `${JSON.stringify(body)}: ${answer.text}`)
    assert.equal(faultOfError2(answer.body), null, answer.text)
    assert.ok(answer.text.includes(`"message":"${pointer}: `), answer.text)
  }
  headStatus = 404
  const unproved = await ask('POST', '', good)
  assert.deepEqual([unproved.status, /answered 404/.test(unproved.text)], [422, true])
  const reader = await api.newKey(api.context, ['read'])
  assert.equal((await ask('POST', '', good, reader)).status, 403)
  assert.deepEqual((await ask('GET', '')).body, [])
})

test('each event is sent once to each matching subscription, in the form of the standard', async () => {
  const all = await subscribe()
  const ofBox = await subscribe({ equipmentReference: 'MSCU4000005' })
  const loads = await subscribe({ equipmentEventTypeCode: ['LOAD'], UNLocationCode: 'CNSHA' })
  const ofOther = await subscribe({ transportDocumentReference: 'ANOTHER1' })
  const stranger = await api.newAccount()
  const theirs = await subscribe({}, await api.newKey(stranger, ['read', 'write']))
  seeded = await seedShipment(api)
  const sent = await deliverAll()
  const to = (id: string): readonly Event[] => sent.filter((each) => each.to === id).map(({ event }) => event)
  for (const { headers, body } of delivered) {
    assert.equal(headers['notification-signature'], signed(secret, body))
    assert.equal(headers['api-version'], '2.2.0')
    assert.equal(headers['content-type'], 'application/json')
  }
  for (const { event } of sent) assert.equal(faultOfEvent2(event), null, JSON.stringify(event))
  const served = (
    JSON.parse(
      (
        await api.app.inject({
          url: '/dcsa/v2/events?limit=1000',
          headers: { host: 'landfall.test', authorization: `Token ${api.key}` },
        })
      ).body,
    ) as readonly Event[]
  ).map((event) => event['eventID'])
  const ids = to(all).map((event) => event['eventID'])
  assert.equal(new Set(ids).size, ids.length)
  assert.deepEqual(
    served.filter((id) => !ids.includes(id)),
    [],
    'what is listed was also sent',
  )
  assert.ok(ids.length > served.length, 'the arrival that was corrected later was sent before')
  assert.equal(to(ofBox).length, ids.length / 2)
  assert.deepEqual(
    to(loads)
      .map((event) => event['equipmentReference'])
      .toSorted(),
    seeded.numbers,
  )
  assert.deepEqual([to(ofOther), to(theirs)], [[], []])
  assert.equal((await deliverAll()).length, sent.length)
})

test('recovery sends earlier events to a new subscription, filtered by its own filter', async () => {
  const id = await subscribe({ equipmentEventTypeCode: ['GTOT'] })
  const recovered = await api.call({
    method: 'POST',
    url: `/v2/webhooks/${id}/recover`,
    body: { since: '2026-01-01', mode: 'all' },
  })
  assert.equal(recovered.status, 200, recovered.text)
  const sent = await deliverAll()
  assert.deepEqual(
    sent.map(({ to, event }) => `${to} ${event['equipmentEventTypeCode']} ${event['emptyIndicatorCode']}`).toSorted(),
    [`${id} GTOT EMPTY`, `${id} GTOT EMPTY`, `${id} GTOT LADEN`, `${id} GTOT LADEN`],
  )
})

test('a new secret of a subscription applies at once', async () => {
  const id = await subscribe({ equipmentReference: 'MSCU4000005' })
  const next = randomBytes(48).toString('base64')
  assert.equal((await ask('PUT', `/${id}/secret`, { secret: next })).status, 204)
  assert.equal((await ask('PUT', `/${id}/secret`, { secret: 'weak' })).status, 422)
  await api.call({
    method: 'POST',
    url: `/v2/webhooks/${id}/recover`,
    body: { since: '2026-01-01', mode: 'all' },
  })
  const sent = await deliverAll()
  assert.ok(sent.length > 5)
  assert.equal(delivered[0]?.headers['notification-signature'], signed(next, delivered[0]?.body ?? Buffer.alloc(0)))
  headStatus = 500
  const other = `${url}/moved`
  assert.equal((await ask('PUT', `/${id}`, { callbackUrl: other })).status, 422)
  assert.equal((await ask('GET', `/${id}`)).body['callbackUrl'], url)
  headStatus = 204
  delivered = []
  const moved = await ask('PUT', `/${id}`, {
    subscriptionID: id,
    callbackUrl: other,
    eventType: ['TRANSPORT'],
  })
  assert.deepEqual(moved.body, { subscriptionID: id, callbackUrl: other, eventType: ['TRANSPORT'] })
  assert.equal(delivered[0]?.headers['notification-signature'], signed(next, Buffer.alloc(0)))
  const byOther = await api.call({
    method: 'PATCH',
    url: `/v2/webhooks/${id}`,
    body: { data: { type: 'webhook', id, attributes: { url } } },
  })
  assert.equal(byOther.status, 409, byOther.text)
  const off = await api.call({
    method: 'PATCH',
    url: `/v2/webhooks/${id}`,
    body: { data: { type: 'webhook', id, attributes: { active: false } } },
  })
  assert.equal(off.one().attributes['format'], 'dcsa_2')
  const stranger = await api.newKey(await api.newAccount(), ['read', 'write'])
  for (const [method, path, body] of [
    ['GET', `/${id}`, undefined],
    ['PUT', `/${id}`, { callbackUrl: url }],
    ['PUT', `/${id}/secret`, { secret }],
    ['DELETE', `/${id}`, undefined],
  ] as const)
    assert.equal((await ask(method, path, body, stranger)).status, 404, method)
})

test('our own DCSA reader reads the events that we send, and yields the same journey', async () => {
  const context = await api.newAccount()
  const { key } = await createChannel(api.service, {
    name: 'line-push',
    account: { id: context.account.id, isSandbox: false },
    speaker: { kind: 'shipping_line', code: 'ONEY' },
    source: 'dcsa',
    profile: { scac: 'ONEY' },
    isFirstHand: true,
    keyKind: 'hmac',
  })
  const reader = await api.newKey(context, ['read', 'write'])
  seeded.carrier.answers({ status: 404, json: {} }, seeded.bill)
  const attributes = { request_type: 'bill_of_lading', request_number: seeded.bill, scac: 'ONEY' }
  const body = { data: { type: 'tracking_request', attributes } }
  assert.equal((await api.call({ method: 'POST', url: '/v2/tracking_requests', key: reader, body })).status, 201)
  const id = await subscribe({})
  await ask('PUT', `/${id}/secret`, { secret: key.replace('whsec_', '') })
  await api.call({
    method: 'POST',
    url: `/v2/webhooks/${id}/recover`,
    body: { since: '2026-01-01', mode: 'all' },
  })
  await deliverAll()
  for (const { headers, body: bytes } of delivered.filter((each) => each.headers['subscription-id'] === id)) {
    const taken = await api.app.inject({
      method: 'POST',
      url: '/v2/inbound/line-push',
      payload: bytes,
      headers: {
        host: 'landfall.test',
        'content-type': 'application/json',
        'notification-signature': String(headers['notification-signature']),
      },
    })
    assert.equal(taken.statusCode, 202, taken.body)
  }
  await api.drain()
  const movesOf = async (accountId: string): Promise<readonly unknown[]> =>
    (
      await api.service.pool.query(
        `select c.number, t.event, t.occurs_at, t.unlocode, t.terminal_id, t.vessel_imo, t.voyage_number
           from transport_events t join containers c on c.account_id = t.account_id and c.id = t.container_id
          where t.account_id = $1 and t.invalidated_at is null and t.milestone is not null
          order by c.number, t.occurs_at, t.event`,
        [accountId],
      )
    ).rows
  const events = await movesOf(context.account.id)
  assert.ok(events.length >= 22)
  assert.deepEqual(events, await movesOf(api.context.account.id))
})
