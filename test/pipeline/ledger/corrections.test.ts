import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { openRenderer } from '../../../src/api/notifications/notification-document.ts'
import type { Observation } from '../../../src/domain/statements/observation.ts'
import { createWebhook } from '../../../src/modules/webhooks/create-webhook.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rereadAll } from '../../../src/pipeline/ledger/reread-history.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { drainWorkers } from '../../../src/server/workers.ts'
import { openTestApi, type TestApi, type WireResource } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { giveAccess } from '../../support/service.ts'
import { journey } from '../../support/tracking-harness.ts'
import { openReceiver, type Receiver } from '../../support/webhooks-harness.ts'

const bill = 'HLCUSHA260100001'
const arrivedName = 'container.transport.vessel_arrived'
const dischargedName = 'container.transport.vessel_discharged'
const corrected = 'container.transport.corrected'
const retracted = 'container.transport.retracted'

let api: TestApi
let carrier: Carrier
let milestones: Receiver
let corrections: Receiver
let containerId: string

/** The line's answer. `change` changes each event, or removes it with null. */
type EventJson = Record<string, unknown>
function tell(change: (each: EventJson) => EventJson | null = (each) => each): void {
  const events = journey(bill, 'discharged').flatMap((each) => change({ ...each }) ?? [])
  carrier.answers({ json: events }, bill)
}

const drain = () => drainWorkers(api.service, { render: openRenderer(api.service) })
async function lookAgain(): Promise<void> {
  for (let hours = 0; hours < 26; hours += 1) {
    api.clock.advance(3_600_000)
    await drain()
  }
}

beforeEach(async () => {
  api = await openTestApi({ startAt: '2026-01-24T12:00:00Z' })
  carrier = await openCarrier()
  milestones = await openReceiver()
  corrections = await openReceiver()
  await giveAccess(api, { scac: 'HLCU', profile: carrier.profile('HLCU', { isFullPicture: true }) })
  const subscribe = (url: string, events: readonly string[]) =>
    createWebhook(api.service, api.context, { url, isActive: true, events, headers: null })
  await subscribe(milestones.url, [arrivedName, dischargedName])
  await subscribe(corrections.url, [corrected, retracted])
  tell()
  const attributes = { request_type: 'bill_of_lading', request_number: bill, scac: 'HLCU' }
  await api.call({
    method: 'POST',
    url: '/v2/tracking_requests',
    body: { data: { type: 'tracking_request', attributes } },
  })
  await drain()
  containerId = (await api.call({ url: '/v2/containers' })).many()[0]?.id ?? ''
  assert.deepEqual(receivedNames(milestones), [arrivedName, dischargedName])
  assert.deepEqual(receivedNames(corrections), [])
})
afterEach(async () => {
  for (const each of [carrier, milestones, corrections, api]) await each.close()
})

interface Delivery {
  readonly data: WireResource
  readonly included: readonly WireResource[]
}
const deliveries = (receiver: Receiver): readonly Delivery[] =>
  receiver.received.map(({ body }) => JSON.parse(body.toString()) as Delivery)
const receivedNames = (receiver: Receiver) => deliveries(receiver).map(({ data }) => String(data.attributes['event']))
const idOf = (resource: WireResource | undefined, relation: string) =>
  (resource?.relationships?.[relation]?.data as { readonly id: string } | null | undefined)?.id ?? null

/** The container's events of one name, those that were replaced or withdrawn too, the first written first. */
async function versions(name: string): Promise<readonly WireResource[]> {
  const url = `/v2/containers/${containerId}/transport_events`
  const all = (await api.call({ url: `${url}?show_invalidated=true` })).many()
  const active = (await api.call({ url })).many()
  assert.deepEqual(
    all.filter(({ attributes }) => attributes['invalidated_at'] === null),
    active,
    'without being asked, the list shows what stands',
  )
  return all
    .filter(({ attributes }) => attributes['event'] === name)
    .toSorted((a, b) => (String(a.attributes['created_at']) < String(b.attributes['created_at']) ? -1 : 1))
}

/** The events of the feed, by name. */
async function fed(name: string): Promise<readonly WireResource[]> {
  return (await api.call({ url: `/v2/events?limit=1000&filter[event]=${name}` })).many()
}

/** One milestone was replaced: rows, feed and both webhooks agree. */
async function assertCorrected(name: string): Promise<readonly [WireResource, WireResource]> {
  const [before, now, ...more] = await versions(name)
  assert.ok(before && now && more.length === 0, name)
  assert.ok(before.attributes['invalidated_at'])
  assert.equal(now.attributes['invalidated_at'], null)
  assert.equal(idOf(before, 'previous_version'), null)
  assert.equal(idOf(now, 'previous_version'), before.id)

  const again = deliveries(milestones).filter(({ data }) => idOf(data, 'reference_object') === now.id)
  assert.deepEqual(
    again.map(({ data }) => data.attributes['event']),
    [name],
    'the milestone is heard once more',
  )
  const delivered = deliveries(corrections).filter(({ data }) => idOf(data, 'reference_object') === now.id)
  assert.deepEqual(
    delivered.map(({ data }) => data.attributes['event']),
    [corrected],
  )
  const previous = delivered[0]?.included.find(({ id }) => id === before.id)
  assert.ok(previous?.attributes['invalidated_at'], 'the correction brings the previous version along')

  const inFeed = [...(await fed(name)), ...(await fed(corrected))]
  assert.deepEqual(
    inFeed.filter((each) => idOf(each, 'reference_object') === now.id).map(({ attributes }) => attributes['event']),
    [name, corrected],
  )
  return [before, now]
}

test('a changed arrival time sends a new event, and a correction to webhooks that subscribed to corrections', async () => {
  tell((each) =>
    each['transportEventTypeCode'] === 'ARRI' ? { ...each, eventDateTime: '2026-01-22T09:30:00-08:00' } : each,
  )
  await lookAgain()
  const [before, now] = await assertCorrected(arrivedName)
  assert.equal(before.attributes['timestamp'], '2026-01-22T14:00:00Z')
  assert.equal(now.attributes['timestamp'], '2026-01-22T17:30:00Z')
  assert.deepEqual(receivedNames(milestones), [arrivedName, dischargedName, arrivedName])
  assert.deepEqual(receivedNames(corrections), [corrected])
  const container = (await api.call({ url: `/v2/containers/${containerId}` })).one()
  assert.equal(container.attributes['pod_arrived_at'], '2026-01-22T17:30:00Z')
})

test('a second correction of an event refers to the first corrected version', async () => {
  for (const at of ['2026-01-22T09:30:00-08:00', '2026-01-22T11:00:00-08:00']) {
    tell((each) => (each['transportEventTypeCode'] === 'ARRI' ? { ...each, eventDateTime: at } : each))
    await lookAgain()
  }
  const [first, second, third] = await versions(arrivedName)
  assert.equal(idOf(second, 'previous_version'), first?.id)
  assert.equal(idOf(third, 'previous_version'), second?.id)
  assert.ok(second?.attributes['invalidated_at'])
  assert.deepEqual(receivedNames(corrections), [corrected, corrected])
  assert.equal(new Set(deliveries(milestones).map(({ data }) => data.id)).size, 4)
})

/** The discharge is withdrawn: rows, feed and both webhooks agree. */
async function assertRetracted(): Promise<void> {
  const [gone, ...more] = await versions(dischargedName)
  assert.equal(more.length, 0)
  assert.ok(gone?.attributes['invalidated_at'])
  assert.deepEqual(receivedNames(milestones), [arrivedName, dischargedName], 'never under its own name')
  assert.deepEqual(receivedNames(corrections), [retracted])
  const [delivered] = deliveries(corrections)
  assert.equal(idOf(delivered?.data, 'reference_object'), gone?.id)
  assert.ok(delivered?.included.find(({ id }) => id === gone?.id)?.attributes['invalidated_at'])
  const [inFeed, ...others] = await fed(retracted)
  assert.equal(others.length, 0)
  assert.equal(idOf(inFeed, 'reference_object'), gone?.id)
  const container = (await api.call({ url: `/v2/containers/${containerId}` })).one()
  assert.equal(container.attributes['pod_discharged_at'], null)
}

test('sends a retraction and no new milestone event when the line retracts an event', async () => {
  tell((each) => (each['equipmentEventTypeCode'] === 'DISC' ? { ...each, isRetracted: true } : each))
  await lookAgain()
  await assertRetracted()
})

test('withdraws an event only when a line omits it from two complete answers in a row', async () => {
  tell((each) => (each['equipmentEventTypeCode'] === 'DISC' ? null : each))
  const looks = () => carrier.asked.length
  for (const before = looks(); looks() === before; ) {
    api.clock.advance(3_600_000)
    await drain()
  }
  assert.deepEqual(receivedNames(corrections), [])
  assert.equal((await versions(dischargedName))[0]?.attributes['invalidated_at'], null)
  await lookAgain()
  await assertRetracted()
})

test('sends a correction of an event when the line states another vessel for it', async () => {
  const other = { vesselIMONumber: '9454436', vesselName: 'Queen of the Seas' }
  tell((each) => {
    const call = each['transportCall'] as EventJson
    return each['transportEventTypeCode'] === 'ARRI' || each['equipmentEventTypeCode'] === 'DISC'
      ? { ...each, transportCall: { ...call, vessel: other } }
      : each
  })
  await lookAgain()
  const [before, now] = await assertCorrected(arrivedName)
  assert.notEqual(idOf(before, 'vessel'), idOf(now, 'vessel'))
  assert.equal(before.attributes['timestamp'], now.attributes['timestamp'])
})

test('a corrected reader corrects and withdraws the events of the earlier reader', async () => {
  const old = foldBy(readRules(api.service.config))
  const correctedFold: typeof old = {
    ...old,
    findSource: (name) => {
      const source = old.findSource(name)
      if (source === null || source.name !== 'dcsa') return source
      return {
        ...source,
        version: source.version + 1,
        read: (...asked) => {
          const reading = source.read(...asked)
          const observations = reading.observations.flatMap((said): readonly Observation[] => {
            if (said.kind !== 'event') return [said]
            if (said.code === 'DISC') return []
            if (said.code !== 'ARRI' || said.time.kind !== 'instant') return [said]
            const at = new Date(Date.parse(said.time.at) + 3_600_000).toISOString()
            return [{ ...said, time: { ...said.time, at } }]
          })
          return { ...reading, observations }
        },
      }
    },
  }
  const report = await rereadAll(api.service, correctedFold, () => api.clock)
  assert.deepEqual(report.failed, [])
  await drain()
  const [, now] = await assertCorrected(arrivedName)
  assert.equal(now.attributes['timestamp'], '2026-01-22T15:00:00Z')
  const [gone] = await versions(dischargedName)
  assert.ok(gone?.attributes['invalidated_at'])
  assert.deepEqual(receivedNames(corrections).toSorted(), [corrected, retracted])
  assert.deepEqual(receivedNames(milestones), [arrivedName, dischargedName, arrivedName])
})

test('announces a correction once, even if it is received out of order or twice', async () => {
  tell((each) =>
    each['transportEventTypeCode'] === 'ARRI' ? { ...each, eventDateTime: '2026-01-22T09:30:00-08:00' } : each,
  )
  await lookAgain()
  carrier.answers(
    {
      json: journey(bill, 'discharged')
        .map((each) =>
          each['transportEventTypeCode'] === 'ARRI' ? { ...each, eventDateTime: '2026-01-22T09:30:00-08:00' } : each,
        )
        .toReversed(),
    },
    bill,
  )
  await lookAgain()
  assert.deepEqual(receivedNames(corrections), [corrected])
  assert.equal((await versions(arrivedName)).length, 2)
})
