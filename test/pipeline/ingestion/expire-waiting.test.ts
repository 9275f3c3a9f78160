// A message that no shipment needs is stored for the set days and then deleted. A message that a shipment has used
// remains, and so does the ledger.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getMessage } from '../../../src/modules/inbound-messages/messages.ts'
import { expireWaiting } from '../../../src/pipeline/ingestion/expire-waiting.ts'
import { matchMentions, matchWaitingMentions } from '../../../src/pipeline/ingestion/match-mentions.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { journey } from '../../support/tracking-harness.ts'
import { type IntakeStage, openIntake } from './ingestion-harness.ts'

const bill = 'HLCUSHA260100077'
const foreign = 'HLCUSHA260100999'
const dayMs = 86_400_000
const options = { env: { LANDFALL_WAITING_KEPT_DAYS: '30' } }

async function statusOf(stage: IntakeStage, id: string): Promise<string> {
  return (await getMessage(stage.service, stage.account, { id })).status
}
const snapshotsOf = async (stage: IntakeStage, number: string) =>
  (
    await stage.rows('select 1 from kept_snapshots n join subjects s on s.id = n.subject_id where s.number = $1', [
      number,
    ])
  ).length
const eventsOf = (number: string, boxes: readonly string[]) =>
  journey(number, 'arrived', boxes)
    .slice(-1)
    .map((event) => ({ ...event, eventID: crypto.randomUUID() }))

test('deletes a message that no shipment needs after its retention time, and keeps a used one', async (t) => {
  const stage = await openIntake(t, options)
  await stage.open({})
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.track(bill)
  await stage.drain()
  const used = await stage.send('hapag', eventsOf(bill, ['LDFU1000018']))
  const waiting = await stage.send('hapag', eventsOf(foreign, ['LDFU1000023']))
  await stage.drain()
  assert.equal(await statusOf(stage, used.messageId), 'heard')
  stage.clock.advance(29 * dayMs)
  assert.equal(await expireWaiting(stage.service), 0)
  assert.equal(await statusOf(stage, waiting.messageId), 'waiting')
  stage.clock.advance(2 * dayMs)
  assert.equal(await expireWaiting(stage.service), 2)
  assert.equal(await expireWaiting(stage.service), 0, 'each is looked at once')
  const message = await getMessage(stage.service, stage.account, { id: waiting.messageId })
  assert.equal(message.status, 'expired')
  assert.match(String(message.parts[0]?.expiredAt), /^2026-.*Z$/)
  assert.equal(await statusOf(stage, used.messageId), 'heard')
  assert.equal(await snapshotsOf(stage, foreign), 0)
  assert.deepEqual(await stage.rows('select id from inbound_messages where sealed_body is null'), [
    { id: waiting.messageId },
  ])
  const expired = stage.logged().filter(({ event }) => event === 'mention.expired')
  assert.deepEqual(
    expired.map(({ channel, times, snapshots }) => ({ channel, times, snapshots })),
    [{ channel: 'hapag', times: 1, snapshots: 1 }],
  )
  const report = await rebuildProjections(stage.service, foldBy(readRules(stage.service.config)), {
    repair: false,
    differencesMax: 20,
    progress: () => {},
  })
  assert.deepEqual(report.differences, [])
})

test('a deleted message is not used for later shipments, but can be sent again', async (t) => {
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

test('keeps bytes that a newer delivery shares until that delivery is deleted as well', async (t) => {
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

test('does not delete a message that is queued for a shipment, however old it is', async (t) => {
  const stage = await openIntake(t, options)
  await stage.open({})
  await stage.send('hapag', eventsOf(bill, ['LDFU1000018']))
  stage.clock.advance(40 * dayMs)
  assert.equal(await expireWaiting(stage.service), 0, 'nobody has looked for listeners yet')
  await matchMentions(stage.service)
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.track(bill)
  // The request is recorded for the message, and its task exists but is not done yet.
  await matchWaitingMentions(stage.service)
  assert.ok((await stage.rows(`select 1 from tasks where payload ? 'mention'`)).length > 0)
  assert.equal(await expireWaiting(stage.service), 0)
  await stage.drain()
  assert.equal((await stage.rows(`select 1 from ledger where kind = 'heard'`)).length, 1)
})

test('matching and deleting at the same moment leave no partial state', async (t) => {
  const stage = await openIntake(t, options)
  await stage.open({})
  const count = 20
  const number = (index: number) => `HLCUSHA2602${String(index).padStart(5, '0')}`
  for (let index = 0; index < count; index += 1) await stage.send('hapag', eventsOf(number(index), ['LDFU1000018']))
  await stage.drain()
  stage.clock.advance(40 * dayMs)
  for (let index = 0; index < count; index += 1) await stage.track(number(index))
  await Promise.all([matchWaitingMentions(stage.service), expireWaiting(stage.service), expireWaiting(stage.service)])
  await stage.drain()
  const lost = await stage.rows(
    `select 1 from mentions m where m.expired_at is null and not exists (select from hearings h where h.mention_id = m.id)`,
  )
  assert.deepEqual(lost, [])
  assert.deepEqual(await stage.rows('select 1 from tasks where attempts > 1'), [])
})
