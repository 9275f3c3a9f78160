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

test('selects the line of a container by its owner code in the register', () => {
  const { shippingLine, explanation } = see(box('MSKU123456'))
  assert.equal(shippingLine.decision, 'auto_select')
  assert.equal(shippingLine.selected?.scac, 'MAEU')
  assert.equal(shippingLine.selected?.name, 'Maersk')
  assert.deepEqual(explanation, ['MSKU is an owner code of MAEU.'])
})

test('selects the line of a shared container only after confirmed moves', () => {
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

test('selects the line for which the owner bought a container', () => {
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

test('confirmed moves of the same batch decide the line of a leased container', () => {
  const node = { node: 'c:TCNU721' }
  const evidence = learned(...batch('TCNU721', 41, 'CMDU', node), ...batch('TCNU721', 5, 'HLCU', node))
  const { shippingLine, explanation } = see(box('TCNU721999'), evidence)
  assert.equal(shippingLine.candidates[0]?.scac, 'CMDU')
  assert.ok(explanation.includes('41 of 46 confirmed moves of TCNU721… were CMDU.'), explanation.join(' '))
  assert.ok(explanation.includes('5 of 46 confirmed moves of TCNU721… were HLCU.'))
})

test('uses outcomes of neighbouring serial numbers as evidence', () => {
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

test('predicts the new carrier of a batch of leased containers after a few recent bills', () => {
  const before = batch('TCNU721', 8, 'CMDU', { month: november - 20 })
  const after = batch('TCNU721', 3, 'HLCU', { month: november - 1 })
  assert.equal(first(box('TCNU721050'), learned(...before, ...after))?.scac, 'HLCU')
  const together = after.map((outcome) => ({ ...outcome, month: november - 20 }))
  assert.equal(first(box('TCNU721050'), learned(...before, ...together))?.scac, 'CMDU')
})

test('no line is predicted for a container whose owner is a carrier that Landfall does not support', () => {
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

test('selects the line of a number in an ambiguous format after ten confirmed numbers', () => {
  const numbers = Array.from({ length: 10 }, (_, index) => `7${String(index * 1_234_567).padStart(8, '0')}`)
  assert.equal(see('712345678').shippingLine.decision, 'needs_confirmation')
  const evidence = learned(...numbers.map((number) => confirmed(number, 'MAEU')))
  assert.equal(see('712345678', evidence).shippingLine.decision, 'auto_select')
})

test('shared evidence for a carrier counts less if the account never ships with that carrier', () => {
  const shared = learned(...batch('TCNU721', 6, 'MSCU'), ...batch('TCNU7215', 4, 'HLCU'))
  const number = box('TCNU721050')
  const options = { month: november }
  const stranger = makeInference(number, openModel({ shipped: createEvidence(), shared }), options)
  assert.equal(stranger?.shippingLine.candidates[0]?.scac, 'MSCU')
  const own = learned(...Array.from({ length: 200 }, (_, index) => confirmed(`HLCUABC2601${10_000 + index}`, 'HLCU')))
  const customer = makeInference(number, openModel({ shipped: createEvidence(), shared, ownEvidence: own }), options)
  assert.equal(customer?.shippingLine.candidates[0]?.scac, 'HLCU')
})

test('selects the line that was recently confirmed for the same number', () => {
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

test('the explanation of a prediction does not contradict itself about which lines use the number format', () => {
  const stated = (number: string) => see(number).explanation.join(' ')
  assert.match(stated('712345678'), /fits formats of .*, .*Several lines write numbers of this shape/)
  const unknown = stated('QX12345678901234')
  assert.match(unknown, /fits no known format of a line.*No line is known to write numbers of this shape/)
  assert.doesNotMatch(unknown, /Several lines/)
})

test('the confidence thresholds for selecting or suggesting a line can be configured', () => {
  const model = openModel({ shipped: createEvidence() })
  const ask = (autoSelect: number, needsConfirmation: number) =>
    makeInference(box('MSKU123456'), model, {
      month: november,
      thresholds: { autoSelect, needsConfirmation },
    })?.shippingLine.decision
  assert.equal(ask(1, 0.7), 'needs_confirmation')
  assert.equal(ask(1, 1), 'no_prediction')
})
