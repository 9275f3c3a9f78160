// The line of a number: what the registers state, what was confirmed, what may be selected without asking the user.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEvidence, type Evidence, learnOutcome, type Outcome } from '../../src/inference/evidence.ts'
import { makeInference } from '../../src/inference/infer.ts'
import { openModel } from '../../src/inference/model.ts'
import { batch, box, confirmed, november } from './numbers.ts'

function learned(...outcomes: readonly Outcome[]): Evidence {
  const evidence = createEvidence()
  for (const outcome of outcomes) learnOutcome(evidence, outcome)
  return evidence
}
const see = (number: string, own: Evidence = createEvidence(), month = november) =>
  makeInference(number, openModel({ ownEvidence: own, shipped: createEvidence() }), { month }) ??
  assert.fail(`${number} is no number`)
const first = (number: string, own?: Evidence, month?: number) => see(number, own, month).shippingLine.candidates[0]

test('selects a carrier’s own container by the register alone', () => {
  const { shippingLine, explanation } = see(box('MSKU123456'))
  assert.equal(shippingLine.decision, 'auto_select')
  assert.equal(shippingLine.selected?.scac, 'MAEU')
  assert.equal(shippingLine.selected?.name, 'Maersk')
  assert.deepEqual(explanation, ['MSKU is an owner code of MAEU.'])
})

test('selects a container of lines that share containers only once moves of them are confirmed', () => {
  const number = box('CMAU123456')
  assert.equal(see(number).shippingLine.decision, 'needs_confirmation')
  assert.match(see(number).explanation.at(-1) ?? '', /shares its boxes/)
  assert.equal(see(number, learned(...batch('CMAU55', 20, 'CMDU'))).shippingLine.decision, 'auto_select')
})

test('old moves do not allow a selection for shared containers, even with a few recent ones', () => {
  for (const [code, owner] of [
    ['APHU', 'APLU'],
    ['APZU', 'APLU'],
    ['APRU', 'APLU'],
    ['OOLU', 'OOLU'],
    ['CMAU', 'CMDU'],
  ] as const) {
    const of2016 = batch(`${code}55`, 400, owner, { month: 2016 * 12 + 6 })
    const number = box(`${code}551234`)
    assert.notEqual(see(number, learned(...of2016)).shippingLine.decision, 'auto_select', code)
    const few = batch(`${code}55`, 5, owner, { month: november - 1 })
    const { shippingLine, explanation } = see(number, learned(...of2016, ...few))
    assert.notEqual(shippingLine.decision, 'auto_select', code)
    assert.match(explanation.at(-1) ?? '', /too few moves of these were confirmed lately/)
  }
})

test('containers of APL are predicted as CMA CGM, until moves show otherwise', () => {
  for (const code of ['APHU', 'APZU', 'APRU', 'APLU']) {
    assert.equal(first(box(`${code}123456`))?.scac, 'CMDU', code)
    assert.equal(first(box(`${code}123456`), learned(...batch(`${code}12`, 60, 'APLU')))?.scac, 'APLU', code)
  }
})

test('a container bought for one line is selected for it, and the explanation names its owner', () => {
  const { shippingLine, explanation } = see(box('KOCU123456'))
  assert.equal(shippingLine.selected?.scac, 'HDMU')
  assert.equal(shippingLine.decision, 'auto_select')
  assert.deepEqual(explanation, ['KOCU belongs to KOREA OCEAN BUSINESS CORPORATION, which bought its boxes for HDMU.'])
})

test('predicts no line for a leased container without outcomes, and lists its candidates', () => {
  const { shippingLine, explanation } = see(box('TCNU123456'))
  assert.equal(shippingLine.decision, 'no_prediction')
  assert.equal(shippingLine.selected, null)
  assert.equal(shippingLine.candidates.length, 5)
  assert.match(explanation[0] ?? '', /leasing company/)
})

test('confirmed moves of the batch decide a leased container, and the explanation counts them', () => {
  const node = { node: 'c:TCNU721' }
  const evidence = learned(...batch('TCNU721', 41, 'CMDU', node), ...batch('TCNU721', 5, 'HLCU', node))
  const { shippingLine, explanation } = see(box('TCNU721999'), evidence)
  assert.equal(shippingLine.candidates[0]?.scac, 'CMDU')
  assert.ok(explanation.includes('41 of 46 confirmed moves of TCNU721… were CMDU.'), explanation.join(' '))
  assert.ok(explanation.includes('5 of 46 confirmed moves of TCNU721… were HLCU.'))
})

test('uses the neighbouring thousand of serial numbers as evidence too', () => {
  const evidence = learned(...batch('TCNU722', 6, 'ONEY'), ...batch('TCNU1', 6, 'EGLV'))
  assert.equal(first(box('TCNU721500'), evidence)?.scac, 'ONEY')
  assert.equal(first(box('TCNU150000'), evidence)?.scac, 'EGLV')
})

test('selects a leased container automatically only with recent outcomes of several bills', () => {
  const enough = batch('TCNU72', 60, 'CMDU')
  const number = box('TCNU720000')
  assert.equal(see(number, learned(...enough)).shippingLine.decision, 'auto_select')
  const ofOneBill = enough.map((outcome) => ({ ...outcome, bill: 'one' }))
  assert.equal(see(number, learned(...ofOneBill)).shippingLine.decision, 'needs_confirmation')
  const old = enough.map((outcome) => ({ ...outcome, month: november - 19 }))
  assert.equal(see(number, learned(...old)).shippingLine.decision, 'needs_confirmation')
})

test('evidence of leased containers fades with time, of owned ones it does not', () => {
  const leased = learned(...batch('TCNU72', 8, 'CMDU'))
  const owned = learned(...batch('MSKU72', 8, 'HLCU'))
  const later = november + 12 * 12
  assert.ok(
    (first(box('TCNU720000'), leased)?.confidence ?? 0) >
      (first(box('TCNU720000'), leased, later)?.confidence ?? 1) + 0.1,
  )
  assert.deepEqual(see(box('MSKU720000'), owned).shippingLine, see(box('MSKU720000'), owned, later).shippingLine)
})

test('follows containers that went to another carrier after a few bills', () => {
  const before = batch('TCNU721', 8, 'CMDU', { month: november - 20 })
  const after = batch('TCNU721', 3, 'HLCU', { month: november - 1 })
  assert.equal(first(box('TCNU721050'), learned(...before, ...after))?.scac, 'HLCU')
  const together = after.map((outcome) => ({ ...outcome, month: november - 20 }))
  assert.equal(first(box('TCNU721050'), learned(...before, ...together))?.scac, 'CMDU')
})

test('gives no confident line for a container of a carrier that is not covered', () => {
  const { shippingLine } = see(box('REGU123456'))
  assert.equal(shippingLine.decision, 'no_prediction')
  assert.ok((shippingLine.candidates[0]?.confidence ?? 1) < 0.15)
})

test('outcomes of carriers that are not covered lower the confidence of others and are no candidates', () => {
  const evidence = learned(...batch('TCNU721', 30, 'ZZZZ'))
  const { shippingLine } = see(box('TCNU721050'), evidence)
  assert.equal(shippingLine.decision, 'no_prediction')
  assert.ok(shippingLine.candidates.every(({ scac, confidence }) => scac !== 'ZZZZ' && confidence < 0.1))
})

test('counts brands of one group as one carrier, and keeps the tracked brand of a bill', () => {
  const evidence = learned(
    ...batch('TCNU721', 5, 'SEAU'),
    ...batch('TCNU7215', 5, 'SAFM'),
    ...batch('TCNU7217', 5, 'SUDU'),
  )
  assert.equal(first(box('TCNU721050'), evidence)?.scac, 'MAEU')
  assert.equal(first('SAFM123456789')?.scac, 'SAFM')
})

test('selects a bare number in a format of several lines after ten confirmed ones', () => {
  const numbers = Array.from({ length: 10 }, (_, index) => `7${String(index * 1_234_567).padStart(8, '0')}`)
  assert.equal(see('712345678').shippingLine.decision, 'needs_confirmation')
  const evidence = learned(...numbers.map((number) => confirmed(number, 'MAEU')))
  assert.equal(see('712345678', evidence).shippingLine.decision, 'auto_select')
})

test('a carrier that the account never uses counts less in shared evidence', () => {
  const shared = learned(...batch('TCNU721', 6, 'MSCU'), ...batch('TCNU7215', 4, 'HLCU'))
  const number = box('TCNU721050')
  const options = { month: november }
  const stranger = makeInference(number, openModel({ shipped: createEvidence(), shared }), options)
  assert.equal(stranger?.shippingLine.candidates[0]?.scac, 'MSCU')
  const own = learned(...Array.from({ length: 200 }, (_, index) => confirmed(`HLCUABC2601${10_000 + index}`, 'HLCU')))
  const customer = makeInference(number, openModel({ shipped: createEvidence(), shared, ownEvidence: own }), options)
  assert.equal(customer?.shippingLine.candidates[0]?.scac, 'HLCU')
})

test('a recent confirmation of the number decides; a line that is demoted for a node is not selected automatically', () => {
  const model = openModel({ shipped: createEvidence() })
  const number = box('TCNU123456')
  const remembered = makeInference(number, model, { month: november, remembered: 'EGLV' })
  assert.deepEqual(
    [
      remembered?.shippingLine.decision,
      remembered?.shippingLine.selected?.scac,
      remembered?.shippingLine.selected?.confidence,
    ],
    ['auto_select', 'EGLV', 0.97],
  )
  const demoted = makeInference(box('MSKU123456'), model, {
    month: november,
    isDemoted: (nodes, scac) => nodes.includes('c:MSKU') && scac === 'MAEU',
  })
  assert.equal(demoted?.shippingLine.decision, 'needs_confirmation')
})

test('the reason against a bare number agrees with what the explanation states about its formats', () => {
  const stated = (number: string) => see(number).explanation.join(' ')
  assert.match(stated('712345678'), /fits formats of .*, .*Several lines write numbers of this shape/)
  const unknown = stated('QX12345678901234')
  assert.match(unknown, /fits no known format of a line.*No line is known to write numbers of this shape/)
  assert.doesNotMatch(unknown, /Several lines/)
})

test('the installation can set the thresholds', () => {
  const model = openModel({ shipped: createEvidence() })
  const ask = (autoSelect: number, needsConfirmation: number) =>
    makeInference(box('MSKU123456'), model, {
      month: november,
      thresholds: { autoSelect, needsConfirmation },
    })?.shippingLine.decision
  assert.equal(ask(1, 0.7), 'needs_confirmation')
  assert.equal(ask(1, 1), 'no_prediction')
})
