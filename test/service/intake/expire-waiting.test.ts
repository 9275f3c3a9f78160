// A message that no shipment needs is kept for the set days and then deleted. A message that a shipment has used is
// kept, and so is the ledger.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expireWaiting } from '../../../src/service/hearing/intake/expire-waiting.ts'
import { joinWaiting, matchMentions } from '../../../src/service/hearing/intake/match.ts'
import { getMessage } from '../../../src/service/hearing/intake/messages.ts'
import { foldBy } from '../../../src/service/ledger/fold.ts'
import { rebuild } from '../../../src/service/ledger/rebuild.ts'
import { readRules } from '../../../src/service/ledger/rules.ts'
import { journey } from '../tracking-harness.ts'
import { type IntakeStage, openIntake } from './intake-harness.ts'

const bill = 'HLCUSHA260100077'
const foreign = 'HLCUSHA260100999'
const dayMs = 86_400_000
const options = { env: { LANDFALL_WAITING_KEPT_DAYS: '30' } }

async function statusOf(stage: IntakeStage, id: string): Promise<string> {
  return (await getMessage(stage.service, stage.account, { id })).status
}
const snapshotsOf = async (stage: IntakeStage, number: string) =>
  (
    await stage.rows(
      'select 1 from kept_snapshots n join subjects s on s.id = n.subject_id where s.number = $1',
      [number],
    )
  ).length
const eventsOf = (number: string, boxes: readonly string[]) =>
  journey(number, 'arrived', boxes)
    .slice(-1)
    .map((event) => ({ ...event, eventID: crypto.randomUUID() }))

test('a message that no shipment needs is deleted after its time, and a used one is not', async (t) => {
  const stage = await openIntake(t, options)
  await stage.open({})
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.track(bill)
  await stage.drain()
  const heard = await stage.send('hapag', eventsOf(bill, ['LDFU1000018']))
  const waiting = await stage.send('hapag', eventsOf(foreign, ['LDFU1000023']))
  await stage.drain()
  assert.equal(await statusOf(stage, heard.messageId), 'heard')
  stage.clock.advance(29 * dayMs)
  assert.equal(await expireWaiting(stage.service), 0)
  assert.equal(await statusOf(stage, waiting.messageId), 'waiting')
  stage.clock.advance(2 * dayMs)
  assert.equal(await expireWaiting(stage.service), 2)
  assert.equal(await expireWaiting(stage.service), 0, 'each is looked at once')
  const message = await getMessage(stage.service, stage.account, { id: waiting.messageId })
  assert.equal(message.status, 'expired')
  assert.match(String(message.parts[0]?.expiredAt), /^2026-.*Z$/)
  assert.equal(await statusOf(stage, heard.messageId), 'heard')
  assert.equal(await snapshotsOf(stage, foreign), 0)
  assert.deepEqual(await stage.rows('select id from inbound_messages where sealed_body is null'), [
    { id: waiting.messageId },
  ])
  const told = stage.logged().filter(({ event }) => event === 'mention.expired')
  assert.deepEqual(
    told.map(({ channel, times, snapshots }) => ({ channel, times, snapshots })),
    [{ channel: 'hapag', times: 1, snapshots: 1 }],
  )
  const report = await rebuild(stage.service, foldBy(readRules(stage.service.config)), {
    repair: false,
    differencesMax: 20,
    progress: () => {},
  })
  assert.deepEqual(report.differences, [])
})

test('a shipment that comes too late gets nothing of it, and a message that is sent again waits again', async (t) => {
  const stage = await openIntake(t, options)
  await stage.open({})
  const event = eventsOf(bill, ['LDFU1000018'])
  const first = await stage.send('hapag', event)
  await stage.drain()
  stage.clock.advance(31 * dayMs)
  assert.equal(await expireWaiting(stage.service), 1)
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.track(bill)
  await stage.drain()
  assert.deepEqual(await stage.rows(`select 1 from ledger where kind = 'heard'`), [])
  const again = await stage.send('hapag', event)
  assert.deepEqual(
    again.items.map(({ result }) => result),
    ['accepted'],
  )
  await stage.drain()
  assert.equal(await statusOf(stage, again.messageId), 'heard')
  assert.equal(await statusOf(stage, first.messageId), 'expired')
})

test('bytes that also belong to a newer delivery are kept until that one is deleted as well', async (t) => {
  const stage = await openIntake(t, options)
  await stage.open({
    name: 'pier',
    speaker: { kind: 'terminal', code: 'Y258' },
    source: 'statements',
    profile: {},
  })
  const line = {
    container: 'LDFU1000018',
    bill: foreign,
    says: 'hold',
    value: { name: 'customs', status: 'hold' },
  }
  await stage.send('pier', line)
  await stage.drain()
  stage.clock.advance(20 * dayMs)
  await stage.send('pier', line)
  await stage.drain()
  stage.clock.advance(11 * dayMs)
  assert.equal(await expireWaiting(stage.service), 1)
  assert.equal((await stage.rows('select 1 from mentions where expired_at is null')).length, 1)
  assert.equal((await stage.rows('select 1 from kept_snapshots')).length, 1)
  stage.clock.advance(20 * dayMs)
  assert.equal(await expireWaiting(stage.service), 1)
  assert.equal((await stage.rows('select 1 from kept_snapshots')).length, 0)
})

test('a message that is on its way to a shipment is not deleted, however old it is', async (t) => {
  const stage = await openIntake(t, options)
  await stage.open({})
  await stage.send('hapag', eventsOf(bill, ['LDFU1000018']))
  stage.clock.advance(40 * dayMs)
  assert.equal(await expireWaiting(stage.service), 0, 'nobody has looked for listeners yet')
  await matchMentions(stage.service)
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.track(bill)
  // The request is recorded for the message, and its task exists but is not done yet.
  await joinWaiting(stage.service)
  assert.ok((await stage.rows(`select 1 from tasks where payload ? 'mention'`)).length > 0)
  assert.equal(await expireWaiting(stage.service), 0)
  await stage.drain()
  assert.equal((await stage.rows(`select 1 from ledger where kind = 'heard'`)).length, 1)
})

test('matching and deleting at the same moment leave no half state', async (t) => {
  const stage = await openIntake(t, options)
  await stage.open({})
  const count = 20
  const number = (index: number) => `HLCUSHA2602${String(index).padStart(5, '0')}`
  for (let index = 0; index < count; index += 1)
    await stage.send('hapag', eventsOf(number(index), ['LDFU1000018']))
  await stage.drain()
  stage.clock.advance(40 * dayMs)
  for (let index = 0; index < count; index += 1) await stage.track(number(index))
  await Promise.all([joinWaiting(stage.service), expireWaiting(stage.service), expireWaiting(stage.service)])
  await stage.drain()
  const lost = await stage.rows(
    `select 1 from mentions m where m.expired_at is null and not exists (select from hearings h where h.mention_id = m.id)`,
  )
  assert.deepEqual(lost, [])
  assert.deepEqual(await stage.rows('select 1 from tasks where attempts > 1'), [])
})
