import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, test } from 'node:test'
import { openRenderer } from '../../../src/api/notifications/notification-document.ts'
import { contractEventNames, type EventName, webhookNames } from '../../../src/domain/changes/event-table.ts'
import { numberEvents } from '../../../src/pipeline/event-sequence/number-events.ts'
import { drainWorkers } from '../../../src/server/workers.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { notificationRows, uuid, writeEvents } from '../../support/webhooks-harness.ts'

const corrected = 'container.transport.corrected'
const retracted = 'container.transport.retracted'
const later = [
  ...['started', 'changed', 'stopped'].map((change) => `container.charges.${change}`),
  'container.overdue.started',
  'container.overdue.ended',
  'ledger.root_made',
]

let api: TestApi
before(async () => {
  api = await openTestApi({ startAt: new Date().toISOString() })
})
after(() => api.close())
afterEach(() => api.service.pool.query('delete from webhooks'))

const url = 'https://example.com/hook'
const create = (attributes: Readonly<Record<string, unknown>>) =>
  api.call({
    method: 'POST',
    url: '/v2/webhooks',
    body: { data: { type: 'webhook', attributes: { url, active: true, ...attributes } } },
  })

interface Shown {
  readonly id: string
  readonly attributes: { readonly events: readonly string[] }
  readonly meta: { readonly event_patterns: readonly string[] }
}
const made = async (attributes: Readonly<Record<string, unknown>>) =>
  (await create(attributes)).one() as unknown as Shown

/** The names of those of these events that the webhooks of the account got. */
async function notifiedOf(names: readonly EventName[]): Promise<readonly string[]> {
  await writeEvents(api.service, api.context, { shipmentId: uuid(), names })
  await numberEvents(api.service)
  return (await notificationRows(api.service)).map(({ event }) => event)
}

test('the API description lists the 43 contract events and our own events', () => {
  const document = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'))
  assert.equal(contractEventNames.length, 43)
  const all: readonly string[] = document.components.schemas.event.properties.attributes.properties.event.enum
  assert.deepEqual(
    all.filter((name) => !(contractEventNames as readonly string[]).includes(name)),
    [corrected, retracted, ...later],
  )
})

test('a webhook that names no event gets all events of the contract, and none beyond it', async () => {
  for (const given of [{}, { events: ['*'] }]) {
    const webhook = await made(given)
    assert.deepEqual(
      webhook.attributes.events,
      contractEventNames.map((name) => webhookNames[name][0]),
    )
    assert.deepEqual(webhook.meta.event_patterns, ['*'])
    assert.deepEqual((await api.call({ url: `/v2/webhooks/${webhook.id}` })).one(), webhook)
    const names = ['container.updated', corrected, 'tracking_request.failed', 'document.extracted'] as const
    assert.deepEqual(await notifiedOf(names), [names[0], names[2], 'document_representation.created'])
    await api.service.pool.query('delete from webhooks')
  }
})

test('a pattern matches contract events by prefix, and only landfall.* matches our own events', async () => {
  const some = await made({ events: ['container.updated', 'tracking_request.*', 'tracking_request.failed'] })
  assert.deepEqual(some.attributes.events, [
    'container.updated',
    'tracking_request.succeeded',
    'tracking_request.failed',
    'tracking_request.awaiting_manifest',
    'tracking_request.tracking_stopped',
  ])
  assert.deepEqual(some.meta.event_patterns, ['tracking_request.*'])
  const wide = await made({ events: ['container.transport.*'] })
  assert.ok(wide.attributes.events.includes('container.transport.estimated.vessel_arrived'))
  for (const name of [corrected, retracted, ...later, 'container.updated'])
    assert.ok(!wide.attributes.events.includes(name), name)
  await api.service.pool.query('delete from webhooks')
  const ours = await made({ events: ['landfall.*'] })
  assert.deepEqual(ours.attributes.events, [corrected, retracted, ...later])
  assert.deepEqual(await notifiedOf(['container.updated', corrected, retracted]), [corrected, retracted])
})

test('a pattern also matches an event that is added later', async () => {
  const webhook = await made({ events: ['tracking_request.*'] })
  await api.service.pool.query(
    `update webhooks set events = array_remove(events, 'tracking_request.failed') where id = $1`,
    [webhook.id],
  )
  assert.deepEqual(await notifiedOf(['tracking_request.failed']), ['tracking_request.failed'])
  const { attributes } = (await api.call({ url: `/v2/webhooks/${webhook.id}` })).one()
  assert.ok((attributes['events'] as readonly string[]).includes('tracking_request.failed'))
})

test('PATCH accepts patterns too, and a later list of names replaces the patterns', async () => {
  const { id } = await made({ events: ['container.updated'] })
  const patch = async (events: unknown) =>
    (
      await api.call({
        method: 'PATCH',
        url: `/v2/webhooks/${id}`,
        body: { data: { attributes: { events } } },
      })
    ).one() as unknown as Shown
  assert.deepEqual((await patch(['*', 'landfall.*'])).attributes.events.length, 51)
  const named = await patch(['shipment.estimated.arrival'])
  assert.deepEqual(named.attributes.events, ['shipment.estimated.arrival'])
  assert.deepEqual(named.meta.event_patterns, [])
  assert.deepEqual(await notifiedOf(['container.updated', 'shipment.estimated.arrival']), [
    'shipment.estimated.arrival',
  ])
  const { rows } = await api.service.pool.query(
    `select diff -> 'events' as events from audit_events where action = 'webhook.updated' order by at, id`,
  )
  assert.deepEqual(
    rows.map(({ events }) => events),
    [
      [['container.updated'], ['*', 'landfall.*']],
      [['*', 'landfall.*'], ['shipment.estimated.arrival']],
    ],
  )
})

test('refuses a pattern that matches nothing, naming the field, and writes nothing', async () => {
  for (const [events, at] of [
    [['container.sank.*'], '/0'],
    [['container.updated', '*.updated'], '/1'],
    [['container*'], '/0'],
    [['**'], '/0'],
    [['container.updated.*'], '/0'],
    [['.*'], '/0'],
    [[''], '/0'],
    [[], ''],
    ['*', ''],
    [null, ''],
  ] as const) {
    const refused = await create({ events })
    assert.equal(refused.status, 422, JSON.stringify(events))
    assert.equal(refused.error().source?.pointer, `/data/attributes/events${at}`)
  }
  assert.equal((await api.call({ url: '/v2/webhooks' })).many().length, 0)
})

test('the recovery of a webhook finds the past events that its pattern matches', async () => {
  await writeEvents(api.service, api.context, {
    shipmentId: uuid(),
    names: ['tracking_request.failed', corrected],
  })
  await drainWorkers(api.service, { render: openRenderer(api.service) })
  const { id } = await made({ events: ['*'] })
  api.clock.advance(60_000)
  const { body } = await api.call({
    method: 'POST',
    url: `/v2/webhooks/${id}/recover`,
    body: { since: new Date(Date.now() - 3_600_000).toISOString(), mode: 'all' },
  })
  assert.ok((body.meta?.['recovered'] as number) >= 1)
  const eventNames = new Set((await notificationRows(api.service)).map(({ event }) => event))
  assert.ok(eventNames.has('tracking_request.failed') && !eventNames.has(corrected))
})
