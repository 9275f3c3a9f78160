// A request for a line that cannot be polled: it waits for a message of the line, the message resolves it, and the line
// is polled as soon as that is possible.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refreshContainer } from '../../../src/modules/containers/refresh-container.ts'
import { resumeTracking } from '../../../src/modules/shipments/resume-tracking.ts'
import { stopTracking } from '../../../src/modules/shipments/stop-tracking.ts'
import { listAttempts } from '../../../src/modules/tracking-requests/list-attempts.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { type IntakeStage, openIntake } from '../../pipeline/ingestion/ingestion-harness.ts'
import { giveAccess } from '../../support/service.ts'
import { box, journey, unknown } from '../../support/tracking-harness.ts'

const bill = '149600012345'
const scac = 'EGLV'
const line = { name: 'evergreen', speaker: { kind: 'shipping_line', code: scac }, profile: { scac } } as const
const asBox = { type: 'container', scac } as const
const pushOnly = { scac: 'ONEY' } as const
const one = {
  name: 'one',
  speaker: { kind: 'shipping_line', code: 'ONEY' },
  profile: { scac: 'ONEY' },
} as const
const oneBill = 'ONEYSHAA12345600'

async function dueLooks(stage: IntakeStage): Promise<number> {
  return (await stage.rows('select from subjects where next_look_at is not null')).length
}

async function waits(stage: IntakeStage, id: string) {
  const page = { number: 1, size: 10 }
  const { awaits, total } = await listAttempts(stage.service, stage.account, { id, page })
  return { awaits, total }
}

async function assertRebuilt(stage: IntakeStage): Promise<void> {
  const fold = foldBy(readRules(stage.service.config))
  const quietly = { repair: false, differencesMax: 20, progress: () => {} }
  assert.deepEqual((await rebuildProjections(stage.service, fold, quietly)).differences, [])
}

test('a request waits without a poll, and the first message resolves it', async (t) => {
  const stage = await openIntake(t)
  await stage.open(one)
  const id = await stage.track(oneBill, pushOnly)
  assert.equal((await stage.request(id)).status, 'pending')
  await stage.drain()
  assert.equal((await stage.request(id)).status, 'awaiting_manifest')
  assert.deepEqual(await waits(stage, id), {
    awaits: { scac: 'ONEY', until: '2026-02-08T00:00:00Z' },
    total: 0,
  })
  await stage.pass(30)
  assert.equal(await dueLooks(stage), 0)
  await stage.send('one', journey(oneBill, 'sailed'))
  await stage.drain()
  assert.equal((await stage.request(id)).status, 'created')
  assert.deepEqual(
    (await stage.heard()).filter((name) => name.startsWith('tracking_request.')),
    ['tracking_request.awaiting_manifest', 'tracking_request.succeeded'],
  )
  assert.deepEqual((await waits(stage, id)).awaits, { scac: 'ONEY', until: null })
  await stage.send('one', journey(oneBill, 'arrived'))
  await stage.drain()
  assert.ok((await stage.milestones()).includes('vessel_arrived'))
  assert.equal(await dueLooks(stage), 0)
  await assertRebuilt(stage)
})

test('a message that arrived earlier resolves a request at once', async (t) => {
  const stage = await openIntake(t)
  await stage.open(one)
  await stage.send('one', journey(oneBill, 'sailed'))
  await stage.drain()
  const id = await stage.track(oneBill, pushOnly)
  await stage.drain()
  assert.equal((await stage.request(id)).status, 'created')
  assert.ok(!(await stage.heard()).includes('tracking_request.awaiting_manifest'))
})

test('a request without any message ends as expired, never as not found; a new request waits again', async (t) => {
  const stage = await openIntake(t)
  await stage.open({ ...line })
  const id = await stage.track(box, asBox)
  await stage.drain()
  await stage.pass(7 * 24 - 1)
  assert.equal((await stage.request(id)).status, 'awaiting_manifest')
  await stage.pass(2)
  const { status, failedReason } = await stage.request(id)
  assert.deepEqual({ status, failedReason }, { status: 'failed', failedReason: 'expired' })
  assert.equal((await stage.rows('select from looks')).length, 0)
  await stage.send('evergreen', journey(bill, 'sailed'))
  await stage.drain()
  assert.equal((await stage.request(id)).status, 'failed')
  const again = await stage.track(box, asBox)
  await stage.drain()
  assert.equal((await stage.request(again)).status, 'created')
  await assertRebuilt(stage)
})

test('refuses a request for a line without an open channel', async (t) => {
  const stage = await openIntake(t)
  const other = await stage.newAccount()
  const refused = (number: string, options: Parameters<IntakeStage['track']>[1]) =>
    assert.rejects(stage.track(number, options), { code: 'carrier_not_configured' })
  await stage.open({ ...one, as: other })
  await refused(oneBill, pushOnly)
  await stage.open({ ...one, name: 'pier', speaker: { kind: 'terminal', code: 'ONEY' } })
  await refused(oneBill, pushOnly)
  await stage.open({ ...one, name: 'all', as: null })
  await refused(box, { type: 'container', scac: 'ONEY' })
  const id = await stage.track(oneBill, pushOnly)
  await stage.send('all', journey(oneBill, 'sailed'))
  await stage.drain()
  assert.equal((await stage.request(id)).status, 'created')
  await stage.rows(`update channels set is_enabled = false where name = 'all'`)
  await refused('ONEYSHAA12345601', pushOnly)
})

test('polls a line as soon as credentials for it are added, and still uses its earlier messages', async (t) => {
  const stage = await openIntake(t)
  await stage.open(one)
  const found = await stage.track(oneBill, pushOnly)
  const searched = await stage.track('ONEYSHAA12345601', pushOnly)
  await stage.send('one', journey(oneBill, 'sailed'))
  await stage.pass(48)
  stage.carrier.answers({ json: journey(oneBill, 'discharged') })
  await giveAccess(stage, { scac: 'ONEY', profile: stage.carrier.profile('ONEY') })
  await stage.drain()
  assert.equal((await stage.rows('select from told_requests')).length, 0)
  assert.ok((await stage.milestones()).includes('vessel_discharged'))
  assert.ok((await stage.rows('select from looks')).length >= 2)
  assert.equal((await waits(stage, found)).awaits, null)
  stage.carrier.answers(unknown)
  await stage.pass(7 * 24 + 25)
  const { status, failedReason } = await stage.request(searched)
  assert.deepEqual({ status, failedReason }, { status: 'failed', failedReason: 'not_found' })
  await assertRebuilt(stage)
})

test('a message that comes while tracking is stopped is used once after the resume', async (t) => {
  const stage = await openIntake(t)
  await stage.open(one)
  await stage.track(oneBill, pushOnly)
  await stage.send('one', journey(oneBill, 'sailed'))
  await stage.drain()
  const { id } = await stage.row<{ id: string }>('select id from shipments')
  await stopTracking(stage.service, stage.account, { id })
  await stage.send('one', journey(oneBill, 'arrived'))
  await stage.drain()
  assert.ok(!(await stage.milestones()).includes('vessel_arrived'))
  for (const _ of [1, 2]) await resumeTracking(stage.service, stage.account, { id })
  await stage.drain()
  assert.ok((await stage.milestones()).includes('vessel_arrived'))
  const eventNames = await stage.heard()
  assert.equal(eventNames.filter((name) => name === 'container.transport.vessel_arrived').length, 1)
  await assertRebuilt(stage)
})

test('never polls after a stop, resume or refresh; of two concurrent requests for a number only one is created', async (t) => {
  const stage = await openIntake(t)
  await stage.open(one)
  const made = await Promise.allSettled([stage.track(oneBill, pushOnly), stage.track(oneBill, pushOnly)])
  assert.deepEqual(made.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  await stage.send('one', journey(oneBill, 'sailed'))
  await stage.drain()
  const { id } = await stage.row<{ id: string }>('select id from shipments')
  const { container } = await stage.row<{ container: string }>('select id as container from containers')
  await stopTracking(stage.service, stage.account, { id })
  await resumeTracking(stage.service, stage.account, { id })
  await refreshContainer(stage.service, stage.account, { id: container })
  await stage.drain()
  assert.equal(await dueLooks(stage), 0)
  await assertRebuilt(stage)
})
