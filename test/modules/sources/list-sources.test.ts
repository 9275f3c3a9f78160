// The state of each source: when it was polled and answered, whether it pauses and why, how late its news is, how many
// requests were used.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { putCredential } from '../../../src/modules/accounts/accounts-sql.ts'
import { listSourceOverviews } from '../../../src/modules/sources/list-sources.ts'
import type { SourceOverview } from '../../../src/modules/sources/source-overview.ts'
import { watchSources } from '../../../src/modules/sources/watch-sources.ts'
import { uuidV7 } from '../../../src/platform/ids.ts'
import { giveAccess } from '../../support/service.ts'
import { box, event, journey, openStage, otherBox, type Stage } from '../../support/tracking-harness.ts'

const numberOf = (place: number): string => `HLCUSHA2609${String(place).padStart(5, '0')}`

async function only(stage: Stage, as = stage.account): Promise<SourceOverview> {
  const [way, ...others] = await listSourceOverviews(stage.service, as)
  assert.ok(way !== undefined && others.length === 0)
  return way
}

/** The line is polled with the account's own access, so the used requests are the account's own. */
async function ofOwn(stage: Stage, profile: Readonly<Record<string, unknown>>): Promise<void> {
  await stage.rows('delete from channels')
  await putCredential(stage.service.pool, {
    id: uuidV7(stage.clock.now()),
    accountId: stage.account.account.id,
    scac: 'HLCU',
    source: 'dcsa',
    profile: stage.carrier.profile('HLCU', profile),
    encryptedSecret: null,
    isSandbox: false,
    createdAt: new Date(stage.clock.now()).toISOString(),
  })
}

test('shows polls and answers, and the used requests with limits and quota', async (t) => {
  const stage = await openStage(t)
  await ofOwn(stage, { rate: { perMinute: 300, perDay: 500 }, ceiling: { perMonth: 4 }, isBilled: true })
  stage.carrier.answersTo((query) => ({
    json: journey(query.get('transportDocumentReference') ?? '', 'sailed'),
  }))
  const before = await only(stage)
  assert.deepEqual([before.polledAt, before.answeredAt, before.answeredShare], [null, null, null])
  for (let place = 0; place < 2; place += 1) await stage.track(numberOf(place))
  await stage.drain()
  const way = await only(stage)
  assert.deepEqual(way.budget, {
    today: 2,
    month: 2,
    rate: { perMinute: 300, perDay: 500 },
    quota: { perMonth: 4 },
    isQuotaDefault: false,
  })
  assert.equal(way.polledAt, new Date(stage.clock.now()).toISOString())
  assert.equal(way.answeredAt, way.polledAt)
  assert.deepEqual([way.failures, way.answeredShare, way.cooldownReason], [0, 1, null])
  assert.ok(way.answerMs !== null && way.answerMs >= 0)
  for (let place = 2; place < 6; place += 1) await stage.track(numberOf(place))
  await stage.drain()
  const spent = await only(stage)
  assert.equal(spent.budget?.month, 4)
  assert.deepEqual(
    [spent.cooldownUntil, spent.cooldownReason],
    ['2026-03-01T00:00:00.000Z', 'ceiling'],
    'no request goes out before the month ends',
  )
})

test('applies a default quota to a line that bills each request if no quota is set', async (t) => {
  const stage = await openStage(t)
  await ofOwn(stage, { rate: { perSecond: 1_000 }, concurrency: 100, isBilled: true })
  stage.carrier.answersTo((query) => ({
    json: journey(query.get('transportDocumentReference') ?? '', 'sailed'),
  }))
  for (let place = 0; place < 104; place += 1) await stage.track(numberOf(place))
  for (let second = 0; second < 10; second += 1) {
    stage.clock.advance(1_000)
    await stage.drain()
  }
  assert.equal(stage.carrier.asked.length, 100)
  const way = await only(stage)
  assert.deepEqual(
    [way.budget?.quota, way.budget?.isQuotaDefault, way.cooldownReason],
    [{ perDay: 100 }, true, 'ceiling'],
  )
  const logLines = stage.logged().filter(({ event }) => event === 'ceiling.reached')
  assert.equal(logLines.length, 1)
  assert.partialDeepStrictEqual(logLines[0], { level: 'warn', code: 'HLCU', perDay: 100, isSupposed: true })
  assert.match(await stage.service.metrics.write(), /^landfall_ceiling_reached_total\{code="HLCU"\} 1$/m)
})

test('shows how often a line failed in a row, its cooldown with the reason, and the share of answered polls', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answersTo((query) => ({
    json: journey(query.get('transportDocumentReference') ?? '', 'sailed'),
  }))
  for (let place = 0; place < 4; place += 1) await stage.track(numberOf(place))
  await stage.drain()
  const good = await only(stage)
  stage.clock.advance(3_600_000)
  stage.carrier.answersTo(() => ({ status: 500, json: {} }))
  for (let place = 4; place < 16; place += 1) await stage.track(numberOf(place))
  await stage.drain()
  const way = await only(stage)
  assert.ok(way.failures >= 5, `${way.failures}`)
  assert.equal(way.cooldownReason, 'failing')
  assert.ok(way.cooldownUntil !== null && way.cooldownUntil > new Date(stage.clock.now()).toISOString())
  assert.equal(way.answeredAt, good.answeredAt, 'a failure is no answer')
  assert.ok(way.polledAt !== null && good.polledAt !== null && way.polledAt > good.polledAt)
  assert.ok(way.answeredShare !== null && way.answeredShare > 0 && way.answeredShare < 1)
  assert.equal(way.budget, null, 'how busy others are is not told')
  watchSources(stage.service)
  const page = await stage.service.metrics.write()
  assert.match(page, new RegExp(`^landfall_source_failures_in_a_row\\{code="HLCU"\\} ${way.failures}$`, 'm'))
  assert.match(page, /^landfall_source_left_alone\{code="HLCU"\} 1$/m)
  assert.match(page, new RegExp(`^landfall_source_requests_today\\{code="HLCU"\\} ${stage.carrier.asked.length}$`, 'm'))
  assert.doesNotMatch(page, /^landfall_source_ceiling_spent\{/m)
  stage.clock.advance(86_400_000)
  assert.match(await stage.service.metrics.write(), /^landfall_source_left_alone\{code="HLCU"\} 0$/m)
  assert.equal((await only(stage)).cooldownReason, null, 'its rest is over')
})

test('distinguishes a line that asks for a pause from one that fails', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ status: 429, json: {}, headers: { 'retry-after': '900' } })
  await stage.track(numberOf(0))
  await stage.drain()
  const way = await only(stage)
  assert.equal(way.cooldownReason, 'told_to')
  assert.equal(way.cooldownUntil, '2026-02-01T00:15:00.000Z')
})

test('shows the delay between an event and its report, for events during tracking', async (t) => {
  const stage = await openStage(t, { startAt: '2026-01-05T00:00:00Z' })
  stage.carrier.answers({ json: journey(numberOf(0), 'loaded').slice(0, 1) })
  await stage.track(numberOf(0))
  await stage.drain()
  assert.equal((await only(stage)).newsDelayMs, null, 'what was told at once had happened before')
  stage.carrier.answers({ json: journey(numberOf(0), 'sailed') })
  await stage.pass(24 * 8)
  const { newsDelayMs } = await only(stage)
  assert.ok(newsDelayMs !== null && newsDelayMs > 0 && newsDelayMs < 9 * 86_400_000, `${newsDelayMs}`)
  const other = await stage.newAccount()
  assert.equal((await only(stage, other)).newsDelayMs, null)
  await giveAccess(stage, { scac: 'ONEY', profile: stage.carrier.profile('ONEY', {}) })
  const ways = await listSourceOverviews(stage.service, stage.account)
  assert.deepEqual(
    ways.map((way) => [way.speakerCode, way.newsDelayMs]),
    [
      ['HLCU', newsDelayMs],
      ['ONEY', null],
    ],
  )
})

test("shows how complete a line's journeys are, and from which sources, for this account's returned containers", async (t) => {
  const stage = await openStage(t)
  const isGateIn = (each: Readonly<Record<string, unknown>>): boolean =>
    each['equipmentEventTypeCode'] === 'GTIN' && each['emptyIndicatorCode'] === 'LADEN'
  const stages = { [numberOf(0)]: 'back', [numberOf(1)]: 'back', [numberOf(2)]: 'out' } as const
  stage.carrier.answersTo((query) => {
    const bill = query.get('transportDocumentReference') ?? ''
    const all = journey(bill, stages[bill] ?? 'sailed', [bill === numberOf(0) ? box : otherBox])
    return { json: bill === numberOf(1) ? all.filter((each) => !isGateIn(each)) : all }
  })
  await stage.track(numberOf(2))
  await stage.drain()
  assert.equal((await only(stage)).milestones, null, 'none has come back')
  for (const bill of [numberOf(0), numberOf(1)]) await stage.track(bill)
  await stage.drain()
  const { milestones } = await only(stage)
  assert.deepEqual(milestones, { containerCount: 2, known: 15 / 16, ownShare: 15 / 16 })
  const page = await stage.service.metrics.write()
  assert.match(page, /^landfall_box_returned_total\{scac="HLCU"\} 2$/m)
  assert.match(page, /^landfall_milestone_untold_total\{scac="HLCU",name="full_in"\} 1$/m)
  assert.equal((await only(stage, await stage.newAccount())).milestones, null)
})

test('counts an overruled statement for its source, once, for thirty days, and only for this account', async (t) => {
  const stage = await openStage(t, { startAt: '2026-01-24T12:00:00Z' })
  const bill = numberOf(0)
  const at = (nth: number, hour: string): Readonly<Record<string, unknown>> =>
    event({ told: nth, bill, code: 'DISC', at: `2026-01-23T${hour}:00:00-08:00`, place: 'USLAX' })
  const all = journey(bill, 'arrived')
  stage.carrier.answers({ json: [...all, at(501, '11')] })
  await stage.track(bill)
  await stage.drain()
  assert.equal((await only(stage)).contradictions, 0)
  // Eight hours apart: one of the two is not believed, however often they are stated.
  stage.carrier.answers({ json: [...all, at(501, '11'), at(503, '03')] })
  await stage.pass(24)
  const { contradictions } = await only(stage)
  assert.equal(contradictions, 1)
  assert.match(
    await stage.service.metrics.write(),
    /^landfall_statement_contradicted_total\{speaker="shipping_line",code="HLCU"\} 1$/m,
  )
  assert.equal((await only(stage, await stage.newAccount())).contradictions, 0)
  const listed = await stage.rows(`select from issues where kind = 'contradicted'`)
  assert.equal(listed.length, 1)
  stage.clock.advance(31 * 86_400_000)
  assert.equal((await only(stage)).contradictions, 0)
})
