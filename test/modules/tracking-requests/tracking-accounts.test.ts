// Several requests and several accounts for one number: what they share, what they never share, and which are refused.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { getContainer } from '../../../src/modules/containers/get-container.ts'
import { listContainers } from '../../../src/modules/containers/list-containers.ts'
import { refreshContainer } from '../../../src/modules/containers/refresh-container.ts'
import { updateContainer } from '../../../src/modules/containers/update-container.ts'
import { ServiceError } from '../../../src/modules/errors.ts'
import { listRawEvents } from '../../../src/modules/provenance/list-raw-events.ts'
import { getShipment } from '../../../src/modules/shipments/get-shipment.ts'
import { resumeTracking } from '../../../src/modules/shipments/resume-tracking.ts'
import { stopTracking } from '../../../src/modules/shipments/stop-tracking.ts'
import { updateShipment } from '../../../src/modules/shipments/update-shipment.ts'
import { getTrackingRequest } from '../../../src/modules/tracking-requests/get-tracking-request.ts'
import { updateTrackingRequest } from '../../../src/modules/tracking-requests/update-tracking-request.ts'
import { listTransportEvents } from '../../../src/modules/transport-events/list-transport-events.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { pollCarrier, takeDuePolls } from '../../../src/pipeline/polling/due-polls.ts'
import { leaseTaskSet, workTaskSet } from '../../../src/pipeline/polling/work-tasks.ts'
import { box, journey, openStage, otherBox, type Stage } from '../../support/tracking-harness.ts'

const bill = 'HLCUSHA260100003'

function code(expected: string): (error: unknown) => boolean {
  return (error) => error instanceof ServiceError && error.code === expected
}

/** Every table that belongs to an account, as that account's rows of it. */
const tenantTables = [
  'tracking_requests',
  'shipments',
  'containers',
  'claims',
  'issues',
  'transport_events',
  'events',
  'ledger',
]

async function countsOf(stage: Stage, accountId: string): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {}
  for (const table of tenantTables) {
    counts[table] = (await stage.rows(`select 1 from ${table} where account_id = $1`, [accountId])).length
  }
  return counts
}

test('two accounts share one poll target for the same number: one poll serves both, each has its own shipment', async (t) => {
  const stage = await openStage(t)
  const other = await stage.newAccount()
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.track(bill)
  await stage.track(bill, { as: other })
  await stage.drain()
  assert.equal(stage.carrier.asked.length, 1)
  assert.equal((await stage.rows('select 1 from subjects')).length, 1)
  assert.deepEqual(await countsOf(stage, other.account.id), await countsOf(stage, stage.account.account.id))
  assert.deepEqual(await stage.heard(other), await stage.heard())
  const ids = await stage.rows<{ id: string }>('select id from containers union all select id from claims')
  assert.equal(new Set(ids.map(({ id }) => id)).size, ids.length, 'no id of one account is an id of the other')
})

test('a change of one shipment never affects the shipment of another account', async (t) => {
  const stage = await openStage(t)
  const other = await stage.newAccount()
  stage.carrier.answers({ json: journey(bill, 'out') })
  await stage.track(bill)
  await stage.track(bill, { as: other })
  await stage.drain()
  const before = await Promise.all(
    tenantTables.map((table) =>
      stage.rows(`select * from ${table} where account_id = $1 order by 2`, [other.account.id]),
    ),
  )
  const mine = await stage.row<{ shipment: string; container: string }>(
    'select shipment_id as shipment, id as container from containers where account_id = $1',
    [stage.account.account.id],
  )
  await updateShipment(stage.service, stage.account, {
    id: mine.shipment,
    refNumbers: ['PO-1'],
    tags: ['mine'],
  })
  await updateContainer(stage.service, stage.account, { id: mine.container, deliveredAt: '2026-01-28' })
  await stopTracking(stage.service, stage.account, { id: mine.shipment })
  await stage.drain()
  const after = await Promise.all(
    tenantTables.map((table) =>
      stage.rows(`select * from ${table} where account_id = $1 order by 2`, [other.account.id]),
    ),
  )
  assert.deepEqual(
    after.map((rows) => rows.map((row) => ({ ...row, sequence: null }))),
    before.map((rows) => rows.map((row) => ({ ...row, sequence: null }))),
  )
})

test('an account that tracks a known number later gets its shipment at once, even if the poll shows no change', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.track(bill)
  await stage.drain()
  const mine = await countsOf(stage, stage.account.account.id)
  const other = await stage.newAccount()
  const id = await stage.track(bill, { as: other })
  await stage.drain()
  assert.equal(stage.carrier.asked.length, 2)
  assert.equal((await stage.request(id)).status, 'created')
  assert.deepEqual(await stage.heard(other), await stage.heard())
  assert.deepEqual(await countsOf(stage, stage.account.account.id), mine, 'the first account heard nothing of it')
})

test('stopping in one account does not stop the other, nor the polls', async (t) => {
  const stage = await openStage(t)
  const other = await stage.newAccount()
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  const mine = await stage.track(bill)
  const theirs = await stage.track(bill, { as: other })
  await stage.drain()
  const { shipmentId } = await stage.request(mine)
  await stopTracking(stage.service, stage.account, { id: shipmentId ?? '' })
  stage.carrier.answers({ json: journey(bill, 'arrived') })
  assert.notEqual(await stage.nextLook(), null)
  assert.equal((await stage.request(theirs)).status, 'created')
  assert.ok((await stage.heard(other)).includes('container.transport.vessel_arrived'))
  assert.ok(!(await stage.heard()).includes('container.transport.vessel_arrived'))
  await resumeTracking(stage.service, stage.account, { id: shipmentId ?? '' })
  await stage.drain()
  assert.ok(
    (await stage.heard()).includes('container.transport.vessel_arrived'),
    'resumed, the account catches up though the line said nothing new since',
  )
  assert.equal((await stage.heard(other)).filter((name) => name === 'container.transport.vessel_arrived').length, 1)
})

test('a container request joins the shipment of its bill, and has its own succeeded event', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  const first = await stage.track(bill)
  await stage.drain()
  const eventNames = await stage.heard()
  const second = await stage.track(box, { type: 'container' })
  await stage.drain()
  assert.equal((await stage.request(second)).shipmentId, (await stage.request(first)).shipmentId)
  assert.equal((await stage.rows('select 1 from shipments')).length, 1)
  assert.equal((await stage.rows('select 1 from containers')).length, 1)
  assert.deepEqual(await stage.heard(), [...eventNames, 'tracking_request.succeeded'])
})

test('a bill request joins the shipment that a container request created', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  const first = await stage.track(box, { type: 'container' })
  await stage.drain()
  const eventNames = await stage.heard()
  const second = await stage.track(bill)
  await stage.drain()
  assert.equal((await stage.request(second)).shipmentId, (await stage.request(first)).shipmentId)
  assert.deepEqual(await stage.heard(), [...eventNames, 'tracking_request.succeeded'])
  const shipment = await stage.row<{ bill_of_lading_number: string }>('select bill_of_lading_number from shipments')
  assert.equal(shipment.bill_of_lading_number, bill)
})

test('three requests that resolve to one shipment at the same moment create one, with its events once', async (t) => {
  for (let round = 0; round < 5; round += 1) {
    const stage = await openStage(t)
    stage.carrier.answers({ json: journey(bill, 'sailed', [box, otherBox]) })
    const ids = [
      await stage.track(bill),
      await stage.track(box, { type: 'container' }),
      await stage.track(otherBox, { type: 'container' }),
    ]
    const rules = readRules(stage.service.config)
    const fold = foldBy(rules)
    for (const job of await takeDuePolls(stage.service, 10)) await pollCarrier(stage.service, rules, job)
    for (const job of await takeDuePolls(stage.service, 10)) await pollCarrier(stage.service, rules, job)
    const set = await leaseTaskSet(stage.service)
    assert.equal(set?.tasks.length, 3)
    // Each by its own worker, at the same time.
    const { token = '', tasks = [] } = set ?? {}
    await Promise.all(tasks.map((task) => workTaskSet(stage.service, fold, { token, tasks: [task] })))
    assert.deepEqual(
      stage.logged().filter(({ event }) => event === 'job.failed'),
      [],
    )
    await stage.drain()
    const requests = await Promise.all(ids.map(stage.request))
    assert.ok(requests.every(({ status }) => status === 'created'))
    assert.equal(new Set(requests.map(({ shipmentId }) => shipmentId)).size, 1)
    assert.equal((await stage.rows('select 1 from shipments')).length, 1)
    const eventNames = await stage.heard()
    const times = (name: string): number => eventNames.filter((each) => each === name).length
    assert.equal(times('tracking_request.succeeded'), 3)
    assert.equal(times('container.created'), 2)
    assert.equal(times('container.transport.vessel_departed'), 2)
    assert.equal(times('container.transport.vessel_loaded'), 2)
    const ledger = await stage.rows<{ recorded_at: string }>('select recorded_at from ledger order by position')
    assert.deepEqual(
      ledger,
      ledger.toSorted((a, b) => (a.recorded_at < b.recorded_at ? -1 : 1)),
    )
  }
})

test('refuses a number that is already tracked, and accepts a number whose tracking has ended', async (t) => {
  const stage = await openStage(t)
  const id = await stage.track(bill)
  const refused = (error: unknown): boolean => {
    assert.ok(error instanceof ServiceError)
    assert.equal(error.code, 'duplicate')
    assert.deepEqual(error.source, { pointer: '/data/attributes/request_number' })
    return true
  }
  await assert.rejects(stage.track(bill), refused, 'pending')
  await assert.rejects(stage.track(' hlcu-sha2601.00003 '), refused, 'the same number in other clothes')
  await stage.drain()
  await assert.rejects(stage.track(bill), refused, 'awaiting its manifest')
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.nextLook()
  await assert.rejects(stage.track(bill), refused, 'created')
  assert.equal((await stage.rows('select 1 from tracking_requests')).length, 1)
  const { shipmentId } = await stage.request(id)
  await stopTracking(stage.service, stage.account, { id: shipmentId ?? '' })
  const again = await stage.track(bill)
  await stage.drain()
  assert.equal((await stage.request(again)).shipmentId, shipmentId)
  await resumeTracking(stage.service, stage.account, { id: shipmentId ?? '' })
  assert.equal((await stage.request(id)).status, 'tracking_stopped', 'the earlier request stays as it ended')
  const shipment = await stage.row<{ stopped: string | null }>('select tracking_stopped_at as stopped from shipments')
  assert.equal(shipment.stopped, null)
})

test('of concurrent requests for one number one is created and the others are refused', async (t) => {
  const stage = await openStage(t)
  for (let round = 0; round < 10; round += 1) {
    const number = `HLCUSHA2601${String(round).padStart(5, '0')}`
    const outcomes = await Promise.allSettled([stage.track(number), stage.track(number), stage.track(number)])
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const outcome of outcomes) if (outcome.status === 'rejected') assert.ok(code('duplicate')(outcome.reason))
  }
  assert.equal((await stage.rows('select 1 from tracking_requests')).length, 10)
})

test('refuses a kind of number that the credentials do not support at once, without a poll', async (t) => {
  const parameters = {
    container: null,
    bill_of_lading: 'carrierBookingReference',
    booking: 'carrierBookingReference',
  }
  const stage = await openStage(t, { profile: { parameters } })
  await assert.rejects(stage.track(box, { type: 'container' }), (error) => {
    assert.ok(error instanceof ServiceError, String(error))
    assert.deepEqual(
      [error.code, error.source],
      ['unsupported_number_type', { pointer: '/data/attributes/request_type' }],
    )
    return true
  })
  await stage.track(bill)
})

test('refuses invalid input naming the field, and writes nothing', async (t) => {
  const stage = await openStage(t)
  const cases = [
    [{ number: bill, scac: 'ZZZZ' }, 'unknown_scac', '/data/attributes/scac'],
    [{ number: bill, scac: 'ONEY' }, 'carrier_not_configured', '/data/attributes/scac'],
    [{ number: box, scac: 'ZIMU', type: 'container' }, 'unsupported_number_type', '/data/attributes/request_type'],
    [{ number: 'LDFU1000019', type: 'container' }, 'invalid', '/data/attributes/request_number'],
    [{ number: '' }, 'invalid', '/data/attributes/request_number'],
    [{ number: 'x'.repeat(5_000) }, 'invalid', '/data/attributes/request_number'],
    [{ number: 'AB\u0000C123' }, 'invalid', '/data/attributes/request_number'],
  ] as const
  for (const [{ number, ...options }, expected, pointer] of cases) {
    await assert.rejects(stage.track(number, options), (error) => {
      assert.ok(error instanceof ServiceError, String(error))
      assert.deepEqual([error.code, error.source], [expected, { pointer }])
      return true
    })
  }
  for (const table of ['tracking_requests', 'subjects', 'ledger', 'events']) {
    assert.deepEqual(await stage.rows(`select 1 from ${table}`), [], table)
  }
})

test('finds no ids of another account in any operation, and answers as for unknown ids', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  const request = await stage.track(bill)
  await stage.drain()
  const mine = await stage.row<{ shipment: string; container: string }>(
    'select shipment_id as shipment, id as container from containers',
  )
  const stranger = await stage.newAccount()
  const before = await countsOf(stage, stage.account.account.id)
  const { service } = stage
  for (const ids of [
    { ...mine, request },
    { shipment: randomUUID(), container: randomUUID(), request: randomUUID() },
  ]) {
    const attempts: Readonly<Record<string, () => Promise<unknown>>> = {
      getTrackingRequest: () => getTrackingRequest(service, stranger, { id: ids.request }),
      updateTrackingRequest: () => updateTrackingRequest(service, stranger, { id: ids.request, refNumbers: ['x'] }),
      getShipment: () => getShipment(service, stranger, { id: ids.shipment }),
      updateShipment: () => updateShipment(service, stranger, { id: ids.shipment, tags: ['x'] }),
      stopTracking: () => stopTracking(service, stranger, { id: ids.shipment }),
      resumeTracking: () => resumeTracking(service, stranger, { id: ids.shipment }),
      getContainer: () => getContainer(service, stranger, { id: ids.container }),
      updateContainer: () => updateContainer(service, stranger, { id: ids.container, deliveredAt: '2026-01-01' }),
      updateContainerReferences: () => updateContainer(service, stranger, { id: ids.container, refNumbers: ['x'] }),
      refreshContainer: () => refreshContainer(service, stranger, { id: ids.container }),
    }
    for (const [verb, attempt] of Object.entries(attempts)) {
      await assert.rejects(attempt(), code('not_found'), verb)
    }
  }
  assert.deepEqual(await countsOf(stage, stage.account.account.id), before)
  const any = { number: null, status: null, scac: null, updatedAt: { start: null, end: null } }
  const own = { filter: any, order: '-updated_at', page: { number: 1, size: 30 } } as const
  assert.equal((await listContainers(service, stage.account, own)).rows.length, 1)
  assert.deepEqual((await listContainers(service, stranger, own)).rows, [])
  const containerIds = [mine.container]
  assert.notDeepEqual(await listRawEvents(service, stage.account, { containerIds }), [])
  assert.deepEqual(await listRawEvents(service, stranger, { containerIds }), [])
  assert.notDeepEqual(await listTransportEvents(service, stage.account, { containerIds }), [])
  assert.deepEqual(await listTransportEvents(service, stranger, { containerIds }), [])
})

test('a read-only key changes nothing', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  const id = await stage.track(bill)
  await stage.drain()
  const { shipmentId } = await stage.request(id)
  const reader = { ...stage.account, scopes: ['read'] as const }
  await assert.rejects(stage.track('HLCUSHA260100044', { as: reader }), code('forbidden'))
  await assert.rejects(stopTracking(stage.service, reader, { id: shipmentId ?? '' }), code('forbidden'))
  await assert.rejects(updateTrackingRequest(stage.service, reader, { id, refNumbers: [] }), code('forbidden'))
  assert.equal((await stage.request(id)).status, 'created')
})
