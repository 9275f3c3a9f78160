// The bytes of an answer are read once, from the poll to the events; another process reads the stored bytes.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { findSource } from '../../../src/connectors/source-registry.ts'
import type { Service } from '../../../src/modules/service.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { pollCarrier, takeDuePolls } from '../../../src/pipeline/polling/due-polls.ts'
import { putFreshReading, useFreshReading } from '../../../src/pipeline/polling/fresh-readings.ts'
import { workTasks } from '../../../src/pipeline/polling/work-tasks.ts'
import { openTestService, testSecret } from '../../support/service.ts'
import { journey, openStage, type Stage } from '../../support/tracking-harness.ts'

const bill = 'HLCUSHA260100005'

function countReads(t: TestContext): () => number {
  const source = findSource('dcsa')
  assert.ok(source !== null)
  const read = t.mock.method(source, 'read')
  return () => {
    const count = read.mock.callCount()
    read.mock.resetCalls()
    return count
  }
}

async function poll({ service }: Stage): Promise<void> {
  for (const job of await takeDuePolls(service, 5)) await pollCarrier(service, readRules(service.config), job)
}

async function ingest(service: Service): Promise<void> {
  await Promise.all(await workTasks(service, foldBy(readRules(service.config)), 4))
}

/** What was read, without what differs from one test to the next. */
const claimsOf = async (stage: Stage): Promise<readonly string[]> =>
  (
    await stage.rows<{ claim: string }>(
      `select (to_jsonb(c) - '{id,account_id,subject_id,shipment_id,first_snapshot_id}'::text[])::text as claim
         from claims c where account_id = $1 order by 1`,
      [stage.account.account.id],
    )
  ).map(({ claim }) => claim)

test('parses a polled answer once, however many accounts track its number', async (t) => {
  const stage = await openStage(t)
  const other = await stage.newAccount()
  const reads = countReads(t)
  stage.carrier.answers({ json: journey(bill, 'loaded') })
  await stage.track(bill)
  await stage.track(bill, { as: other })
  await poll(stage)
  await ingest(stage.service)
  await ingest(stage.service)
  assert.equal(reads(), 1)
  assert.ok((await claimsOf(stage)).length > 0)
  assert.deepEqual(await stage.heard(), await stage.heard(other))
  stage.carrier.answers({ json: journey(bill, 'discharged') })
  await stage.nextLook()
  assert.equal(reads(), 1, 'the next answer')
  assert.equal((await stage.heard()).includes('container.transport.vessel_discharged'), true)
  await stage.nextLook()
  assert.equal(reads(), 0, 'the same bytes again')
})

test('a process that starts between poll and ingestion parses the stored bytes and makes the same claims', async (t) => {
  const claims: (readonly string[])[] = []
  const reads = countReads(t)
  for (const isAnother of [false, true]) {
    const stage = await openStage(t)
    stage.carrier.answers({ json: journey(bill, 'discharged') })
    await stage.track(bill)
    await poll(stage)
    const database = { url: stage.databaseUrl, close: async () => {} }
    const startAt = new Date(stage.clock.now()).toISOString()
    const process = isAnother ? await openTestService({ startAt, on: { database, secret: testSecret } }) : null
    await ingest(process?.service ?? stage.service)
    await process?.close()
    assert.equal(reads(), isAnother ? 2 : 1)
    claims.push(await claimsOf(stage))
  }
  assert.ok((claims[0]?.length ?? 0) > 5)
  assert.deepEqual(claims[0], claims[1])
})

test('a profile that changes between poll and ingestion causes the stored bytes to be parsed again', async (t) => {
  const stage = await openStage(t)
  const reads = countReads(t)
  stage.carrier.answers({ json: journey(bill, 'loaded') })
  await stage.track(bill)
  await poll(stage)
  await stage.rows(`update channels set profile = profile || '{"scac": "HLCX"}'`)
  await ingest(stage.service)
  assert.equal(reads(), 2)
})

test('drops the oldest parsed answers that no task uses before they need too much memory', async (t) => {
  const { service } = await openStage(t)
  const reading = { reading: {}, outcome: { kind: 'found' }, reader: 'dcsa/1+0' } as never
  const mega = 1_048_576
  for (let place = 0; place < 12; place += 1) putFreshReading(service, String(place), { reading, bytes: mega, uses: 2 })
  const left = (): readonly number[] =>
    Array.from({ length: 12 }, (_, place) => place).filter((place) => useFreshReading(service, String(place)) !== null)
  assert.deepEqual(left(), [4, 5, 6, 7, 8, 9, 10, 11])
  assert.equal(left().length, 8, 'each is used twice')
  assert.deepEqual(left(), [])
  putFreshReading(service, 'huge', { reading, bytes: 9 * mega, uses: 1 })
  assert.equal(useFreshReading(service, 'huge'), null)
  for (let place = 0; place < 101; place += 1)
    putFreshReading(service, `small ${place}`, { reading, bytes: 1, uses: 1 })
  assert.equal(useFreshReading(service, 'small 0'), null)
  assert.notEqual(useFreshReading(service, 'small 1'), null)
})
