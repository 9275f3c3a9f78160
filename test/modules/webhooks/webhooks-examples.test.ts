import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi, type WireResource } from '../../support/api.ts'

let api: TestApi
before(async () => {
  api = await openTestApi()
})
after(() => api.close())

const at = 'port|metro_area'
const facility = 'terminal|rail_terminal'
const actual = `transport_event container shipment ${at}`
const atTerminal = `${actual} ${facility}`
const ofShip = `${actual} vessel`
const ofShipAtTerminal = `${atTerminal} vessel`

/** The contract's table, written by hand: the reference object, then everything else that the example includes. */
const table: Readonly<Record<string, string>> = {
  'tracking_request.succeeded': 'tracking_request shipment container',
  'tracking_request.failed': 'tracking_request',
  'tracking_request.awaiting_manifest': 'tracking_request',
  'tracking_request.tracking_stopped': 'tracking_request shipment',
  'container.transport.empty_out': actual,
  'container.transport.full_in': actual,
  'container.transport.vessel_loaded': ofShip,
  'container.transport.vessel_departed': ofShip,
  'container.transport.transshipment_arrived': ofShip,
  'container.transport.transshipment_discharged': ofShip,
  'container.transport.transshipment_loaded': ofShip,
  'container.transport.transshipment_departed': ofShip,
  'container.transport.feeder_arrived': actual,
  'container.transport.feeder_discharged': actual,
  'container.transport.feeder_loaded': actual,
  'container.transport.feeder_departed': actual,
  'container.transport.vessel_arrived': ofShipAtTerminal,
  'container.transport.vessel_berthed': ofShipAtTerminal,
  'container.transport.vessel_discharged': ofShipAtTerminal,
  'container.transport.rail_loaded': atTerminal,
  'container.transport.rail_departed': atTerminal,
  'container.transport.rail_arrived': atTerminal,
  'container.transport.rail_unloaded': atTerminal,
  'container.transport.arrived_at_inland_destination': atTerminal,
  'container.transport.full_out': atTerminal,
  'container.transport.empty_in': atTerminal,
  'container.transport.available': 'transport_event',
  'container.transport.not_available': 'transport_event',
  'container.transport.delivered': 'transport_event',
  'container.transport.estimated.vessel_departed': 'transport_event',
  'container.transport.estimated.vessel_arrived': 'transport_event',
  'container.transport.estimated.arrived_at_inland_destination': atTerminal,
  'shipment.estimated.arrival': `estimated_event shipment ${at}`,
  'container.created': 'container_created_event container shipment',
  'container.updated': `container_updated_event container shipment ${at} ${facility}`,
  'container.pod_terminal_changed': 'container_pod_terminal_changed_event container shipment terminal',
  'container.pickup_lfd.changed': atTerminal,
  'container.pickup_lfd_line.changed': 'transport_event',
  'container.pickup_lfd_terminal.changed': 'transport_event',
  'container.pickup_lfd_rail.changed': 'transport_event',
  'container.pickup_appointment.changed': 'transport_event',
  'document_representation.created': 'document email_submission document_representation',
  'document_representation.failed': 'document email_submission document_representation',
}
const earlier = {
  'document.extracted': 'document email_submission document_representation',
  'document.extraction_failed': 'document email_submission document_representation',
}
const beyond = {
  'container.transport.corrected': ofShipAtTerminal,
  'container.transport.retracted': actual,
}
const ourOwn = {
  'container.charges.started': 'container_charges_event container shipment',
  'container.charges.changed': 'container_charges_event container shipment',
  'container.charges.stopped': 'container_charges_event container shipment',
  'container.overdue.started': 'container_overdue_event container shipment',
  'container.overdue.ended': 'container_overdue_event container shipment',
  'ledger.root_made': 'ledger_root',
}

const ask = (event: string) => api.call({ url: `/v2/webhook_notifications/examples?event=${event}` })

test('the contract has 43 events', () => {
  assert.equal(Object.keys(table).length, 43)
})

for (const [event, expected] of Object.entries({ ...table, ...earlier, ...beyond, ...ourOwn })) {
  test(`the example of ${event} contains its reference object and all resources of the API contract`, async () => {
    const answer = await ask(event)
    assert.equal(answer.status, 200, answer.text)
    const data = answer.one()
    const included = answer.body.included ?? []
    assert.equal(data.type, 'webhook_notification')
    assert.equal(data.attributes['event'], event)
    assert.equal(data.attributes['delivery_status'], 'pending')
    assert.equal(data.attributes['id'], data.id)
    assert.match(answer.body.links?.['self'] ?? '', new RegExp(`^http.+/v2/webhook_notifications/${data.id}$`))
    const [reference, ...others] = expected.split(' ')
    const linked = data.relationships?.['reference_object']?.data as { id: string; type: string }
    assert.equal(linked.type, reference)
    assert.ok(included.some(({ id, type }) => id === linked.id && type === linked.type))
    const types = new Set(included.map(({ type }) => type))
    const wanted = [reference ?? '', ...others].map((each) => each.split('|'))
    for (const choice of wanted)
      assert.ok(
        choice.some((type) => types.has(type)),
        `${choice.join(' or ')} is missing`,
      )
    const allowed = new Set(wanted.flat())
    for (const type of types) assert.ok(allowed.has(type), `${type} comes along`)
    const keys = included.map(({ id, type }) => `${type} ${id}`)
    assert.equal(new Set(keys).size, keys.length)
  })
}

test('data_source contains only terms of the contract; a railway or the customer is named in meta', async () => {
  const sourceOf = async (event: string) => {
    const found = (await ask(event)).body.included?.find(({ type }) => type.endsWith('_event'))
    const { attributes, meta } = found as WireResource & { readonly meta?: Readonly<Record<string, unknown>> }
    return [attributes['data_source'], meta?.['data_source']]
  }
  assert.deepEqual(await sourceOf('container.transport.vessel_arrived'), ['shipping_line', undefined])
  assert.deepEqual(await sourceOf('container.transport.vessel_berthed'), ['terminal', undefined])
  assert.deepEqual(await sourceOf('container.transport.rail_arrived'), ['terminal', 'rail'])
  assert.deepEqual(await sourceOf('container.transport.delivered'), [undefined, 'user'])
  assert.deepEqual(await sourceOf('shipment.estimated.arrival'), ['shipping_line', undefined])
  for (const event of Object.keys({ ...table, ...earlier, ...beyond, ...ourOwn }))
    for (const { attributes } of (await ask(event)).body.included ?? [])
      assert.ok(
        ['shipping_line', 'terminal', 'ais', undefined].includes(attributes['data_source'] as string | undefined),
        event,
      )
})

test('an event about a deadline has the deadline as its time, and also states when it was received', async () => {
  for (const [event, deadline] of [
    ['container.pickup_lfd.changed', null],
    ['container.pickup_lfd_line.changed', '2026-02-12T06:00:00Z'],
    ['container.pickup_lfd_terminal.changed', null],
    ['container.pickup_lfd_rail.changed', '2026-02-11T06:00:00Z'],
    ['container.pickup_appointment.changed', '2026-02-10T16:00:00Z'],
  ] as const) {
    const transportEvent = (await ask(event)).body.included?.find(({ type }) => type === 'transport_event')
    const { timestamp, value, created_at: heard } = transportEvent?.attributes ?? {}
    assert.equal(timestamp, value, event)
    assert.ok(typeof value === 'string' && heard !== value, event)
    if (deadline !== null) assert.equal(value, deadline)
  }
})

test('an example notification shows the same state in its event, its container and its shipment', async () => {
  const event = async (name: string) => {
    const answer = await ask(name)
    const find = (type: string) => (answer.body.included ?? []).find((each) => each.type === type)
    return (type: string): WireResource['attributes'] => find(type)?.attributes ?? {}
  }
  const loaded = await event('container.transport.vessel_loaded')
  assert.equal(loaded('container')['current_status'], 'on_ship')
  assert.equal(loaded('vessel')['imo'], '9321483')
  const out = await event('container.transport.full_out')
  assert.equal(out('container')['current_status'], 'picked_up')
  const stopped = await event('tracking_request.tracking_stopped')
  assert.equal(stopped('tracking_request')['status'], 'tracking_stopped')
  assert.equal(stopped('shipment')['line_tracking_stopped_reason'], 'all_containers_terminated')
  const failed = await event('tracking_request.failed')
  assert.equal(failed('tracking_request')['failed_reason'], 'not_found')
  const lfd = await event('container.pickup_lfd.changed')
  assert.equal(lfd('transport_event')['value'], lfd('container')['pickup_lfd'])
  const retracted = await event('container.transport.retracted')
  assert.notEqual(retracted('transport_event')['invalidated_at'], null)
  const corrected = (await ask('container.transport.corrected')).body.included ?? []
  assert.equal(corrected.filter(({ type }) => type === 'transport_event').length, 2)
})

test('an example is the same each time and for each account, and stores nothing', async () => {
  const first = await ask('container.updated')
  const key = await api.newKey(await api.newAccount(), ['read'])
  const again = await api.call({
    url: '/v2/webhook_notifications/examples?event=container.updated',
    key,
  })
  assert.equal(again.text, first.text)
  for (const table of ['events', 'webhook_notifications', 'shipments'])
    assert.equal((await api.service.pool.query(`select from ${table}`)).rowCount, 0)
})

test('an example requires the name of an existing event', async () => {
  const missing = await api.call({ url: '/v2/webhook_notifications/examples' })
  assert.equal(missing.status, 400)
  assert.equal(missing.error().source?.parameter, 'event')
  const unknown = await ask('container.sank')
  assert.equal(unknown.status, 422)
  assert.equal(unknown.error().source?.parameter, 'event')
})

test('GET /webhooks/events lists every event once, under a heading, with its meaning', async () => {
  const answer = await api.call({ url: '/v2/webhooks/events' })
  const categories = answer.many()
  assert.ok(categories.every(({ type }) => type === 'webhook_event_category'))
  const events = categories.flatMap(
    ({ attributes }) => attributes['events'] as readonly { name: string; description: string }[],
  )
  assert.deepEqual(
    events.map(({ name }) => name).toSorted(),
    Object.keys({ ...table, ...earlier, ...beyond, ...ourOwn }).toSorted(),
  )
  assert.ok(events.every(({ description }) => description.length > 20))
  const corrections = categories.find(({ attributes }) => attributes['name'] === 'Corrections')
  assert.deepEqual(
    ((corrections?.attributes['events'] ?? []) as readonly { name: string }[]).map(({ name }) => name),
    Object.keys(beyond),
  )
})
