// Predictions are compared with what lines confirm. A line whose predictions are wrong too often is no longer selected
// automatically.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Context } from '../../src/service/context.ts'
import { isTooOftenWrong, wilsonBounds } from '../../src/service/inference/drift-watch.ts'
import { dropOldPredictions, writeNotes } from '../../src/service/inference/note-prediction.ts'
import { scorecard } from '../../src/service/inference/scorecard.ts'
import { shareOutcomes } from '../../src/service/inference/sharing.ts'
import { putPredictions } from '../../src/store/inference/predictions.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { ask, boxesOf, leasedBox, teach } from './inference-harness.ts'
import { box, journey, openStage } from './tracking-harness.ts'

test('a share seen in few cases is bounded widely, in many narrowly', () => {
  const few = wilsonBounds(9, 10)
  assert.ok(few.lower > 0.59 && few.lower < 0.6 && few.upper > 0.98, JSON.stringify(few))
  const many = wilsonBounds(9_000, 10_000)
  assert.ok(many.upper - many.lower < 0.012)
})

test('a line is demoted when it is surely wrong too often, or cannot prove the contrary with many cases', () => {
  const wrong = (right: number, cases: number): boolean => isTooOftenWrong({ right, cases })
  assert.deepEqual(
    [wrong(0, 9), wrong(8, 10), wrong(9, 10), wrong(19, 20), wrong(15, 20)],
    [false, true, false, false, true],
  )
  assert.deepEqual(
    [wrong(125, 125), wrong(124, 125), wrong(995, 1_000), wrong(970, 1_000)],
    [false, true, false, true],
  )
})

test('a prediction is confirmed by the outcome of its number, and one that was made afterwards does not count', async (t) => {
  const stage = await openStage(t)
  const { service, account } = stage
  const bill = 'HLCUSHA2601AB123'
  const { shippingLine } = await ask(service, account, bill)
  assert.equal(shippingLine.decision, 'auto_select')
  await writeNotes(service)
  const before = await scorecard(service, account)
  assert.deepEqual([before.account.cases, before.account.confirmed, before.account.coverage], [1, 0, 1])
  stage.carrier.answers({ json: journey(bill, 'sailed') }, bill)
  await stage.track(bill)
  await stage.drain()
  await ask(service, account, box)
  await writeNotes(service)
  const { account: score, lines, installation } = await scorecard(service, account)
  assert.deepEqual([score.cases, score.confirmed, score.right, score.precision], [1, 1, 1, 1])
  assert.ok((score.calibrationError ?? 1) < 0.05)
  assert.deepEqual(
    lines.map(({ scac, right, isDemoted }) => [scac, right, isDemoted]),
    [['HLCU', 1, false]],
  )
  assert.equal(installation, null)
})

test('an outcome that comes before the prediction is written down confirms it', async (t) => {
  const stage = await openStage(t)
  const bill = 'HLCUSHA2601AB123'
  stage.carrier.answers({ json: journey(bill, 'sailed') }, bill)
  await ask(stage.service, stage.account, bill)
  await stage.track(bill)
  stage.clock.advance(10)
  await stage.drain()
  await writeNotes(stage.service)
  const { account } = await scorecard(stage.service, stage.account)
  assert.deepEqual([account.cases, account.confirmed, account.right], [1, 1, 1])
})

test('a suggestion that the account did not take, and the line proved wrong, gets a weak vote against it', async (t) => {
  const stage = await openStage(t)
  const { service, account } = stage
  await teach(service, account, boxesOf('WHLC', 30))
  const number = leasedBox(50)
  assert.equal((await ask(service, account, number)).shippingLine.selected?.scac, 'WHLC')
  await writeNotes(service)
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
  const { account: score } = await scorecard(service, account)
  assert.deepEqual([score.confirmed, score.right], [1, 0])
})

test('a node that was wrong too often loses its automatic choice, here and for others of the installation', async (t) => {
  const { service, newAccount, close } = await openTestService({ startAt: '2026-02-01T00:00:00Z' })
  t.after(close)
  const [own, other] = [await newAccount(), await newAccount()]
  await teach(service, own, boxesOf('WHLC', 40))
  const before = await ask(service, other, leasedBox(50))
  assert.deepEqual(
    [before.shippingLine.decision, before.shippingLine.selected?.scac],
    ['auto_select', 'WHLC'],
  )
  // Boxes of the batch went to another line.
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
  assert.deepEqual(
    [after.shippingLine.decision, after.shippingLine.selected?.scac],
    ['needs_confirmation', 'WHLC'],
  )
  assert.ok((after.shippingLine.selected?.confidence ?? 0) >= 0.95)
  assert.ok(after.explanation.some((each) => /wrong too often/.test(each)))
  const { lines } = await scorecard(service, own)
  assert.deepEqual(
    lines.map(({ scac, isDemoted }) => [scac, isDemoted]),
    [['WHLC', true]],
  )
})

test('figures of the installation are shown if at least three sharing accounts have contributed', async (t) => {
  const { service, newAccount, close } = await openTestService({ startAt: '2026-02-01T00:00:00Z' })
  t.after(close)
  const accounts = [await newAccount(), await newAccount(), await newAccount()]
  for (const [index, account] of accounts.entries()) {
    await predicted(service, account, 2, { scac: 'WHLC', nodes: ['c:TCNU'] })
    assert.equal((await scorecard(service, account)).installation, null, `${index} accounts`)
    await teach(service, account, boxesOf('WHLC', 2, 60))
  }
  const [first, , third] = accounts
  assert.ok(first && third)
  assert.equal((await scorecard(service, first)).installation?.confirmed, 6)
  assert.equal((await scorecard(service, await newAccount({ isFiction: true }))).installation, null)
  await shareOutcomes(service, third, { shares: false })
  assert.equal((await scorecard(service, first)).installation, null)
})

test('old predictions go, and an account keeps a bounded number of them', async (t) => {
  const { service, newAccount, clock, close } = await openTestService({ startAt: '2026-02-01T00:00:00Z' })
  t.after(close)
  const own = await newAccount()
  await predicted(service, own, 5, { scac: 'WHLC', nodes: ['c:TCNU'] })
  assert.equal(await dropOldPredictions(service, 100), 0)
  clock.advance(91 * 86_400_000)
  assert.equal(await dropOldPredictions(service, 100), 5)
})

/** As if boxes 60 and following had been inferred and predicted with certainty. */
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
