// Predictions are compared with what lines confirm. A line whose predictions are wrong too often is no longer selected
// automatically.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Context } from '../../../src/modules/access/context.ts'
import { isTooOftenWrong, wilsonBounds } from '../../../src/modules/inference/drift-watch.ts'
import { dropOldPredictions, writePendingPredictions } from '../../../src/modules/inference/note-prediction.ts'
import { putPredictions } from '../../../src/modules/inference/predictions-sql.ts'
import { readScorecard } from '../../../src/modules/inference/scorecard.ts'
import { shareOutcomes } from '../../../src/modules/inference/share-outcomes.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import { box, journey, openStage } from '../../support/tracking-harness.ts'
import { ask, boxesOf, leasedBox, teach } from './inference-harness.ts'

test('the confidence interval of a share is wide for few cases and narrow for many', () => {
  const few = wilsonBounds(9, 10)
  assert.ok(few.lower > 0.59 && few.lower < 0.6 && few.upper > 0.98, JSON.stringify(few))
  const many = wilsonBounds(9_000, 10_000)
  assert.ok(many.upper - many.lower < 0.012)
})

test('marks a line as unreliable if its predictions are wrong too often', () => {
  const wrong = (right: number, cases: number): boolean => isTooOftenWrong({ right, cases })
  assert.deepEqual(
    [wrong(0, 9), wrong(8, 10), wrong(9, 10), wrong(19, 20), wrong(15, 20)],
    [false, true, false, false, true],
  )
  assert.deepEqual([wrong(125, 125), wrong(124, 125), wrong(995, 1_000), wrong(970, 1_000)], [false, true, false, true])
})

test('a tracking result confirms an earlier prediction, and no later prediction', async (t) => {
  const stage = await openStage(t)
  const { service, account } = stage
  const bill = 'HLCUSHA2601AB123'
  const { shippingLine } = await ask(service, account, bill)
  assert.equal(shippingLine.decision, 'auto_select')
  await writePendingPredictions(service)
  const before = await readScorecard(service, account)
  assert.deepEqual([before.account.cases, before.account.confirmed, before.account.coverage], [1, 0, 1])
  stage.carrier.answers({ json: journey(bill, 'sailed') }, bill)
  await stage.track(bill)
  await stage.drain()
  await ask(service, account, box)
  await writePendingPredictions(service)
  const { account: score, lines, installation } = await readScorecard(service, account)
  assert.deepEqual([score.cases, score.confirmed, score.right, score.precision], [1, 1, 1, 1])
  assert.ok((score.calibrationError ?? 1) < 0.05)
  assert.deepEqual(
    lines.map(({ scac, right, isDemoted }) => [scac, right, isDemoted]),
    [['HLCU', 1, false]],
  )
  assert.equal(installation, null)
})

test('a second write of pending predictions waits until the first write has finished', async (t) => {
  const { service, account } = await openStage(t)
  await ask(service, account, 'HLCUSHA2601AB123')
  const holder = await service.pool.connect()
  await holder.query('begin; lock table inference_predictions in exclusive mode')
  const underWay = writePendingPredictions(service)
  let hasEnded = false
  const next = writePendingPredictions(service).then(() => {
    hasEnded = true
  })
  await service.pool.query('select 1')
  const hadEnded = hasEnded
  await holder.query('commit')
  holder.release()
  await Promise.all([underWay, next])
  assert.equal(hadEnded, false)
  assert.equal((await readScorecard(service, account)).account.cases, 1)
})

test('a tracking result confirms an earlier prediction even if the prediction is stored later', async (t) => {
  const stage = await openStage(t)
  const bill = 'HLCUSHA2601AB123'
  const predictedAt = new Date(stage.clock.now()).toISOString()
  stage.carrier.answers({ json: journey(bill, 'sailed') }, bill)
  await stage.track(bill)
  stage.clock.advance(10)
  await stage.drain()
  const predicted = { accountId: stage.account.account.id, number: bill, scac: 'HLCU', carrier: ['HLCU'] }
  const how = { confidence: 0.97, decision: 'auto_select', numberType: 'bill_of_lading', nodes: [] }
  await putPredictions(stage.service.pool, [{ ...predicted, ...how, predictedAt }])
  const { account } = await readScorecard(stage.service, stage.account)
  assert.deepEqual([account.cases, account.confirmed, account.right], [1, 1, 1])
})

test('a suggestion that the account rejected becomes weak evidence against the suggested line', async (t) => {
  const stage = await openStage(t)
  const { service, account } = stage
  await teach(service, account, boxesOf('WHLC', 30))
  const number = leasedBox(50)
  assert.equal((await ask(service, account, number)).shippingLine.selected?.scac, 'WHLC')
  await writePendingPredictions(service)
  stage.carrier.answers({ json: journey('HLCUSHA2601AB123', 'sailed', [number]) }, number)
  await stage.track(number, { type: 'container' })
  await stage.drain()
  const taught = await stage.rows(
    `select scac, weight, source from inference_outcomes where number = $1 order by source`,
    [number],
  )
  assert.deepEqual(taught, [
    { scac: 'WHLC', weight: -0.2, source: 'override' },
    { scac: 'HLCU', weight: 1, source: 'request' },
  ])
  const { account: score } = await readScorecard(service, account)
  assert.deepEqual([score.confirmed, score.right], [1, 0])
})

test('a number prefix whose predictions were often wrong selects no line automatically', async (t) => {
  const { service, newAccount, close } = await openTestService({ startAt: '2026-02-01T00:00:00Z' })
  t.after(close)
  const [own, other] = [await newAccount(), await newAccount()]
  await teach(service, own, boxesOf('WHLC', 40))
  const before = await ask(service, other, leasedBox(50))
  assert.deepEqual([before.shippingLine.decision, before.shippingLine.selected?.scac], ['auto_select', 'WHLC'])
  // Containers of the batch went to another line.
  await predicted(service, own, 12, { scac: 'WHLC', nodes: ['c:TCNU', 'c:TCNU7'] })
  await teach(service, own, boxesOf('YMLU', 12, 60))
  // Its first digits speak for it as before.
  const elsewhere = leasedBox(5, '7200')
  await teach(
    service,
    own,
    boxesOf('WHLC', 20).map((label) => ({
      ...label,
      number: leasedBox(10 + Number(label.bill.slice(4)), '7200'),
    })),
  )
  const after = await ask(service, other, elsewhere)
  assert.deepEqual([after.shippingLine.decision, after.shippingLine.selected?.scac], ['needs_confirmation', 'WHLC'])
  assert.ok((after.shippingLine.selected?.confidence ?? 0) >= 0.95)
  assert.ok(after.explanation.some((each) => /wrong too often/.test(each)))
  const { lines } = await readScorecard(service, own)
  assert.deepEqual(
    lines.map(({ scac, isDemoted }) => [scac, isDemoted]),
    [['WHLC', true]],
  )
})

test('shows figures of the installation if at least three sharing accounts have contributed', async (t) => {
  const { service, newAccount, close } = await openTestService({ startAt: '2026-02-01T00:00:00Z' })
  t.after(close)
  const accounts = [await newAccount(), await newAccount(), await newAccount()]
  for (const [index, account] of accounts.entries()) {
    await predicted(service, account, 2, { scac: 'WHLC', nodes: ['c:TCNU'] })
    assert.equal((await readScorecard(service, account)).installation, null, `${index} accounts`)
    await teach(service, account, boxesOf('WHLC', 2, 60))
  }
  const [first, , third] = accounts
  assert.ok(first && third)
  assert.equal((await readScorecard(service, first)).installation?.confirmed, 6)
  assert.equal((await readScorecard(service, await newAccount({ isSandbox: true }))).installation, null)
  await shareOutcomes(service, third, { shares: false })
  assert.equal((await readScorecard(service, first)).installation, null)
})

test('deletes old predictions, and limits their number for an account', async (t) => {
  const { service, newAccount, clock, close } = await openTestService({ startAt: '2026-02-01T00:00:00Z' })
  t.after(close)
  const own = await newAccount()
  await predicted(service, own, 5, { scac: 'WHLC', nodes: ['c:TCNU'] })
  assert.equal(await dropOldPredictions(service, 100), 0)
  clock.advance(91 * 86_400_000)
  assert.equal(await dropOldPredictions(service, 100), 5)
})

/** As if containers 60 and following had been inferred and predicted with certainty. */
async function predicted(
  { pool, clock }: TestService['service'],
  { account }: Context,
  count: number,
  of: { readonly scac: string; readonly nodes: readonly string[] },
): Promise<void> {
  const predictedAt = new Date(clock.now()).toISOString()
  await putPredictions(
    pool,
    boxesOf(of.scac, count, 60).map(({ number }) => ({
      accountId: account.id,
      number,
      carrier: [of.scac],
      confidence: 0.97,
      decision: 'auto_select',
      numberType: 'container',
      predictedAt,
      ...of,
    })),
  )
}
