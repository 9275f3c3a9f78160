// The TypeScript SDK against the API over real HTTP: what it reads, what it sends, and what it does when that fails.
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, before, type TestContext, test } from 'node:test'
import { connect, type Landfall } from '../../sdk/typescript/src/landfall.ts'
import { Refused, Unreachable } from '../../sdk/typescript/src/refused.ts'
import { bill, sailing } from '../pipeline/positions/positions-harness.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Carrier, openCarrier } from '../support/carrier.ts'
import { serve } from '../support/loopback-server.ts'
import { giveAccess } from '../support/service.ts'

let api: TestApi
let carrier: Carrier
let url: string
let landfall: Landfall
let shipmentId: string

before(async () => {
  api = await openTestApi({ startAt: '2026-01-15T00:00:00Z' })
  url = await api.app.listen({ port: 0, host: '127.0.0.1' })
  landfall = connect({ url, key: api.key })
  carrier = await openCarrier()
  carrier.answers({ json: sailing() })
  await giveAccess(api, { scac: 'HLCU', profile: carrier.profile('HLCU') })
  const { id } = await landfall.createTrackingRequest({
    request_type: 'bill_of_lading',
    request_number: bill,
    scac: 'HLCU',
  })
  await api.drain()
  const { tracked_object } = await landfall.getTrackingRequest(id, { include: ['tracked_object'] })
  shipmentId = tracked_object?.id ?? ''
})
after(async () => {
  await carrier.close()
  await api.close()
})

test('included resources are nested under their relationship names, to any requested depth', async () => {
  const shipment = await landfall.getShipment(shipmentId, {
    include: ['port_of_discharge', 'containers.transport_events.location'],
  })
  assert.equal(shipment.bill_of_lading_number, bill)
  assert.equal(shipment.port_of_discharge?.type, 'port')
  const [container] = shipment.containers
  assert.match(container?.number ?? '', /^[A-Z]{4}\d{7}$/)
  assert.ok((container?.transport_events.length ?? 0) > 0)
  assert.ok(container?.transport_events.some(({ location }) => location?.type === 'port'))
  assert.equal('port_of_lading' in shipment, false, 'what was not asked for is missing, and is not null')
  assert.doesNotThrow(() => JSON.stringify(shipment))
})

test('tracking a number again returns the existing request', async () => {
  const asked = { scac: 'HLCU', type: 'bill_of_lading' } as const
  const known = await landfall.track(bill, { ...asked, waitS: 0 })
  const again = await landfall.track(bill, { ...asked, refNumbers: ['PO 1'] })
  assert.deepEqual([again.id, again.status, again.ref_numbers], [known.id, 'created', known.ref_numbers])
  assert.equal(again.tracked_object?.id, shipmentId)
  await assert.rejects(landfall.track(bill, { scac: 'ZZZZ', type: 'bill_of_lading' }), Refused)
})

test('a result without an id is also returned as one object', async () => {
  const inferred = await landfall.inferNumber({ number: 'MSCU4000005' })
  assert.equal(inferred.type, 'infer_number_results')
  assert.equal(inferred.number_type, 'container')
  assert.equal(inferred.validation.is_valid, true)
  assert.ok(Array.isArray(inferred.$answer.meta['explanation']))
  const { containers } = await landfall.getShipment(shipmentId, { include: ['containers'] })
  assert.deepEqual((await landfall.getContainerCharges(containers[0]?.id ?? '')).charges, [])
  assert.equal(typeof (await landfall.getInferenceScorecard()).predictions, 'number')
})

test('the client accepts as_of and provenance as parameters, and puts meta on the resource', async () => {
  const shipment = await landfall.getShipment(shipmentId, {
    provenance: true,
    as_of: new Date('2026-01-15T00:00:00Z'),
  })
  assert.ok(Object.keys(shipment.meta?.provenance ?? {}).length > 0)
  await assert.rejects(landfall.getShipment(shipmentId, { as_of: new Date('2020-01-01') }), { status: 404 })
})

test('a list is read page by page, only as far as needed', async () => {
  for (let at = 0; at < 5; at++) await landfall.createParty({ company_name: `Party ${at}` })
  const names: string[] = []
  for await (const { company_name } of landfall.listParties({ page: { size: 2 } })) names.push(company_name ?? '')
  assert.deepEqual(
    names.toSorted(),
    [0, 1, 2, 3, 4].map((at) => `Party ${at}`),
  )
  assert.equal((await landfall.listParties({ page: { size: 2 } }).all(3)).length, 3)
  assert.equal((await landfall.listParties({ page: { size: 2 } }).page()).items.length, 2)
  assert.equal(await landfall.listShipments({ filter: { scac: 'MAEU' } }).first(), null)
})

test('a change does not overwrite a change that another client made meanwhile', async () => {
  const seen = await landfall.getShipment(shipmentId)
  await landfall.updateShipment(shipmentId, { tags: ['spring'] })
  const ifMatch = seen.$answer.etag ?? ''
  await assert.rejects(landfall.updateShipment(shipmentId, { tags: [] }, { ifMatch }), { status: 412 })
  assert.deepEqual((await landfall.getShipment(shipmentId)).tags, ['spring'])
})

test('an error has the message, the codes and the field of the API', async () => {
  const refused = await landfall.createTrackingRequest({ request_number: '' }).then(
    () => null,
    (error: unknown) => error,
  )
  assert.ok(refused instanceof Refused)
  assert.equal(refused.status, 422)
  assert.match(refused.message, /request_number/)
  assert.ok(refused.codes.length > 0)
  assert.ok(refused.requestId !== null)
  assert.throws(() => landfall.getShipment(''), /id is missing/)
})

test('another account sees nothing and gets the error of the API', async () => {
  const other = connect({ url, key: await api.newKey(await api.newAccount(), ['read']) })
  await assert.rejects(other.getShipment(shipmentId), { status: 404 })
  assert.deepEqual(await other.listShipments().all(), [])
})

test('a POST whose answer was lost is repeated with its key and executed once', async (t) => {
  let drops = 2
  const front = await openFront(t, async (answer, response) => {
    if (drops-- > 0) response.destroy()
    else await answer()
  })
  const patient = connect({ url: front.url, key: api.key })
  await patient.createParty({ company_name: 'Once' })
  const all = await landfall.listParties().all()
  assert.equal(all.filter(({ company_name }) => company_name === 'Once').length, 1)
  assert.equal(front.keys.length, 3)
  assert.equal(new Set(front.keys).size, 1)
})

test('a request with answer 429 is retried after the stated delay, unless the delay is too long', async (t) => {
  let limited = 1
  const front = await openFront(t, async (answer, response) => {
    if (limited-- > 0) response.writeHead(429, { 'retry-after': '1' }).end()
    else await answer()
  })
  const startedAt = performance.now()
  await connect({ url: front.url, key: api.key }).getShipment(shipmentId)
  assert.ok(performance.now() - startedAt >= 990)
  limited = 1
  const hasty = connect({ url: front.url, key: api.key, retryAfterMaxS: 0.5 })
  await assert.rejects(hasty.getShipment(shipmentId), { status: 429, retryAfterS: 1 })
  front.close()
  const gone = connect({ url: front.url, key: api.key, attemptsMax: 2 })
  await assert.rejects(gone.getShipment(shipmentId), (error) => error instanceof Unreachable)
})

test('an aborted request ends at once with the reason of the caller', async (t) => {
  const front = await openFront(t, () => new Promise(() => {}))
  const stop = new AbortController()
  const asked = connect({ url: front.url, key: api.key }).getShipment(shipmentId, { signal: stop.signal })
  stop.abort(new Error('No more.'))
  await assert.rejects(asked, /No more\./)
})

test('events come in order, each once, also after a restart from the saved position', async () => {
  let kept: number | null = null
  const place = {
    load: async () => kept,
    save: async (sequence: number) => {
      kept = sequence
    },
  }
  const answer = await landfall.send({ method: 'GET', path: '/v2/events?limit=1' })
  const last = ((await answer.json()) as { meta: { last_sequence: number } }).meta.last_sequence
  assert.ok(last > 3)
  const seen: number[] = []
  for (const stopAt of [2, last]) {
    for await (const event of landfall.follow({ place, include: ['reference_object'] })) {
      seen.push(event.sequence ?? 0)
      assert.equal(event.reference_object?.type, event.reference_type)
      if (event.sequence === stopAt) break
    }
  }
  // The loop ended before the second event counted as handled, so it came again.
  assert.deepEqual(seen, [1, 2, 2, ...Array.from({ length: last - 2 }, (_, at) => at + 3)])
})

test('a follower without a position gets new events until it is aborted', async () => {
  const other = connect({ url, key: await api.newKey(await api.newAccount(), ['read', 'write']) })
  const { begun, name } = nameOfNext(other)
  await begun
  const tracking = other.track(bill, { scac: 'HLCU', type: 'bill_of_lading', waitS: 20 })
  while ((await other.listShipments().first()) === null) await api.drain()
  const tracked = await tracking
  assert.equal(tracked.status, 'created')
  assert.ok((tracked.tracked_object?.containers.length ?? 0) > 0)
  assert.equal(await name, 'tracking_request.succeeded')
})

/** `begun`: later events are delivered. The loop ends without an error when the signal aborts, and not before. */
function nameOfNext(landfall: Landfall): {
  readonly begun: Promise<void>
  readonly name: Promise<string | null>
} {
  const { promise: begun, resolve } = Promise.withResolvers<void>()
  const place = { load: async () => null, save: async () => resolve() }
  const stop = new AbortController()
  const events = ['tracking_request.succeeded']
  const read = async (): Promise<string | null> => {
    let name: string | null = null
    for await (const { event } of landfall.follow({
      after: 'now',
      place,
      events,
      waitS: 5,
      signal: stop.signal,
    })) {
      name = event
      stop.abort()
    }
    return name
  }
  return { begun, name: read() }
}

/** A server between the SDK and the API. */
async function openFront(
  t: TestContext,
  between: (answer: () => Promise<void>, response: ServerResponse) => Promise<void>,
): Promise<{ readonly url: string; readonly keys: readonly string[]; readonly close: () => void }> {
  const keys: string[] = []
  const { url, server } = await serve(t, (request, response) => {
    const key = request.headers['idempotency-key']
    if (typeof key === 'string') keys.push(key)
    void between(() => passOn(request, response), response)
  })
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url, keys, close }
}

async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { host: _host, connection: _connection, ...headers } = request.headers
  const answer = await fetch(`${url}${request.url}`, {
    method: request.method ?? 'GET',
    headers: headers as Record<string, string>,
    ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
  })
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
  response.end(Buffer.from(await answer.arrayBuffer()))
}
