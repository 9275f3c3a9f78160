// Who learns from the outcomes of an account: the account at once; others only when enough accounts have taught the
// same; nobody after they were deleted.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { forgetOutcomes, shareOutcomes } from '../../../src/modules/inference/share-outcomes.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import { box, journey, openStage, otherBox, unknown } from '../../support/tracking-harness.ts'
import { anotherProcess, ask, boxesOf, confidenceIn, leasedBox, teach } from './inference-harness.ts'

async function open(t: TestContext): Promise<TestService> {
  const service = await openTestService({ startAt: '2026-02-01T00:00:00Z' })
  t.after(() => service.close())
  return service
}

test('a tracked bill is evidence for its number, and weaker evidence for each of its containers', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey('HLCUSHA2601AB123', 'sailed', [box, otherBox]) }, 'HLCUSHA2601AB123')
  await stage.track('HLCUSHA2601AB123')
  await stage.drain()
  const taught = `select number, scac, round(weight::numeric, 2)::float8 as weight, bill, source from inference_outcomes
                   order by source, number`
  const expected = [
    { number: box, scac: 'HLCU', weight: 0.71, bill: 'HLCUSHA2601AB123', source: 'bill' },
    { number: otherBox, scac: 'HLCU', weight: 0.71, bill: 'HLCUSHA2601AB123', source: 'bill' },
    { number: 'HLCUSHA2601AB123', scac: 'HLCU', weight: 1, bill: 'HLCUSHA2601AB123', source: 'request' },
  ].toSorted((a, b) => (a.source + a.number < b.source + b.number ? -1 : 1))
  assert.deepEqual(await stage.rows(taught), expected)
  stage.carrier.answers({ json: journey('HLCUSHA2601AB123', 'arrived', [box, otherBox]) }, 'HLCUSHA2601AB123')
  await stage.nextLook()
  assert.deepEqual(await stage.rows(taught), expected, 'further looks at the same boxes teach nothing new')
  const fold = foldBy(readRules(stage.service.config))
  await rebuildProjections(stage.service, fold, { repair: true, differencesMax: 5, progress: () => {} })
  assert.deepEqual(await stage.rows(taught), expected, 'a rebuild of the ledger doubles nothing')
})

test('a not-found answer is weak evidence against a line, and an unreachable line is no evidence', async (t) => {
  const stage = await openStage(t)
  await stage.track(box, { type: 'container' })
  await stage.track('HLCUSHA2601AB123')
  await stage.drain()
  const taught = `select number, weight from inference_outcomes`
  const denied = [{ number: box, weight: -0.2 }]
  assert.deepEqual(await stage.rows(taught), denied)
  stage.carrier.answers({ status: 503, json: {} })
  await stage.track(otherBox, { type: 'container' })
  await stage.drain()
  assert.deepEqual(await stage.rows(taught), denied)
  stage.carrier.answers(unknown)
  await stage.pass(24 * 8)
  assert.deepEqual(
    (await stage.rows<{ number: string }>(taught)).map(({ number }) => number).toSorted(),
    ['HLCUSHA2601AB123', box, otherBox].toSorted(),
    'after the whole wait, and when the line is back, its answer counts',
  )
})

test('predicts the line of a number that the account tracked in the last 120 days', async (t) => {
  const { service, newAccount, clock } = await open(t)
  const [own, other] = [await newAccount(), await newAccount()]
  await teach(service, own, boxesOf('WHLC', 1))
  const known = await ask(service, own, leasedBox(0))
  assert.deepEqual(
    [known.shippingLine.selected?.scac, known.shippingLine.decision, known.shippingLine.selected?.confidence],
    ['WHLC', 'auto_select', 0.97],
  )
  assert.notEqual((await ask(service, other, leasedBox(0))).shippingLine.selected?.scac, 'WHLC')
  clock.advance(121 * 86_400_000)
  assert.notEqual((await ask(service, own, leasedBox(0))).shippingLine.decision, 'auto_select')
})

test('other accounts use shared evidence only if five bills or three accounts support it', async (t) => {
  const { service, newAccount } = await open(t)
  const [first, second, third, stranger] = await Promise.all([1, 2, 3, 4].map(() => newAccount()))
  assert.ok(first && second && third && stranger)
  const untaught = await ask(service, stranger, leasedBox(50))
  await teach(service, first, boxesOf('WHLC', 4))
  assert.deepEqual(await ask(service, stranger, leasedBox(50)), untaught, 'four bills of one account are its own')
  assert.ok(confidenceIn(await ask(service, first, leasedBox(50)), 'WHLC') > confidenceIn(untaught, 'WHLC'))
  await teach(service, first, boxesOf('WHLC', 1, 4))
  const taught = confidenceIn(await ask(service, stranger, leasedBox(50)), 'WHLC')
  assert.ok(taught > confidenceIn(untaught, 'WHLC') + 0.2, `${taught} after the fifth bill`)

  const elsewhere = leasedBox(60, '3190')
  const before = await ask(service, stranger, elsewhere)
  const one = (as: typeof first, serial: number): Promise<number> =>
    teach(service, as, [{ number: leasedBox(serial, '3190'), scac: 'YMLU', bill: 'ONE BILL' }])
  await one(first, 1)
  await one(second, 2)
  // The counts of the whole owner code already come from enough accounts; this batch changes nothing there.
  const two = confidenceIn(await ask(service, stranger, elsewhere), 'YMLU')
  await one(third, 3)
  const three = confidenceIn(await ask(service, stranger, elsewhere), 'YMLU')
  assert.ok(three > two && three > confidenceIn(before, 'YMLU'), `${two} with two accounts, ${three} with three`)
})

test('counts shared evidence only once in the predictions for the account that shared it', async (t) => {
  const { service, newAccount } = await open(t)
  const sharing = await newAccount()
  await teach(service, sharing, boxesOf('WHLC', 5))
  // A container about which they know only a little: if a prediction is already certain, more certainty cannot be seen.
  const elsewhere = leasedBox(90, '3190')
  await shareOutcomes(service, sharing, { shares: false })
  const unshared = confidenceIn(await ask(service, sharing, elsewhere), 'WHLC')
  await shareOutcomes(service, sharing, { shares: true })
  const shared = confidenceIn(await ask(service, sharing, elsewhere), 'WHLC')
  assert.ok(Math.abs(shared - unshared) <= 0.01, `${unshared} unshared, ${shared} shared`)
})

test('an account that opts out withdraws what it shared, and continues to learn for itself', async (t) => {
  const { service, newAccount } = await open(t)
  const [own, stranger] = [await newAccount(), await newAccount()]
  const untaught = await ask(service, stranger, leasedBox(50))
  await teach(service, own, boxesOf('WHLC', 10))
  assert.notDeepEqual(await ask(service, stranger, leasedBox(50)), untaught)
  await shareOutcomes(service, own, { shares: false })
  assert.deepEqual(await ask(service, stranger, leasedBox(50)), untaught)
  assert.ok(confidenceIn(await ask(service, own, leasedBox(50)), 'WHLC') > 0.5)
  await shareOutcomes(service, own, { shares: true })
  assert.notDeepEqual(await ask(service, stranger, leasedBox(50)), untaught)
})

test('every process forgets what an account deletes, and no rebuild restores it', async (t) => {
  const stage = await openStage(t)
  const { service, account } = stage
  const second = anotherProcess(service)
  const stranger = await stage.newAccount()
  const untaught = await ask(service, stranger, leasedBox(50))
  const own = await ask(service, account, leasedBox(50))
  stage.carrier.answers({ json: journey('HLCUSHA2601AB123', 'sailed') }, 'HLCUSHA2601AB123')
  await stage.track('HLCUSHA2601AB123')
  await stage.drain()
  await teach(service, account, boxesOf('WHLC', 10))
  for (const process of [service, second]) assert.notDeepEqual(await ask(process, stranger, leasedBox(50)), untaught)
  assert.equal(await forgetOutcomes(service, account), 12)
  const fold = foldBy(readRules(service.config))
  await rebuildProjections(service, fold, { repair: true, differencesMax: 5, progress: () => {} })
  for (const process of [service, second, anotherProcess(service)]) {
    assert.deepEqual(await ask(process, stranger, leasedBox(50)), untaught)
    assert.deepEqual(await ask(process, account, leasedBox(50)), own)
  }
  assert.deepEqual(await stage.rows('select from inference_outcomes'), [])
  // Numbering starts again then: a process that had read further must not miss the new ones.
  await teach(second, account, boxesOf('WHLC', 6))
  assert.notDeepEqual(await ask(service, stranger, leasedBox(50)), untaught)
})

test('processes learn from each other, also one that starts afterwards', async (t) => {
  const { service, newAccount } = await open(t)
  const [own, stranger] = [await newAccount(), await newAccount()]
  const second = anotherProcess(service)
  for (const process of [service, second]) await ask(process, own, leasedBox(50))
  await teach(service, own, boxesOf('WHLC', 6))
  await teach(second, own, boxesOf('WHLC', 6, 10))
  const answers = []
  for (const process of [service, second, anotherProcess(service)]) {
    const { explanation: _, ...answer } = await ask(process, own, leasedBox(50))
    answers.push(answer.shippingLine, (await ask(process, stranger, leasedBox(50))).shippingLine)
  }
  assert.deepEqual(answers.slice(2, 4), answers.slice(0, 2))
  assert.deepEqual(answers.slice(4, 6), answers.slice(0, 2))
  assert.ok((answers[0]?.candidates[0]?.confidence ?? 0) > 0.5)
})

test('the sandbox teaches real accounts nothing, and they teach the sandbox nothing', async (t) => {
  const { service, newAccount } = await open(t)
  const [real, fiction] = [await newAccount(), await newAccount({ isSandbox: true })]
  const [realBefore, fictionBefore] = [
    await ask(service, real, leasedBox(50)),
    await ask(service, fiction, leasedBox(50)),
  ]
  await teach(service, await newAccount({ isSandbox: true }), boxesOf('WHLC', 10))
  assert.deepEqual(await ask(service, real, leasedBox(50)), realBefore)
  const taught = await ask(service, fiction, leasedBox(50))
  assert.notDeepEqual(taught, fictionBefore)
  await teach(service, await newAccount(), boxesOf('YMLU', 10))
  assert.deepEqual(await ask(service, fiction, leasedBox(50)), taught)
})

test('importing the same file again adds no evidence', async (t) => {
  const { service, newAccount } = await open(t)
  const own = await newAccount()
  assert.equal(await teach(service, own, boxesOf('WHLC', 5)), 5)
  assert.equal(await teach(service, own, boxesOf('WHLC', 5)), 0)
  await ask(service, own, leasedBox(50))
  const { rows } = await service.pool.query<{ count: number }>({
    text: 'select count(*) from inference_outcomes',
  })
  assert.equal(rows[0]?.count, 5)
})
