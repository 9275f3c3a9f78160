// Data with which the cargo can be picked up is stored encrypted and shown only to its account; the first reading by
// each caller is recorded.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Context } from '../../../src/modules/access/context.ts'
import { bindChannel, boundAccounts, unbindChannel } from '../../../src/modules/channels/bind-channel.ts'
import { readPickupNumber } from '../../../src/modules/containers/read-pickup-number.ts'
import { stateFact } from '../../../src/modules/containers/state-fact.ts'
import { type Fold, foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { protectSecrets } from '../../../src/pipeline/ledger/protect-secrets.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { rereadAll } from '../../../src/pipeline/ledger/reread-history.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { createEncryption } from '../../../src/platform/encryption.ts'
import { notice } from '../../connectors/arrival-notice/notices.ts'
import { type IntakeStage, openIntake } from '../../pipeline/ingestion/ingestion-harness.ts'
import { testSecret } from '../../support/service.ts'
import { box, journey } from '../../support/tracking-harness.ts'

const bill = 'HLCUSHA260100077'
const secret = 'PIN-4711-SECRET'
const ofNotices = { name: 'notices', source: 'arrival_notice', profile: { scac: 'HLCU' } } as const

const message = notice({
  transportDocumentReference: bill,
  pickupInformation: { pickupNumber: secret },
  charges: [{ chargeName: 'Demurrage', chargeCode: 'DEM', currencyAmount: 99, currencyCode: 'USD' }],
  utilizedTransportEquipments: [{ equipment: { equipmentReference: box, ISOEquipmentCode: '45G1' } }],
  consignmentItems: [],
})

async function containerOf(stage: IntakeStage, as = stage.account): Promise<string> {
  const of = [as.account.id]
  return (await stage.row<{ id: string }>('select id from containers where account_id = $1', of)).id
}

async function numberFor(stage: IntakeStage, as = stage.account): Promise<string | null> {
  const containerId = await containerOf(stage, as)
  return (await readPickupNumber(stage.service, as, { containerId })).number
}

async function facts(stage: IntakeStage, as: Context): Promise<readonly string[]> {
  const rows = await stage.rows<{ fact: string }>(
    `select distinct observation ->> 'fact' as fact from claims
      where account_id = $1 and retired_at is null and observation ->> 'fact' = any($2) order by fact`,
    [as.account.id, ['pickup_number', 'hold', 'holds', 'fee', 'fees', 'pickup_lfd_line']],
  )
  return rows.map(({ fact }) => fact)
}

async function openTracked(t: Parameters<typeof openIntake>[0], others = 0) {
  const stage = await openIntake(t)
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.track(bill)
  const strangers: Context[] = []
  for (let each = 0; each < others; each += 1) {
    const as = await stage.newAccount()
    strangers.push(as)
    await stage.track(bill, { as })
  }
  await stage.drain()
  return { stage, strangers }
}

async function assertRebuilt(stage: IntakeStage): Promise<void> {
  const fold = foldBy(readRules(stage.service.config))
  const quietly = { repair: false, differencesMax: 20, progress: () => {} }
  assert.deepEqual((await rebuildProjections(stage.service, fold, quietly)).differences, [])
}

test('shows an account the pick-up number from its own channel, and stores the number encrypted', async (t) => {
  const { stage, strangers } = await openTracked(t, 1)
  const [stranger = stage.account] = strangers
  await stage.open(ofNotices)
  await stage.send('notices', message)
  await stage.drain()
  const containerId = await containerOf(stage)
  const read = () => readPickupNumber(stage.service, stage.account, { containerId })
  assert.deepEqual(await read(), {
    number: secret,
    source: { kind: 'shipping_line', code: 'HLCU' },
    statedAt: '2026-02-01T00:00:00.000Z',
  })
  await read()
  await Promise.all([read(), read()])
  const audit = `select actor_type from audit_events where action = 'container.pickup_number_read' and target_id = $1`
  assert.equal((await stage.rows(audit, [containerId])).length, 1)
  assert.equal(await numberFor(stage, stranger), null)
  await assert.rejects(readPickupNumber(stage.service, stranger, { containerId }), { code: 'not_found' })
  const embedded = { ...stage.account, isEmbedded: true } as const
  await assert.rejects(readPickupNumber(stage.service, embedded, { containerId }), { code: 'forbidden' })
  const reader = { ...stage.account, scopes: ['read'] } as const
  await assert.rejects(readPickupNumber(stage.service, reader, { containerId }), { code: 'forbidden' })
  for (const table of [
    'claims',
    'ledger',
    'containers',
    'shipments',
    'events',
    'issues',
    'transport_events',
    'audit_events',
  ])
    assert.deepEqual(await stage.rows(`select from ${table} where ${table}::text like $1`, [`%${secret}%`]), [], table)
  assert.ok(!JSON.stringify(stage.logged()).includes(secret))
  await assertRebuilt(stage)
})

test('a repeated number changes nothing, and another number replaces it', async (t) => {
  const { stage } = await openTracked(t)
  await stage.open(ofNotices)
  await stage.send('notices', message)
  await stage.drain()
  await stage.send('notices', {
    ...message,
    issueDateTime: '2026-01-31T10:00:00Z',
    pickupInformation: { pickupNumber: 'OLD' },
  })
  await stage.drain()
  assert.equal(await numberFor(stage), secret)
  stage.clock.advance(86_400_000)
  await stage.send('notices', {
    ...message,
    issueDateTime: '2026-02-01T23:00:00Z',
    pickupInformation: { pickupNumber: 'NEW-1' },
  })
  await stage.drain()
  assert.equal(await numberFor(stage), 'NEW-1')
  await assertRebuilt(stage)
})

test('shows a pick-up number of an installation channel only to the accounts bound to that channel', async (t) => {
  const { stage, strangers } = await openTracked(t, 1)
  const [other = stage.account] = strangers
  await stage.open({ ...ofNotices, as: null })
  await stage.send('notices', message)
  await stage.drain()
  for (const as of [stage.account, other]) {
    assert.deepEqual(await facts(stage, as), ['pickup_lfd_line'])
    assert.equal(await numberFor(stage, as), null)
  }
  await bindChannel(stage.service, { name: 'notices', account: stage.account.account })
  await bindChannel(stage.service, { name: 'notices', account: stage.account.account })
  await stage.drain()
  assert.equal(await numberFor(stage), secret)
  assert.deepEqual(await facts(stage, stage.account), ['fee', 'hold', 'pickup_lfd_line', 'pickup_number'])
  assert.deepEqual(await facts(stage, other), ['pickup_lfd_line'])
  assert.equal(await numberFor(stage, other), null)
  assert.deepEqual(await boundAccounts(stage.service, 'notices'), [stage.account.account.id])
  await unbindChannel(stage.service, { name: 'notices', account: stage.account.account })
  assert.equal(await numberFor(stage), null)
  const unbound = unbindChannel(stage.service, { name: 'notices', account: stage.account.account })
  await assert.rejects(unbound, { code: 'invalid' })
  const done = await stage.rows<{ action: string }>(
    `select action from audit_events where action like 'account.channel%' order by at, id`,
  )
  assert.deepEqual(
    done.map(({ action }) => action),
    ['account.channel_bound', 'account.channel_bound', 'account.channel_unbound'],
  )
  await assertRebuilt(stage)
})

test('does not bind a channel of one account to another', async (t) => {
  const { stage } = await openTracked(t)
  await stage.open(ofNotices)
  const { account } = await stage.newAccount()
  await assert.rejects(bindChannel(stage.service, { name: 'notices', account }), { code: 'invalid' })
})

test('encrypts a pick-up number that a user states', async (t) => {
  const { stage } = await openTracked(t)
  const containerId = await containerOf(stage)
  await stateFact(stage.service, stage.account, {
    containerId,
    factName: 'pickup_number',
    value: secret,
    reason: null,
  })
  assert.equal(await numberFor(stage), secret)
  const rows = await stage.rows(`select from ledger l, claims c where l::text || c::text like $1`, [`%${secret}%`])
  assert.deepEqual(rows, [])
  await stage.open(ofNotices)
  await stage.send('notices', { ...message, pickupInformation: { pickupNumber: 'LINE-9' } })
  await stage.drain()
  assert.equal(await numberFor(stage), 'LINE-9')
  await assertRebuilt(stage)
})

test('encrypts equal numbers equally, and cannot decrypt them with another secret', () => {
  const encryption = createEncryption(testSecret)
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
      const encrypted = encryption.encryptDeterministic(one)
      assert.equal(encryption.decryptDeterministic(encrypted), Buffer.from(one).toString())
      assert.equal(encryption.encryptDeterministic(one), encrypted)
      assert.equal(encryption.encryptDeterministic(other) === encrypted, Buffer.from(one).equals(Buffer.from(other)))
    }),
  )
  assert.equal(encryption.decryptDeterministic('never sealed'), 'never sealed')
  assert.throws(() =>
    createEncryption('another secret that is long enough').decryptDeterministic(encryption.encryptDeterministic('x')),
  )
})

test('withholds only releases, charges and the pick-up number from accounts not bound to the channel', () => {
  const about = { key: 'k', equipment: box, statedAt: null, isRetracted: false } as const
  const visible = { kind: 'fact', fact: 'seal_number', value: 'S1', ...about } as const
  const left = { kind: 'fact', fact: 'pickup_number', value: 'x', ...about } as const
  const encryption = createEncryption(testSecret)
  const all = { observations: [left, visible] }
  assert.deepEqual(protectSecrets(encryption, all, { isAllVisible: false }), {
    reading: { observations: [visible] },
    isSealed: true,
  })
  const { reading } = protectSecrets(encryption, all, { isAllVisible: true })
  assert.deepEqual(reading.observations, [{ ...left, value: encryption.encryptDeterministic('x') }, visible])
  assert.equal(protectSecrets(encryption, { observations: [visible] }, { isAllVisible: false }).isSealed, false)
})

test('rereading a message with a corrected reader reveals no withheld value', async (t) => {
  const { stage, strangers } = await openTracked(t, 1)
  const [stranger = stage.account] = strangers
  await stage.open({ ...ofNotices, as: null })
  await bindChannel(stage.service, { name: 'notices', account: stage.account.account })
  await stage.send('notices', message)
  await stage.drain()
  const before = await facts(stage, stage.account)
  assert.ok(before.includes('pickup_number') && before.some((fact) => fact.startsWith('fee')), before.join(' '))
  const present = foldBy(readRules(stage.service.config))
  const corrected: Fold = {
    ...present,
    findPushedSource: (name) => {
      const source = present.findPushedSource(name)
      return source === null || name !== 'arrival_notice' ? source : { ...source, version: source.version + 1 }
    },
  }
  const report = await rereadAll(stage.service, corrected, () => stage.clock)
  assert.deepEqual(report.failed, [])
  assert.ok(report.snapshots >= 2, JSON.stringify(report))
  assert.deepEqual(await facts(stage, stage.account), before)
  assert.equal(await numberFor(stage), secret)
  assert.ok(!(await facts(stage, stranger)).some((fact) => fact === 'pickup_number' || fact.startsWith('fee')))
  assert.deepEqual(await stage.rows(`select from claims where claims::text like $1`, [`%${secret}%`]), [])
})
