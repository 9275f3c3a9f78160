import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import type { Observation } from '../../src/core/statements/observation.ts'
import { openRenderer } from '../../src/doors/webhooks/notification-document.ts'
import { foldBy } from '../../src/service/ledger/fold.ts'
import { rereadAll } from '../../src/service/ledger/reread.ts'
import { readRules } from '../../src/service/ledger/rules.ts'
import { drainWorkers } from '../../src/service/running/workers.ts'
import { createWebhook } from '../../src/service/telling/webhooks/create-webhook.ts'
import { journey } from '../service/tracking-harness.ts'
import { openReceiver, type Receiver } from '../service/webhooks-harness.ts'
import { openTestApi, type TestApi, type WireResource } from '../support/api.ts'
import { type Carrier, openCarrier } from '../support/carrier.ts'
import { giveAccess } from '../support/service.ts'

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

/** What the line says. `change` changes each event, or removes it with null. */
type Told = Record<string, unknown>
function tell(change: (told: Told) => Told | null = (told) => told): void {
  const events = journey(bill, 'discharged').flatMap((told) => change({ ...told }) ?? [])
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
  assert.deepEqual(heard(milestones), [arrivedName, dischargedName])
  assert.deepEqual(heard(corrections), [])
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
const heard = (receiver: Receiver) => deliveries(receiver).map(({ data }) => String(data.attributes['event']))
const idOf = (resource: WireResource | undefined, relation: string) =>
  (resource?.relationships?.[relation]?.data as { readonly id: string } | null | undefined)?.id ?? null

/** The container's events of one name, those that were replaced or withdrawn too, the first written first. */
async function versions(name: string): Promise<readonly WireResource[]> {
  const url = `/v2/containers/${containerId}/transport_events`
  const all = (await api.call({ url: `${url}?show_invalidated=true` })).many()
  const standing = (await api.call({ url })).many()
  assert.deepEqual(
    all.filter(({ attributes }) => attributes['invalidated_at'] === null),
    standing,
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
  const told = deliveries(corrections).filter(({ data }) => idOf(data, 'reference_object') === now.id)
  assert.deepEqual(
    told.map(({ data }) => data.attributes['event']),
    [corrected],
  )
  const previous = told[0]?.included.find(({ id }) => id === before.id)
  assert.ok(previous?.attributes['invalidated_at'], 'the correction brings the previous version along')

  const inFeed = [...(await fed(name)), ...(await fed(corrected))]
  assert.deepEqual(
    inFeed
      .filter((each) => idOf(each, 'reference_object') === now.id)
      .map(({ attributes }) => attributes['event']),
    [name, corrected],
  )
  return [before, now]
}

test('an actual that moved is replaced, heard again as itself, and as corrected by those who asked', async () => {
  tell((told) =>
    told['transportEventTypeCode'] === 'ARRI'
      ? { ...told, eventDateTime: '2026-01-22T09:30:00-08:00' }
      : told,
  )
  await lookAgain()
  const [before, now] = await assertCorrected(arrivedName)
  assert.equal(before.attributes['timestamp'], '2026-01-22T14:00:00Z')
  assert.equal(now.attributes['timestamp'], '2026-01-22T17:30:00Z')
  assert.deepEqual(heard(milestones), [arrivedName, dischargedName, arrivedName])
  assert.deepEqual(heard(corrections), [corrected])
  const container = (await api.call({ url: `/v2/containers/${containerId}` })).one()
  assert.equal(container.attributes['pod_arrived_at'], '2026-01-22T17:30:00Z')
})

test('a correction of a correction goes on from the last version', async () => {
  for (const at of ['2026-01-22T09:30:00-08:00', '2026-01-22T11:00:00-08:00']) {
    tell((told) => (told['transportEventTypeCode'] === 'ARRI' ? { ...told, eventDateTime: at } : told))
    await lookAgain()
  }
  const [first, second, third] = await versions(arrivedName)
  assert.equal(idOf(second, 'previous_version'), first?.id)
  assert.equal(idOf(third, 'previous_version'), second?.id)
  assert.ok(second?.attributes['invalidated_at'])
  assert.deepEqual(heard(corrections), [corrected, corrected])
  assert.equal(new Set(deliveries(milestones).map(({ data }) => data.id)).size, 4)
})

/** The discharge is withdrawn: rows, feed and both webhooks agree. */
async function assertRetracted(): Promise<void> {
  const [gone, ...more] = await versions(dischargedName)
  assert.equal(more.length, 0)
  assert.ok(gone?.attributes['invalidated_at'])
  assert.deepEqual(heard(milestones), [arrivedName, dischargedName], 'never under its own name')
  assert.deepEqual(heard(corrections), [retracted])
  const [told] = deliveries(corrections)
  assert.equal(idOf(told?.data, 'reference_object'), gone?.id)
  assert.ok(told?.included.find(({ id }) => id === gone?.id)?.attributes['invalidated_at'])
  const [inFeed, ...others] = await fed(retracted)
  assert.equal(others.length, 0)
  assert.equal(idOf(inFeed, 'reference_object'), gone?.id)
  const container = (await api.call({ url: `/v2/containers/${containerId}` })).one()
  assert.equal(container.attributes['pod_discharged_at'], null)
}

test('what the line takes back is withdrawn, heard as retracted only and never under its own name', async () => {
  tell((told) => (told['equipmentEventTypeCode'] === 'DISC' ? { ...told, isRetracted: true } : told))
  await lookAgain()
  await assertRetracted()
})

test('a statement that the full picture of a line lacks is withdrawn the second time in a row, not the first', async () => {
  tell((told) => (told['equipmentEventTypeCode'] === 'DISC' ? null : told))
  const looks = () => carrier.asked.length
  for (const before = looks(); looks() === before; ) {
    api.clock.advance(3_600_000)
    await drain()
  }
  assert.deepEqual(heard(corrections), [])
  assert.equal((await versions(dischargedName))[0]?.attributes['invalidated_at'], null)
  await lookAgain()
  await assertRetracted()
})

test('another vessel corrects what happened on it', async () => {
  const other = { vesselIMONumber: '9454436', vesselName: 'Queen of the Seas' }
  tell((told) => {
    const call = told['transportCall'] as Told
    return told['transportEventTypeCode'] === 'ARRI' || told['equipmentEventTypeCode'] === 'DISC'
      ? { ...told, transportCall: { ...call, vessel: other } }
      : told
  })
  await lookAgain()
  const [before, now] = await assertCorrected(arrivedName)
  assert.notEqual(idOf(before, 'vessel'), idOf(now, 'vessel'))
  assert.equal(before.attributes['timestamp'], now.attributes['timestamp'])
})

test('a mended reader corrects and withdraws what the one before it had read', async () => {
  const old = foldBy(readRules(api.service.config))
  const mended: typeof old = {
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
  const report = await rereadAll(api.service, mended, () => api.clock)
  assert.deepEqual(report.failed, [])
  await drain()
  const [, now] = await assertCorrected(arrivedName)
  assert.equal(now.attributes['timestamp'], '2026-01-22T15:00:00Z')
  const [gone] = await versions(dischargedName)
  assert.ok(gone?.attributes['invalidated_at'])
  assert.deepEqual(heard(corrections).toSorted(), [corrected, retracted])
  assert.deepEqual(heard(milestones), [arrivedName, dischargedName, arrivedName])
})

test('a correction that came out of order, or twice, is announced once', async () => {
  tell((told) =>
    told['transportEventTypeCode'] === 'ARRI'
      ? { ...told, eventDateTime: '2026-01-22T09:30:00-08:00' }
      : told,
  )
  await lookAgain()
  carrier.answers(
    {
      json: journey(bill, 'discharged')
        .map((told) =>
          told['transportEventTypeCode'] === 'ARRI'
            ? { ...told, eventDateTime: '2026-01-22T09:30:00-08:00' }
            : told,
        )
        .toReversed(),
    },
    bill,
  )
  await lookAgain()
  assert.deepEqual(heard(corrections), [corrected])
  assert.equal((await versions(arrivedName)).length, 2)
})
