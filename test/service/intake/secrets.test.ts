// Data with which the cargo can be picked up is stored encrypted and shown only to its account; the first reading by
// each caller is recorded.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Context } from '../../../src/service/context.ts'
import {
  bindChannel,
  boundAccounts,
  unbindChannel,
} from '../../../src/service/hearing/intake/bind-channel.ts'
import { type Fold, foldBy } from '../../../src/service/ledger/fold.ts'
import { rebuild } from '../../../src/service/ledger/rebuild.ts'
import { rereadAll } from '../../../src/service/ledger/reread.ts'
import { readRules } from '../../../src/service/ledger/rules.ts'
import { keepSecrets } from '../../../src/service/ledger/secrets.ts'
import { readPickupNumber } from '../../../src/service/tracking/containers/read-pickup-number.ts'
import { stateFact } from '../../../src/service/tracking/containers/state-fact.ts'
import { openVault } from '../../../src/service/vault.ts'
import { notice } from '../../sources/arrival-notice/notices.ts'
import { testSecret } from '../../support/service.ts'
import { box, journey } from '../tracking-harness.ts'
import { type IntakeStage, openIntake } from './intake-harness.ts'

const bill = 'HLCUSHA260100077'
const secret = 'PIN-4711-SECRET'
const ofNotices = { name: 'notices', source: 'arrival_notice', profile: { scac: 'HLCU' } } as const

const said = notice({
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
  assert.deepEqual((await rebuild(stage.service, fold, quietly)).differences, [])
}

test('from an account’s own channel it is shown to that account, stored encrypted, and the first reading is recorded', async (t) => {
  const { stage, strangers } = await openTracked(t, 1)
  const [stranger = stage.account] = strangers
  await stage.open(ofNotices)
  await stage.send('notices', said)
  await stage.drain()
  const containerId = await containerOf(stage)
  const read = () => readPickupNumber(stage.service, stage.account, { containerId })
  assert.deepEqual(await read(), {
    number: secret,
    source: { kind: 'shipping_line', code: 'HLCU' },
    saidAt: '2026-02-01T00:00:00.000Z',
  })
  await read()
  await Promise.all([read(), read()])
  const audit = `select actor_type from audit_events where action = 'container.pickup_number_read' and target_id = $1`
  assert.equal((await stage.rows(audit, [containerId])).length, 1)
  assert.equal(await numberFor(stage, stranger), null)
  await assert.rejects(readPickupNumber(stage.service, stranger, { containerId }), { code: 'not_found' })
  const embedded = { ...stage.account, isEmbedded: true } as const
  await assert.rejects(readPickupNumber(stage.service, embedded, { containerId }), { code: 'forbidden' })
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
    assert.deepEqual(
      await stage.rows(`select from ${table} where ${table}::text like $1`, [`%${secret}%`]),
      [],
      table,
    )
  assert.ok(!JSON.stringify(stage.logged()).includes(secret))
  await assertRebuilt(stage)
})

test('what is said again is the same, and another number replaces it', async (t) => {
  const { stage } = await openTracked(t)
  await stage.open(ofNotices)
  await stage.send('notices', said)
  await stage.drain()
  await stage.send('notices', {
    ...said,
    issueDateTime: '2026-01-31T10:00:00Z',
    pickupInformation: { pickupNumber: 'OLD' },
  })
  await stage.drain()
  assert.equal(await numberFor(stage), secret)
  stage.clock.advance(86_400_000)
  await stage.send('notices', {
    ...said,
    issueDateTime: '2026-02-01T23:00:00Z',
    pickupInformation: { pickupNumber: 'NEW-1' },
  })
  await stage.drain()
  assert.equal(await numberFor(stage), 'NEW-1')
  await assertRebuilt(stage)
})

test('from a channel of the installation only accounts that the operator bound get it, never by a number alone', async (t) => {
  const { stage, strangers } = await openTracked(t, 1)
  const [other = stage.account] = strangers
  await stage.open({ ...ofNotices, as: null })
  await stage.send('notices', said)
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

test('a channel of one account is not bound to another', async (t) => {
  const { stage } = await openTracked(t)
  await stage.open(ofNotices)
  const { account } = await stage.newAccount()
  await assert.rejects(bindChannel(stage.service, { name: 'notices', account }), { code: 'invalid' })
})

test('the statement of a person about it is encrypted too, and has the lowest rank', async (t) => {
  const { stage } = await openTracked(t)
  const containerId = await containerOf(stage)
  await stateFact(stage.service, stage.account, {
    containerId,
    says: 'pickup_number',
    value: secret,
    reason: null,
  })
  assert.equal(await numberFor(stage), secret)
  const rows = await stage.rows(`select from ledger l, claims c where l::text || c::text like $1`, [
    `%${secret}%`,
  ])
  assert.deepEqual(rows, [])
  await stage.open(ofNotices)
  await stage.send('notices', { ...said, pickupInformation: { pickupNumber: 'LINE-9' } })
  await stage.drain()
  assert.equal(await numberFor(stage), 'LINE-9')
  await assertRebuilt(stage)
})

test('equal numbers are encrypted equally, can be decrypted, and not with another secret', () => {
  const vault = openVault(testSecret)
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
      const sealed = vault.sealSame(one)
      assert.equal(vault.openSame(sealed), Buffer.from(one).toString())
      assert.equal(vault.sealSame(one), sealed)
      assert.equal(vault.sealSame(other) === sealed, Buffer.from(one).equals(Buffer.from(other)))
    }),
  )
  assert.equal(vault.openSame('never sealed'), 'never sealed')
  assert.throws(() => openVault('another secret that is long enough').openSame(vault.sealSame('x')))
})

test('of what is not bound only releases, charges and the number are left out', () => {
  const about = { key: 'k', equipment: box, statedAt: null, isRetracted: false } as const
  const kept = { kind: 'fact', fact: 'seal_number', value: 'S1', ...about } as const
  const left = { kind: 'fact', fact: 'pickup_number', value: 'x', ...about } as const
  const vault = openVault(testSecret)
  const all = { observations: [left, kept] }
  assert.deepEqual(keepSecrets(vault, all, { isAllTold: false }), {
    reading: { observations: [kept] },
    isSealed: true,
  })
  const { reading } = keepSecrets(vault, all, { isAllTold: true })
  assert.deepEqual(reading.observations, [{ ...left, value: vault.sealSame('x') }, kept])
  assert.equal(keepSecrets(vault, { observations: [kept] }, { isAllTold: false }).isSealed, false)
})

test('a second reading by a corrected reader reveals nothing that was withheld, and does not change what was encrypted', async (t) => {
  const { stage, strangers } = await openTracked(t, 1)
  const [stranger = stage.account] = strangers
  await stage.open({ ...ofNotices, as: null })
  await bindChannel(stage.service, { name: 'notices', account: stage.account.account })
  await stage.send('notices', said)
  await stage.drain()
  const before = await facts(stage, stage.account)
  assert.ok(
    before.includes('pickup_number') && before.some((fact) => fact.startsWith('fee')),
    before.join(' '),
  )
  const present = foldBy(readRules(stage.service.config))
  const mended: Fold = {
    ...present,
    findToldSource: (name) => {
      const source = present.findToldSource(name)
      return source === null || name !== 'arrival_notice'
        ? source
        : { ...source, version: source.version + 1 }
    },
  }
  const report = await rereadAll(stage.service, mended, () => stage.clock)
  assert.deepEqual(report.failed, [])
  assert.ok(report.snapshots >= 2, JSON.stringify(report))
  assert.deepEqual(await facts(stage, stage.account), before)
  assert.equal(await numberFor(stage), secret)
  assert.ok(
    !(await facts(stage, stranger)).some((fact) => fact === 'pickup_number' || fact.startsWith('fee')),
  )
  assert.deepEqual(await stage.rows(`select from claims where claims::text like $1`, [`%${secret}%`]), [])
})
