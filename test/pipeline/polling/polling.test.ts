// Lines are polled within their limits, in rotation, and are not polled for a while when they fail.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTransaction } from '../../../src/db/database.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { pollCarrier, takeDuePolls } from '../../../src/pipeline/polling/due-polls.ts'
import { eventually } from '../../support/eventually.ts'
import { giveAccess } from '../../support/service.ts'
import { journey, openStage, type Stage, unknown } from '../../support/tracking-harness.ts'

const dayMs = 86_400_000
const numberOf = (place: number): string => `HLCUSHA2609${String(place).padStart(5, '0')}`

async function lookAll(stage: Stage, limit: number): Promise<readonly string[]> {
  const rules = readRules(stage.service.config)
  const jobs = await takeDuePolls(stage.service, limit)
  for (const job of jobs) await pollCarrier(stage.service, rules, job)
  return jobs.map(({ pollTarget: subject }) => subject.number)
}

const spent = async (stage: Stage): Promise<number> =>
  (await stage.row<{ today: number }>(`select (spending ->> 'today')::int as today from channel_queue`)).today

test('counts every page of a poll as a request against the quota', async (t) => {
  const stage = await openStage(t, {
    profile: { rate: { perDay: 20 }, ceiling: { perDay: 8 }, isBilled: true, concurrency: 1 },
  })
  stage.carrier.answersTo((query) => {
    const page = Number(query.get('cursor') ?? 1)
    const all = journey(query.get('transportDocumentReference') ?? numberOf(0), 'sailed')
    const headers: Record<string, string> = page < 3 ? { 'next-page': String(page + 1) } : {}
    return { json: page === 1 ? all : [], headers }
  })
  for (let place = 0; place < 4; place += 1) await stage.track(numberOf(place))
  await stage.drain()
  // Four requests of 20 a day have been saved: enough for one poll of three requests, and not for the next.
  assert.equal(stage.carrier.asked.length, 3)
  const requests = await stage.rows<{ requests: number }>('select requests from subjects where requests > 1')
  assert.deepEqual(requests[0], { requests: 3 })
  for (let hour = 0; hour < 23; hour += 1) {
    stage.clock.advance(3_600_000)
    await stage.drain()
  }
  assert.ok(stage.carrier.asked.length <= 8, `${stage.carrier.asked.length} of 8`)
  assert.ok(stage.carrier.asked.length >= 6, `${stage.carrier.asked.length} of 8`)
  assert.equal(await spent(stage), stage.carrier.asked.length)
  stage.clock.advance(dayMs)
  await stage.drain()
  assert.ok(stage.carrier.asked.length > 8, 'another day')
})

test('an account with many numbers does not delay the polls of another account', async (t) => {
  const stage = await openStage(t, { profile: { concurrency: 4 } })
  const small = await stage.newAccount()
  stage.carrier.answersTo((query) => ({
    json: journey(query.get('transportDocumentReference') ?? '', 'sailed'),
  }))
  for (let place = 0; place < 40; place += 1) await stage.track(numberOf(place))
  for (let place = 40; place < 43; place += 1) await stage.track(numberOf(place), { as: small })
  await stage.drain()
  await stage.rows(`update subjects set next_look_at = '2026-01-01' where number < $1`, [numberOf(40)])
  await stage.rows(`update subjects set next_look_at = '2026-01-02' where number >= $1`, [numberOf(40)])
  const late = numberOf(99)
  await stage.track(late)
  const first = await lookAll(stage, 4)
  assert.equal(first[0], late)
  const next = [...first, ...(await lookAll(stage, 4))]
  const ofSmall = next.filter((number) => number >= numberOf(40) && number < late).length
  assert.equal(ofSmall, 3, next.join(' '))
})

test('each of two workers leases different poll targets; those of a killed worker are leased again on expiry', async (t) => {
  const stage = await openStage(t, { profile: { concurrency: 30 } })
  await giveAccess(stage, { scac: 'ONEY', profile: stage.carrier.profile('ONEY', { concurrency: 30 }) })
  for (let place = 0; place < 20; place += 1) {
    await stage.track(numberOf(place))
    await stage.track(numberOf(place).replace('HLCU', 'ONEY'), { scac: 'ONEY' })
  }
  const taken: string[] = []
  for (let round = 0; round < 40; round += 1) {
    const jobs = await Promise.all([1, 2, 3].map(() => takeDuePolls(stage.service, 3)))
    taken.push(...jobs.flat().map(({ pollTarget: subject }) => subject.id))
  }
  assert.equal(new Set(taken).size, taken.length, 'none twice')
  assert.equal(taken.length, 40)
  assert.deepEqual(await takeDuePolls(stage.service, 50), [])
  stage.clock.advance(181_000)
  assert.equal((await takeDuePolls(stage.service, 50)).length, 40)
})

test('a poll that is planned while a worker leases is not lost, whichever commits first', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(numberOf(0), 'sailed') })
  await stage.track(numberOf(0))
  await stage.drain()
  const { pool } = stage.service
  for (let round = 0; round < 5; round += 1) {
    const now = new Date(stage.clock.now()).toISOString()
    await inTransaction(pool, async (db) => {
      await db.query({ text: 'update subjects set next_look_at = $1', values: [now] })
      assert.deepEqual(await takeDuePolls(stage.service, 5), [], 'not planned yet')
    })
    assert.equal((await lookAll(stage, 5)).length, 1)
    await stage.drain()
  }
})

test('pauses a line that fails every poll, tries it once, and resumes when it answers', async (t) => {
  const stage = await openStage(t, { profile: { concurrency: 3 } })
  stage.carrier.answers({ status: 500, json: {} })
  for (let place = 0; place < 12; place += 1) await stage.track(numberOf(place))
  await stage.drain()
  const failed = stage.carrier.asked.length
  assert.ok(failed >= 5 && failed < 12, `${failed} before it rests`)
  stage.clock.advance(300_000)
  assert.equal((await lookAll(stage, 10)).length, 1)
  assert.equal((await lookAll(stage, 10)).length, 0, 'it rests for longer')
  stage.carrier.answers(unknown)
  stage.clock.advance(600_000)
  assert.equal((await lookAll(stage, 10)).length, 1)
  assert.ok((await lookAll(stage, 10)).length > 1)
})

test('postpones a failing poll for a longer time on each failure', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(numberOf(0), 'sailed') })
  await stage.track(numberOf(0))
  await stage.drain()
  stage.carrier.answers({ status: 500, json: {} })
  const gaps: number[] = []
  for (let look = 0; look < 5; look += 1) gaps.push((await stage.nextLook()) ?? 0)
  const [, , second = 0, third = 0] = gaps
  assert.ok(third > 1.8 * second, gaps.join(' '))
  assert.ok(Math.max(...gaps) <= 26.5, gaps.join(' '))
})

test('treats 304 as unchanged: it polls the line with the ETag of its last answer', async (t) => {
  const stage = await openStage(t, { profile: { hasEtags: true } })
  const named: (string | undefined)[] = []
  const { egress } = { egress: stage.service.carrierEgress(false) }
  const carrierEgress: Stage['service']['carrierEgress'] = () => ({
    ...egress,
    request: async (request) => {
      named.push(request.headers?.['if-none-match'])
      return egress.request(request)
    },
  })
  const service = { ...stage.service, carrierEgress }
  const rules = readRules(service.config)
  const look = async (): Promise<void> => {
    await stage.rows('update subjects set next_look_at = $1', [new Date(stage.clock.now()).toISOString()])
    for (const job of await takeDuePolls(service, 5)) await pollCarrier(service, rules, job)
    await stage.drain()
    stage.clock.advance(1_000)
  }
  stage.carrier.answers({ json: journey(numberOf(0), 'loaded'), headers: { etag: '"one"' } })
  await stage.track(numberOf(0))
  await look()
  stage.carrier.answers({ status: 304, text: '' })
  await look()
  stage.carrier.answers({ json: journey(numberOf(0), 'sailed'), headers: { etag: 'W/"two"' } })
  await look()
  await look()
  assert.deepEqual(named, [undefined, '"one"', '"one"', 'W/"two"'])
  const looks = await stage.rows<{ outcome: string }>('select outcome from looks order by id')
  assert.deepEqual(
    looks.map(({ outcome }) => outcome),
    ['found', 'unchanged', 'found', 'unchanged'],
  )
  await eventually(async () => (await stage.heard()).includes('container.transport.vessel_departed'))
})
