// What messages of partners teach: leased containers that a line or a terminal names. Only the account of the channel
// learns from them.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { containerCheckDigit } from '../../../src/domain/values/identifiers.ts'
import type { Context } from '../../../src/modules/access/context.ts'
import { importLabels } from '../../../src/modules/inference/import-labels.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { type IntakeStage, openIntake } from '../../pipeline/ingestion/ingestion-harness.ts'
import { ask, confidenceIn, csvOf, leasedBox } from './inference-harness.ts'

const statementOf = (container: string, bill?: string) => ({
  id: `at-${container}`,
  container,
  ...(bill === undefined ? {} : { bill }),
  says: 'vessel_loaded',
  at: '2026-01-05T10:00:00Z',
  place: 'CNSHG',
})

async function open(t: TestContext): Promise<IntakeStage> {
  const stage = await openIntake(t)
  await stage.open({ name: 'hapag', source: 'statements', profile: {} })
  return stage
}

const pier = {
  name: 'pier',
  source: 'statements',
  profile: {},
  speaker: { kind: 'terminal', code: 'Y258' },
} as const
const firstOf = async (stage: IntakeStage, number: string, as: Context = stage.account) => {
  await stage.drain()
  return (await ask(stage.service, as, number)).shippingLine
}
const taught = (stage: IntakeStage) =>
  stage.rows<{ number: string; scac: string; source: string; weight: number }>(
    `select number, scac, source, weight from inference_outcomes where source <> 'override' order by number, source`,
  )

test('learns the line of a leased container that a message of that line names, even if nobody tracks it', async (t) => {
  const stage = await open(t)
  const box = leasedBox(1)
  assert.notEqual((await firstOf(stage, box)).selected?.scac, 'HLCU')
  await stage.send('hapag', statementOf(box, 'HLCUSHA260100077'))
  const prediction = await firstOf(stage, box)
  assert.equal(prediction.selected?.scac, 'HLCU')
  assert.ok(confidenceIn({ shippingLine: prediction } as never, 'HLCU') > 0.9)
  assert.deepEqual(
    (await taught(stage)).map(({ number, scac, source }) => [number, scac, source]),
    [
      ['HLCUSHA260100077', 'HLCU', 'told'],
      [box, 'HLCU', 'told'],
    ],
  )
})

test("uses containers that a line names as evidence for nearby serial numbers, only for the channel's account", async (t) => {
  const stage = await open(t)
  const beliefIn = async (number: string, as?: Context) =>
    confidenceIn({ shippingLine: await firstOf(stage, number, as) } as never, 'HLCU')
  const before = await beliefIn(leasedBox(20))
  await stage.send(
    'hapag',
    Array.from({ length: 8 }, (_, at) => statementOf(leasedBox(at), `HLCUSHA26010${at % 4}077`)),
  )
  assert.ok((await beliefIn(leasedBox(20))) > before + 0.3)
  assert.ok((await beliefIn(leasedBox(0))) > 0.9, 'the very box')
  const stranger = await stage.newAccount()
  assert.equal(await beliefIn(leasedBox(0), stranger), before, 'one account with four bills is no crowd')
})

test("learns from a terminal's message only by the prefix of the bill or the named operator", async (t) => {
  const stage = await open(t)
  await stage.open(pier)
  await stage.open({
    ...pier,
    name: 'gates',
    source: 'edifact',
    speaker: { kind: 'terminal', code: 'BEANR' },
  })
  await stage.send('pier', [
    statementOf(leasedBox(1), 'HLCUSHA260100077'),
    statementOf(leasedBox(2), '4711471147'),
    statementOf(leasedBox(3)),
  ])
  const gate = [
    "UNB+UNOA:2+GATE:ZZZ+US+260105:0900+88'UNH+1+CODECO:D:95B:UN'BGM+34+X1+9'DTM+137:202601050900:203'",
    `NAD+CF+CMA:160:20'EQD+CN+${leasedBox(4)}+45G1:102:5++3+5'DTM+7:202601050800:203'LOC+165+BEANR:139:6'`,
    "CNT+16:1'UNT+8+1'UNZ+1+88'",
  ].join('')
  await stage.send('gates', gate)
  assert.deepEqual(
    (await taught(stage)).map(({ number, scac, source }) => `${number} ${scac} ${source}`).toSorted(),
    ['HLCUSHA260100077 HLCU seen', `${leasedBox(1)} HLCU seen`, `${leasedBox(4)} CMDU seen`].toSorted(),
  )
  const shares = await firstOf(stage, 'TGHU5551110')
  assert.ok(
    confidenceIn({ shippingLine: shares } as never, 'HLCU') < 0.2,
    'a terminal’s boxes are not the account’s own mix',
  )
})

test('counts repeated reports of the same container trip as one piece of evidence', async (t) => {
  const stage = await open(t)
  const box = leasedBox(1)
  await stage.send('hapag', statementOf(box, 'HLCUSHA260100077'))
  await stage.send('hapag', { ...statementOf(box, 'HLCUSHA260100077'), id: 'again', says: 'vessel_departed' })
  await stage.send('hapag', { ...statementOf(box), id: 'no-bill' })
  assert.deepEqual(
    (await taught(stage)).filter(({ number }) => number === box).map(({ weight }) => weight),
    [0.5],
  )
  await importLabels(stage.service, stage.account, {
    bytes: csvOf([{ number: leasedBox(2), scac: 'HLCU', bill: 'B' }]),
    progress: () => {},
  })
  await stage.send('hapag', statementOf(leasedBox(2), 'HLCUSHA260100088'))
  assert.deepEqual(
    (await taught(stage)).filter(({ number }) => number === leasedBox(2)).map(({ source }) => source),
    ['import'],
  )
  const fold = foldBy(readRules(stage.service.config))
  const { differences } = await rebuildProjections(stage.service, fold, {
    repair: false,
    differencesMax: 20,
    progress: () => {},
  })
  assert.deepEqual(differences, [])
})

test('learns nothing from forwarded messages, or from a channel of the whole installation', async (t) => {
  const stage = await openIntake(t)
  await stage.open({ name: 'relayed', source: 'statements', profile: {}, isFirstHand: false })
  await stage.open({ name: 'hub', source: 'statements', profile: {}, as: null })
  await stage.send('relayed', statementOf(leasedBox(1), 'HLCUSHA260100077'))
  await stage.send('hub', statementOf(leasedBox(2), 'HLCUSHA260100077'))
  assert.deepEqual(await taught(stage), [])
})

test('infers the line of several containers together if they share one bill', async (t) => {
  const stage = await open(t)
  await stage.open(pier)
  const [leased, other, owned] = [leasedBox(1), leasedBox(2), 'HLXU1234563'.slice(0, 10)]
  const digit = containerCheckDigit(owned)
  const alone = await firstOf(stage, leased)
  assert.notEqual(alone.candidates[0]?.scac, 'HLCU')
  await stage.send(
    'pier',
    [leased, other, `${owned}${digit}`].map((box) => statementOf(box, '4711471147')),
  )
  const together = await ask(stage.service, stage.account, leased)
  assert.equal(together.shippingLine.candidates[0]?.scac, 'HLCU')
  assert.notEqual(together.shippingLine.decision, 'auto_select', 'a bill opens no gate')
  assert.ok(
    together.explanation.some((why) => why.includes('of the bill')),
    together.explanation.join(),
  )
  const stranger = await stage.newAccount()
  assert.deepEqual((await firstOf(stage, leased, stranger)).candidates, alone.candidates)
  stage.clock.advance(121 * 24 * 3_600_000)
  assert.deepEqual((await firstOf(stage, leased)).candidates, alone.candidates, 'long ago')
})
