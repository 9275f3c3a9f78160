// A channel that gets messages can also be polled: about what is tracked, at its own rate. Its answers are used like
// deliveries.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bindChannel } from '../../../src/modules/channels/bind-channel.ts'
import { changeChannel } from '../../../src/modules/channels/channels.ts'
import { readPickupNumber } from '../../../src/modules/containers/read-pickup-number.ts'
import { resumeTracking } from '../../../src/modules/shipments/resume-tracking.ts'
import { stopTracking } from '../../../src/modules/shipments/stop-tracking.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { sendJson } from '../../connectors/line-server.ts'
import { journey } from '../../support/tracking-harness.ts'
import {
  type AskingStage,
  apiKey,
  bill,
  lfdOf,
  noticeOf,
  openAsking,
  otherBill,
  secret,
  standing,
  tells,
} from './polled-channel-harness.ts'

const of = (stage: AskingStage, day: string, issuedAt = '2026-02-01T09:00:00Z') => {
  const freeTimes = [{ typeCodes: ['DEM'], lastFreeDate: { value: day, classifier: 'EST' } }]
  stage.publisher.answers(tells(noticeOf(bill, { issueDateTime: issuedAt, freeTimes })))
}

async function messages(stage: AskingStage): Promise<number> {
  return (await stage.rows('select from inbound_messages')).length
}

async function assertRebuilt(stage: AskingStage): Promise<void> {
  const fold = foldBy(readRules(stage.service.config))
  const quietly = { repair: false, differencesMax: 20, progress: () => {} }
  assert.deepEqual((await rebuildProjections(stage.service, fold, quietly)).differences, [])
}

test('polls the arrival notice of a tracked bill and uses its free time and charges', async (t) => {
  const stage = await openAsking(t)
  await stage.openAsked()
  of(stage, '2026-02-09')
  await stage.track(bill)
  await stage.drain()
  assert.deepEqual(stage.questions(), [bill])
  assert.equal(stage.publisher.asked[0]?.headers['x-api-key'], apiKey)
  assert.equal(await lfdOf(stage), '2026-02-09')
  assert.deepEqual(await standing(stage), ['fee', 'general_order_at', 'hold', 'pickup_lfd_line', 'pickup_number'])
  const { id: containerId } = await stage.row<{ id: string }>('select id from containers')
  const { number } = await readPickupNumber(stage.service, stage.account, { containerId })
  assert.equal(number, secret)
  const logged = JSON.stringify(stage.logged())
  for (const hidden of [secret, apiKey]) assert.ok(!logged.includes(hidden))
  await assertRebuilt(stage)
})

test('uses an unchanged notice once, and replaces a notice only with a newer one', async (t) => {
  const stage = await openAsking(t)
  await stage.openAsked()
  of(stage, '2026-02-09')
  await stage.track(bill)
  await stage.drain()
  const hearings = () => stage.rows('select from hearings')
  await stage.pass(24)
  assert.ok(stage.questions().length > 1)
  assert.deepEqual([await messages(stage), (await hearings()).length], [1, 1])
  of(stage, '2026-02-11', '2026-02-02T09:00:00Z')
  await stage.pass(24)
  assert.equal(await lfdOf(stage), '2026-02-11')
  of(stage, '2026-02-04', '2026-01-20T09:00:00Z')
  await stage.pass(24)
  assert.equal(await lfdOf(stage), '2026-02-11')
  await assertRebuilt(stage)
})

test('polls for numbers tracked before the channel was opened, but only for numbers of its line', async (t) => {
  const stage = await openAsking(t)
  stage.carrier.answers({ json: journey(otherBill, 'sailed', ['LDFU1000023']) }, otherBill)
  await stage.track(bill)
  await stage.track(otherBill)
  await stage.drain()
  await stage.openAsked({ name: 'of-another-line', speaker: { kind: 'shipping_line', code: 'ONEY' } })
  await stage.drain()
  assert.deepEqual(stage.questions(), [])
  await stage.openAsked()
  await stage.drain()
  assert.deepEqual(stage.questions().toSorted(), [bill, otherBill])
})

test('another account neither polls through the channel nor gets its answers', async (t) => {
  const stage = await openAsking(t)
  const stranger = await stage.newAccount()
  await stage.openAsked()
  of(stage, '2026-02-09')
  await stage.track(bill, { as: stranger })
  await stage.drain()
  assert.deepEqual(stage.questions(), [])
  await stage.track(bill)
  await stage.drain()
  assert.deepEqual(stage.questions(), [bill])
  assert.deepEqual(await standing(stage, stranger), [])
  assert.equal(await lfdOf(stage), '2026-02-09')
})

test('an installation channel polls a bill once for all accounts, and gives charges only to permitted accounts', async (t) => {
  const stage = await openAsking(t)
  const second = await stage.newAccount()
  await stage.openAsked({ as: null })
  await bindChannel(stage.service, { name: 'notices', account: stage.account.account })
  of(stage, '2026-02-09')
  await stage.track(bill)
  await stage.track(bill, { as: second })
  await stage.drain()
  assert.deepEqual(stage.questions(), [bill])
  assert.equal(await lfdOf(stage), '2026-02-09')
  assert.equal(await lfdOf(stage, second), '2026-02-09')
  assert.ok((await standing(stage)).includes('pickup_number'))
  assert.ok(!(await standing(stage, second)).includes('pickup_number'))
})

test('keeps a polled answer that is about another bill, and uses it for the shipment of that bill', async (t) => {
  const stage = await openAsking(t)
  await stage.openAsked()
  const freeTimes = [{ typeCodes: ['DEM'], lastFreeDate: { value: '2026-02-13', classifier: 'EST' } }]
  const utilizedTransportEquipments = [{ equipment: { equipmentReference: 'LDFU1000023' } }]
  stage.publisher.answers(tells(noticeOf(otherBill, { freeTimes, utilizedTransportEquipments })))
  await stage.track(bill)
  await stage.drain()
  assert.deepEqual(await standing(stage), [])
  stage.carrier.answers({ json: journey(otherBill, 'sailed', ['LDFU1000023']) }, otherBill)
  await stage.track(otherBill)
  await stage.drain()
  const lfds = await stage.rows<{ number: string; lfd: string | null }>(
    `select number, projection #>> '{freeTime,line,on}' as lfd from containers order by number`,
  )
  assert.deepEqual(
    lfds.map(({ lfd }) => lfd),
    [null, '2026-02-13'],
  )
})

test('combines several bills in one poll if the profile allows it, and each shipment gets its own data', async (t) => {
  const stage = await openAsking(t)
  await stage.openAsked({ how: { batchMax: 10 } })
  stage.carrier.answers({ json: journey(otherBill, 'sailed', ['LDFU1000023']) }, otherBill)
  stage.publisher.answers(
    tells(
      noticeOf(bill),
      noticeOf(otherBill, {
        utilizedTransportEquipments: [{ equipment: { equipmentReference: 'LDFU1000023' } }],
      }),
    ),
  )
  await changeChannel(stage.service, { name: 'notices', isEnabled: false })
  await stage.track(bill)
  await stage.track(otherBill)
  await stage.drain()
  await changeChannel(stage.service, { name: 'notices', isEnabled: true })
  await stage.drain()
  assert.deepEqual(stage.questions(), [`${bill},${otherBill}`])
  assert.equal((await stage.rows('select from hearings')).length, 2)
})

test('stores no new message when bills are polled together and their answer is unchanged', async (t) => {
  const stage = await openAsking(t)
  await stage.openAsked({ how: { batchMax: 10 } })
  stage.carrier.answers({ json: journey(otherBill, 'sailed', ['LDFU1000023']) }, otherBill)
  stage.publisher.answers(({ url }, response) => {
    const bills = url.searchParams.get('transportDocumentReferences')?.split(',') ?? []
    sendJson(response, { arrivalNotices: bills.map((each) => noticeOf(each)) })
  })
  await stage.track(bill)
  await stage.drain()
  await stage.track(otherBill)
  await stage.drain()
  assert.deepEqual(stage.questions(), [bill, otherBill])
  const { now } = await stage.row<{ now: string }>('select min(next_ask_at) as now from asked_numbers')
  await stage.rows('update asked_numbers set next_ask_at = $1', [now])
  stage.clock.set(Date.parse(now))
  await stage.drain()
  assert.deepEqual(stage.questions().at(-1), `${bill},${otherBill}`)
  assert.equal(await messages(stage), 2)
})

test('uses all pages of an answer', async (t) => {
  const stage = await openAsking(t)
  await stage.openAsked()
  stage.publisher.answers(({ url }, response) => {
    const isLast = url.searchParams.get('cursor') === 'two'
    const page = isLast
      ? { freeTimes: [{ typeCodes: ['DEM'], lastFreeDate: { value: '2026-02-12', classifier: 'EST' } }] }
      : { typeLabel: 'No charges, French', freeTimes: [], charges: [] }
    sendJson(response, { arrivalNotices: [noticeOf(bill, page)] }, isLast ? {} : { 'Next-Page-Cursor': 'two' })
  })
  await stage.track(bill)
  await stage.drain()
  assert.equal(await messages(stage), 2)
  assert.equal(await lfdOf(stage), '2026-02-12')
})

test('polls for a bill rarely far from its port, more often near it, and not at all once nothing is tracked', async (t) => {
  const stage = await openAsking(t, { startAt: '2026-01-10T00:00:00Z' })
  const arrives = {
    portOfDischarge: { UNLocationCode: 'USLAX' },
    portOfDischargeArrivalDate: { value: '2026-01-24', classifier: 'EST' },
  }
  await stage.openAsked()
  stage.publisher.answers(
    tells(
      noticeOf(bill, {
        issueDateTime: '2026-01-09T00:00:00Z',
        transport: { ...(noticeOf(bill)['transport'] as object), ...arrives },
        freeTimes: [],
      }),
    ),
  )
  await stage.track(bill)
  await stage.drain()
  await stage.pass(26)
  const [far = assert.fail()] = await stage.numbers()
  assert.ok(far.hours > 6, String(far.hours))
  await stage.pass(24 * 12)
  const [near = assert.fail()] = await stage.numbers()
  assert.ok(near.hours <= 4.5, String(near.hours))
  const { id } = await stage.row<{ id: string }>('select id from shipments')
  await stopTracking(stage.service, stage.account, { id })
  await stage.drain()
  const asked = stage.questions().length
  await stage.pass(30)
  assert.equal(stage.questions().length, asked)
  assert.deepEqual(await stage.numbers(), [])
  await resumeTracking(stage.service, stage.account, { id })
  await stage.drain()
  assert.equal(stage.questions().length, asked + 1)
})

test('does not poll a closed channel, nor one that was changed to receive only', async (t) => {
  const stage = await openAsking(t)
  await stage.openAsked()
  await changeChannel(stage.service, { name: 'notices', isEnabled: false })
  await stage.track(bill)
  await stage.drain()
  assert.deepEqual(stage.questions(), [])
  await changeChannel(stage.service, { name: 'notices', isEnabled: true })
  await stage.drain()
  assert.deepEqual(stage.questions(), [bill])
  await changeChannel(stage.service, { name: 'notices', pollConfig: null })
  await stage.pass(30)
  assert.deepEqual(stage.questions(), [bill])
  assert.deepEqual(await stage.rows('select from channels where is_told and secret_sealed is not null'), [])
})

test('polls by container number only if the channel belongs to an account and its profile allows this', async (t) => {
  const stage = await openAsking(t)
  const parameters = { bill_of_lading: null, booking: null, container: 'equipmentReferences' }
  await stage.openAsked({ how: { parameters, batchMax: 5 } })
  stage.carrier.answers({ json: journey(bill, 'sailed', ['LDFU1000018', 'LDFU1000023']) }, bill)
  of(stage, '2026-02-09')
  await stage.track(bill)
  await stage.drain()
  assert.deepEqual(
    stage.publisher.asked.map(({ url }) => url.searchParams.get('equipmentReferences')),
    ['LDFU1000018,LDFU1000023'],
  )
  assert.ok((await standing(stage)).includes('pickup_number'))
  await assert.rejects(stage.openAsked({ name: 'of-all', as: null, how: { parameters } }), {
    code: 'invalid',
    source: { pointer: '/asking/profile' },
  })
})

test('a message that announces a notice causes an immediate poll for that notice', async (t) => {
  const stage = await openAsking(t)
  await stage.openAsked()
  await stage.open({ name: 'told-alone', source: 'arrival_notice', profile: { scac: 'HLCU' } })
  await stage.track(bill)
  await stage.drain()
  of(stage, '2026-02-09')
  await stage.drain()
  assert.deepEqual(stage.questions(), [bill])
  const notification = { transportDocumentReference: bill, issueDateTime: '2026-02-01T09:00:00Z' }
  const tellsOf = { arrivalNoticeNotifications: [notification] }
  const { faults } = await stage.send('told-alone', tellsOf)
  assert.deepEqual(
    faults.map(({ kind }) => kind),
    ['unsupported_message'],
  )
  await stage.drain()
  assert.deepEqual(stage.questions(), [bill])
  assert.deepEqual((await stage.send('notices', tellsOf)).faults, [])
  await stage.drain()
  assert.deepEqual(stage.questions(), [bill, bill])
  assert.equal(await lfdOf(stage), '2026-02-09')
})

test('resolves requests of a line without another API by polling the channel', async (t) => {
  const stage = await openAsking(t)
  const line = {
    name: 'one',
    speaker: { kind: 'shipping_line', code: 'ONEY' },
    profile: { scac: 'ONEY' },
  } as const
  await stage.open({ ...line, source: 'arrival_notice' })
  const waiting = await stage.track('ONEYSHAA12345600', { scac: 'ONEY' })
  await stage.drain()
  assert.equal((await stage.request(waiting)).status, 'awaiting_manifest')
  const { base } = stage.publisher
  await changeChannel(stage.service, { name: 'one', pollConfig: { profile: { base } } })
  const later = await stage.track('ONEYSHAA12345611', { scac: 'ONEY' })
  await stage.drain()
  assert.deepEqual(stage.questions(), ['SHAA12345600', 'SHAA12345611'])
  stage.publisher.answers(tells(noticeOf('SHAA12345600', { freeTimes: [] })))
  await stage.pass(30)
  assert.equal((await stage.request(waiting)).status, 'created')
  assert.equal((await stage.request(later)).status, 'awaiting_manifest')
  await stage.pass(24 * 8)
  assert.equal((await stage.request(later)).status, 'failed')
  assert.deepEqual(
    (await stage.numbers()).map(({ number }) => number),
    ['SHAA12345600'],
  )
})
