// Messages are read again after their reader or the meaning of a code was corrected, and subscribers get the difference
// once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeChannel } from '../../../src/modules/channels/channels.ts'
import { replayMessage } from '../../../src/modules/inbound-messages/messages.ts'
import { type Fold, foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { repairHistory } from '../../../src/pipeline/ledger/repair-history.ts'
import { rereadAll } from '../../../src/pipeline/ledger/reread-history.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { box, journey } from '../../support/tracking-harness.ts'
import { type IntakeStage, openIntake } from '../ingestion/ingestion-harness.ts'

const bill = 'HLCUSHA260100055'

/** A status message of the pier about the container, as X12. */
function status(code: string, day: string, control: number): string {
  const number = String(control).padStart(9, '0')
  const [owner, serial, check] = [box.slice(0, 4), box.slice(4, 10), box.slice(10)]
  return `ISA*00*          *00*          *ZZ*PIER           *ZZ*LANDFALL       *260201*1200*U*00401*${number}*0*P*>~GS*QO*PIER*LANDFALL*20260201*1200*${control}*X*004010~ST*315*0001~B4***${code}*${day}*0900**${owner}*${serial}*L*45R1*LOS ANGELES*UN*${check}~N9*BM*${bill}~R4*D*UN*USLAX*LOS ANGELES*US~SE*5*0001~GE*1*${control}~IEA*1*${number}~`
}

async function atPier(
  t: Parameters<typeof openIntake>[0],
  codes: Readonly<Record<string, string>>,
): Promise<IntakeStage> {
  const stage = await openIntake(t, { startAt: '2026-02-01T12:00:00Z' })
  const speaker = { kind: 'terminal', code: 'W185' } as const
  await stage.open({ name: 'pier', source: 'x12', profile: { codes }, speaker })
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.track(bill)
  await stage.drain()
  return stage
}

const activeClaims = async (stage: IntakeStage) =>
  (
    await stage.rows<{ said: string }>(
      `select coalesce(observation ->> 'code', observation ->> 'fact', 'unmapped') as said from claims
        where source_kind = 'terminal' and retired_at is null order by said`,
    )
  ).map(({ said }) => said)

async function assertRebuilt({ service }: IntakeStage, fold: Fold): Promise<void> {
  const quietly = { repair: false, differencesMax: 20, progress: () => {} }
  assert.deepEqual((await rebuildProjections(service, fold, quietly)).differences, [])
}

const transport = async (stage: IntakeStage) =>
  (await stage.heard()).filter((name) => name.startsWith('container.transport.'))

test('a code whose meaning changes ends the claims of the old meaning, and sends one correction', async (t) => {
  const stage = await atPier(t, { ZX: 'DISC LADEN' })
  const { service, clock } = stage
  await stage.send('pier', status('ZX', '20260125', 7))
  await stage.send('pier', status('OA', '20260126', 8))
  await stage.drain()
  assert.ok((await activeClaims(stage)).includes('DISC'))
  const before = await transport(stage)
  assert.ok(before.includes('container.transport.vessel_discharged'))
  await changeChannel(service, { name: 'pier', profile: { codes: { ZX: 'hold customs' } } })
  const fold = foldBy(readRules(service.config))
  stage.clock.advance(3_600_000)
  const report = await rereadAll(service, fold, () => clock)
  assert.deepEqual(report.failed, [])
  assert.ok(report.added >= 1 && report.retired >= 1 && report.changed === 1, JSON.stringify(report))
  await stage.drain()
  const after = await activeClaims(stage)
  assert.ok(after.includes('hold') && !after.includes('DISC'), after.join(' '))
  const names = await transport(stage)
  // The discharge, and the way out of the terminal that was one only after it.
  const corrections = names.slice(before.length)
  assert.deepEqual([...new Set(corrections)], ['container.transport.retracted'], corrections.join(' '))
  const again = await rereadAll(service, fold, () => clock)
  assert.equal(again.added + again.retired, 0)
  await stage.send('pier', status('ZX', '20260127', 9))
  await stage.drain()
  assert.deepEqual((await transport(stage)).length, names.length)
  await assertRebuilt(stage, fold)
})

test('the repair after an upgrade reads messages again once, without events if the operator sets this', async (t) => {
  const stage = await atPier(t, { ZX: 'DISC LADEN' })
  const { service } = stage
  await stage.send('pier', status('ZX', '20260125', 7))
  await stage.drain()
  const present = foldBy(readRules(service.config))
  const fold: Fold = {
    ...present,
    rules: { ...present.rules, publishesRepairs: false },
    findPushedSource: (name) => {
      const source = present.findPushedSource(name)
      if (source === null || name !== 'x12') return source
      const read: typeof source.read = (...of) => ({ ...source.read(...of), observations: [] })
      return { ...source, version: source.version + 1, read }
    },
  }
  const walk = async (by: Fold) => {
    for (
      let repaired = await repairHistory(service, by);
      repaired !== null;
      repaired = await repairHistory(service, by)
    )
      await repaired.cooldown
  }
  await walk(present)
  assert.ok((await activeClaims(stage)).includes('DISC'))
  const eventCount = (await stage.heard()).length
  await walk(fold)
  assert.deepEqual(await activeClaims(stage), [])
  await walk(fold)
  await stage.drain()
  assert.equal((await stage.heard()).length, eventCount, 'nobody hears of it')
  const entries = await stage.rows(`select 1 from ledger where kind = 'heard' and payload ? 'isReread'`)
  assert.equal(entries.length, 1)
  await assertRebuilt(stage, fold)
})

test('a code that is mapped later leaves no unmapped event on record', async (t) => {
  const stage = await atPier(t, {})
  const { service, account } = stage
  const sent = await stage.send('pier', status('ZQ', '20260125', 7))
  assert.equal(sent.items[0]?.result, 'unmapped')
  await stage.drain()
  const before = await stage.rows(`select 1 from claims where source_kind = 'terminal' and retired_at is null`)
  assert.ok(before.length > 0, 'the event is on record without a meaning')
  await changeChannel(service, { name: 'pier', profile: { codes: { ZQ: 'hold customs' } } })
  await replayMessage(service, account, { id: sent.messageId })
  await stage.drain()
  const after = await activeClaims(stage)
  assert.ok(after.includes('hold') && !after.includes('unmapped'), after.join(' '))
  await assertRebuilt(stage, foldBy(readRules(service.config)))
})
