import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { registerAllResources } from '../../../src/api/json-api/all-resources.ts'
import { findKind, listKinds } from '../../../src/api/json-api/find-kind.ts'
import { openRenderer, writeNotification } from '../../../src/api/notifications/notification-document.ts'
import { resourceSchema } from '../../../src/api/shape/resource-kind.ts'
import { type EventName, eventNames, eventTable } from '../../../src/domain/changes/event-table.ts'
import { createWebhook } from '../../../src/modules/webhooks/create-webhook.ts'
import { deliverDue } from '../../../src/pipeline/delivery/start-deliveries.ts'
import { numberEvents } from '../../../src/pipeline/event-sequence/number-events.ts'
import { emptyState } from '../../../src/pipeline/ledger/state-rows.ts'
import type { DomainEvent } from '../../../src/pipeline/projection/domain-events-sql.ts'
import { insertEvents } from '../../../src/pipeline/projection/domain-events-sql.ts'
import { saveStates } from '../../../src/pipeline/projection/save-states-sql.ts'
import { findTerminal } from '../../../src/reference/terminals.ts'
import { drainWorkers } from '../../../src/server/workers.ts'
import { openTestApi, type TestApi, type WireResource } from '../../support/api.ts'
import { type Seeded, seededAt, seedShipment } from '../../support/seed.ts'
import { openReceiver, type Receiver, uuid } from '../../support/webhooks-harness.ts'

interface Delivered {
  readonly links?: { readonly self: string }
  readonly data: WireResource
  readonly included: readonly WireResource[]
}

/**
 * The contract's table: the reference object, then the included resources; `?` marks one that is included only if it is
 * known.
 */
const families: readonly (readonly [RegExp, string])[] = [
  [/^tracking_request\.succeeded$/, 'tracking_request shipment container'],
  [/^tracking_request\.(failed|awaiting_manifest)$/, 'tracking_request'],
  [/^tracking_request\.tracking_stopped$/, 'tracking_request shipment'],
  [/^container\.transport\.(available|not_available|delivered)$/, 'transport_event'],
  [/^container\.transport\.estimated\.vessel_(departed|arrived)$/, 'transport_event'],
  [
    /^container\.transport\.estimated\.arrived_at_inland_destination$/,
    'transport_event container shipment port? metro_area? terminal? rail_terminal?',
  ],
  [
    /^container\.transport\.corrected$/,
    'transport_event container shipment port? metro_area? terminal? rail_terminal? vessel?',
  ],
  [
    /^container\.transport\.[a-z_]+$/,
    'transport_event container shipment port? metro_area? terminal? rail_terminal? vessel?',
  ],
  [/^shipment\.estimated\.arrival$/, 'estimated_event shipment port'],
  [/^container\.overdue\./, 'container_overdue_event container shipment'],
  [/^container\.created$/, 'container_created_event container shipment'],
  [/^container\.updated$/, 'container_updated_event container shipment port terminal?'],
  [/^container\.pod_terminal_changed$/, 'container_pod_terminal_changed_event container shipment terminal'],
  [/^container\.pickup_lfd\.changed$/, 'transport_event container shipment port? terminal? rail_terminal?'],
  [/^container\.pickup_/, 'transport_event'],
]

const ajv = new Ajv2020({ strict: false })
formats.default(ajv)
registerAllResources()
for (const kind of listKinds()) ajv.addSchema(resourceSchema(kind))

let api: TestApi
let receiver: Receiver
let webhookId: string
let seeded: Seeded
let delivered: readonly Delivered[]

before(async () => {
  // Real clocks are never at a whole second.
  api = await openTestApi({ startAt: seededAt.replace('Z', '.417Z') })
  receiver = await openReceiver()
  const made = await createWebhook(api.service, api.context, {
    url: receiver.url,
    isActive: true,
    events: eventNames,
    headers: null,
  })
  webhookId = made.id
  const drain = () => drainWorkers(api.service, { render: openRenderer(api.service) })
  const pass = async (hours: number) => {
    for (let passed = 0; passed < hours; passed += 1) {
      api.clock.advance(3_600_000)
      await drain()
    }
  }
  seeded = await seedShipment({ ...api, drain, pass })
  delivered = receiver.received.map(({ body }) => JSON.parse(body.toString()) as Delivered)
})
after(async () => {
  await seeded.carrier.close()
  await receiver.close()
  await api.close()
})

/** For included resources: relationships that have data, null if it is unknown. */
const alwaysFilled: Readonly<Record<string, readonly string[]>> = {
  shipment: [
    'port_of_lading',
    'port_of_discharge',
    'destination',
    'pod_terminal',
    'destination_terminal',
    'containers',
  ],
  container: ['shipment', 'pod_terminal', 'transport_events', 'raw_events'],
  port: ['terminals'],
}

function check({ data, included, links }: Delivered): void {
  assert.equal(data.attributes['id'], data.id)
  assert.equal(links?.self, `http://127.0.0.1:3000/v2/webhook_notifications/${data.id}`)
  const event = String(data.attributes['event'])
  const [, expected = ''] = families.find(([pattern]) => pattern.test(event)) ?? []
  const [reference, ...rest] = expected.split(' ')
  const linked = data.relationships?.['reference_object']?.data as {
    readonly type: string
    readonly id: string
  }
  assert.equal(linked.type, reference, event)
  assert.ok(
    included.some(({ type, id }) => type === linked.type && id === linked.id),
    `${event} lacks its reference object`,
  )
  const types = new Set(included.map(({ type }) => type))
  const wanted = [reference ?? '', ...rest]
  for (const type of wanted) if (!type.endsWith('?')) assert.ok(types.has(type), `${event} lacks ${type}`)
  const allowed = new Set(wanted.map((type) => type.replace('?', '')))
  for (const type of types) assert.ok(allowed.has(type), `${event} brings ${type}`)
  assert.equal(
    new Set(included.map(({ type, id }) => `${type} ${id}`)).size,
    included.length,
    `${event} brings one twice`,
  )
  for (const resource of [data, ...included]) {
    const { type, attributes, relationships = {} } = resource
    const isFilled = type === 'webhook_notification' || type.endsWith('_event')
    const filled = isFilled ? Object.keys(findKind(type)?.relations ?? {}) : (alwaysFilled[type] ?? [])
    for (const relation of filled)
      assert.ok('data' in (relationships[relation] ?? {}), `${event}, ${type}: ${relation} has no data`)
    assert.ok(ajv.validate(type, resource), `${event}, ${type}: ${ajv.errorsText()}`)
    const declared = Object.keys(findKind(type)?.attributes ?? {})
    assert.deepEqual(Object.keys(attributes).toSorted(), declared.toSorted(), `${event}, ${type}`)
  }
}

test('delivers every event of a journey once, as a document of the API contract', async () => {
  for (const document of delivered) check(document)
  const deliveredNames = new Set(delivered.map(({ data }) => data.attributes['event']))
  for (const event of [
    'tracking_request.succeeded',
    'container.created',
    'container.transport.vessel_arrived',
    'container.transport.full_out',
    'container.transport.corrected',
  ]) {
    assert.ok(deliveredNames.has(event), `${event} was not heard; heard: ${[...deliveredNames].join(', ')}`)
  }
  const numbers = delivered.map(({ data }) => data.attributes['sequence'])
  const { rows } = await api.service.pool.query<{ events: number }>('select count(*) as events from events')
  assert.deepEqual(
    numbers.toSorted((a, b) => Number(a) - Number(b)),
    Array.from({ length: rows[0]?.events ?? 0 }, (_, index) => index + 1),
  )
  assert.equal(new Set(delivered.map(({ data }) => data.id)).size, delivered.length)
})

/** Programs that read one time a line, and end with an error at the first that is no whole second. */
const strictParsers: readonly (readonly [string, ...string[]])[] = [
  [
    'python3',
    '-c',
    'import sys; from datetime import datetime\nfor line in sys.stdin: datetime.strptime(line.strip(), "%Y-%m-%dT%H:%M:%SZ")',
  ],
  ['ruby', '-rtime', '-e', 'STDIN.each_line { |line| Time.strptime(line.strip, "%Y-%m-%dT%H:%M:%SZ") }'],
]

function timesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT\d\d:/.test(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(timesIn) : []
}

function checkStrictly(documents: readonly Delivered[]): void {
  const times = documents.flatMap(timesIn)
  assert.ok(times.length >= documents.length)
  for (const time of times) assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  for (const [command, ...args] of strictParsers) {
    const { error, status, stderr } = spawnSync(command, args, { input: times.join('\n') })
    // The program is not on this machine.
    if (error === undefined && status !== 127) assert.equal(status, 0, `${command}: ${stderr}`)
  }
}

test('every time in a delivered document has whole seconds, so that strict parsers accept it', async () => {
  checkStrictly(delivered)
  const { rows } = await api.service.pool.query<{ created_at: string }>('select created_at from events')
  assert.ok(
    rows.every(({ created_at: at }) => !at.endsWith('.000Z')),
    'the rows have lost their fraction',
  )
})

test('an event of several containers sends one notification for each container', () => {
  const loaded = delivered.filter(({ data }) => data.attributes['event'] === 'container.transport.vessel_loaded')
  const containers = loaded.map(({ included }) => included.find(({ type }) => type === 'container')?.id)
  assert.deepEqual(containers.toSorted(), [...seeded.containerIds].toSorted())
})

test('a delivered notification states its type, its webhook and the delivery status pending', () => {
  const [first] = delivered
  assert.ok(first)
  const { data } = first
  assert.equal(data.type, 'webhook_notification')
  assert.equal(data.attributes['delivery_status'], 'pending')
  assert.deepEqual(data.relationships?.['webhook_notification_logs'], { data: [] })
  assert.deepEqual(data.relationships?.['webhook']?.data, { type: 'webhook', id: webhookId })
})

test('a delivery includes the same resources as the API serves', async () => {
  const last = delivered.findLast(({ data }) => data.attributes['event'] === 'container.transport.full_out')
  const container = last?.included.find(({ type }) => type === 'container')
  const served = await api.call({ url: `/v2/containers/${container?.id}` })
  // The line has been polled again since.
  const asked = { shipment_last_tracking_request_at: null }
  assert.deepEqual({ ...container?.attributes, ...asked }, { ...served.one().attributes, ...asked })
})

test('the delivery of every journey event includes its reference object and the resources of the contract', async () => {
  const [containerId = ''] = seeded.containerIds
  const terminal = findTerminal({ provider: 'SMDG', unlocode: 'USLAX', code: 'APMT' })
  // Those of documents, charges, what is overdue and roots: webhooks-examples.test.ts.
  const names = eventNames.filter((name) => !/^(document|container\.(charges|overdue)|ledger)\./.test(name))
  const at = new Date(api.clock.now()).toISOString()
  const known = {
    unlocode: 'USLAX',
    terminalId: terminal?.id ?? null,
    vesselImo: '9321483',
    vesselName: 'EMMA MAERSK',
  }
  for (const name of names) {
    const event = exampleOf(name)
    if (eventTable[name].referenceType === 'transport_event') {
      const state = emptyState(api.context.account.id)
      const announcedNow = [
        {
          id: event.referenceId,
          shipmentId: seeded.shipmentId,
          containerId,
          event: /corrected|retracted/.test(name) ? 'container.transport.vessel_arrived' : name,
          callKey: null,
          occursAt: at,
          timeZone: 'America/Los_Angeles',
          ...known,
          voyageNumber: '601E',
          dataSource: 'shipping_line',
          value: null,
          sourceClaimId: null,
          previousVersionId: null,
          milestone: null,
        },
      ]
      await saveStates(api.service.pool, {
        before: { state, locked: new Set() },
        after: state,
        yields: [{ at, events: [], published: announcedNow, ended: [] }],
      })
    }
    await insertEvents(api.service.pool, { accountId: api.context.account.id, events: [event], at })
    const document = (await writeNotification(api.service, {
      accountId: api.context.account.id,
      id: uuid(),
      webhookId: uuid(),
      eventId: event.id,
      event: name,
      sequence: 1,
      createdAt: at,
      format: null,
      ediIds: null,
    })) as unknown as Delivered
    const sent = JSON.parse(JSON.stringify(document)) as Delivered
    check(sent)
    checkStrictly([sent])
  }

  function exampleOf(name: EventName): DomainEvent {
    const id = uuid()
    const own = {
      id,
      name,
      referenceId: id,
      trackingRequestId: null,
      shipmentId: seeded.shipmentId,
      containerId,
    }
    const terminalOf = { terminal_id: terminal?.id ?? null }
    switch (name) {
      case 'shipment.estimated.arrival':
        return {
          ...own,
          containerId: null,
          payload: {
            estimated_timestamp: at,
            location_locode: 'USLAX',
            timezone: 'America/Los_Angeles',
            voyage_number: null,
            data_source: 'shipping_line',
            vessel_imo: '9321483',
          },
        }
      case 'container.created':
        return {
          ...own,
          payload: { timestamp: at, timezone: null },
        }
      case 'container.updated':
        return {
          ...own,
          payload: {
            changeset: { pickup_lfd: [null, at] },
            timestamp: at,
            timezone: null,
            data_source: 'terminal',
            ...terminalOf,
          },
        }
      case 'container.pod_terminal_changed':
        return {
          ...own,
          payload: { timestamp: at, data_source: 'terminal', ...terminalOf },
        }
      default:
        return name.startsWith('tracking_request.')
          ? {
              ...own,
              containerId: null,
              referenceId: seeded.trackingRequestId,
              trackingRequestId: seeded.trackingRequestId,
              payload: {},
            }
          : { ...own, referenceId: uuid(), payload: {} }
    }
  }
})

test('renders and sends hundreds of deliveries to one webhook concurrently', async () => {
  const { rows } = await api.service.pool.query<{ id: string; name: string; reference: string }>(
    `select id, event as name, id as reference from transport_events
      where event = 'container.transport.vessel_loaded' limit 1`,
  )
  const total = 600
  await api.service.pool.query(
    `insert into events (account_id, id, name, reference_type, reference_id, shipment_id, payload, created_at)
     select $1, gen_random_uuid(), $2, 'transport_event', $3, gen_random_uuid(), '{}', now() from generate_series(1, $4)`,
    [api.context.account.id, rows[0]?.name, rows[0]?.reference, total],
  )
  await numberEvents(api.service)
  receiver.received.length = 0
  await deliverDue(api.service, { render: openRenderer(api.service) })
  assert.ok(receiver.received.length >= total)
})

test('a document contains nothing of another account', async () => {
  const stranger = await api.newAccount()
  const [event] = (await api.service.pool.query<{ id: string }>('select id from events limit 1')).rows
  await assert.rejects(
    writeNotification(api.service, {
      accountId: stranger.account.id,
      id: uuid(),
      webhookId: uuid(),
      eventId: event?.id ?? '',
      event: 'container.created',
      sequence: 1,
      createdAt: seededAt,
      format: null,
      ediIds: null,
    }),
    { code: 'not_found' },
  )
})

test('webhooks of one account get the same document of an event, each with its own ids', async () => {
  const { rows } = await api.service.pool.query<{ id: string; name: string; sequence: number; created: string }>(
    `select id, name, sequence, to_json(created_at) #>> '{}' as created from events where name = 'container.created' limit 1`,
  )
  const [event] = rows
  const render = openRenderer(api.service)
  const write = async (ids: { readonly id: string; readonly webhookId: string }): Promise<string> => {
    const bytes = await render({
      ...ids,
      accountId: api.context.account.id,
      eventId: event?.id ?? '',
      event: 'container.created',
      sequence: event?.sequence ?? 0,
      createdAt: event?.created ?? '',
      format: null,
      ediIds: null,
    })
    return bytes.toString().replaceAll(ids.id, 'the id').replaceAll(ids.webhookId, 'the webhook')
  }
  const [one, other] = await Promise.all([1, 2].map(() => write({ id: uuid(), webhookId: uuid() })))
  assert.equal(one, other)
  const { data } = JSON.parse(one ?? '') as Delivered
  assert.equal(data.id, 'the id')
  assert.ok(JSON.stringify(data.relationships).includes('the webhook'))
})
