// Whose a number is: what the registers know, what was confirmed, what may be selected without asking.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEvidence, type Evidence, learn, type Outcome } from '../../src/inference/evidence.ts'
import { infer } from '../../src/inference/infer.ts'
import { openModel } from '../../src/inference/model.ts'
import { batch, box, confirmed, november } from './numbers.ts'

function learned(...outcomes: readonly Outcome[]): Evidence {
  const evidence = createEvidence()
  for (const outcome of outcomes) learn(evidence, outcome)
  return evidence
}
const see = (number: string, own: Evidence = createEvidence(), month = november) =>
  infer(number, openModel({ own, shipped: createEvidence() }), { month }) ??
  assert.fail(`${number} is no number`)
const first = (number: string, own?: Evidence, month?: number) =>
  see(number, own, month).shippingLine.candidates[0]

test('a carrier’s own box is selected only by the register', () => {
  const { shippingLine, explanation } = see(box('MSKU123456'))
  assert.equal(shippingLine.decision, 'auto_select')
  assert.equal(shippingLine.selected?.scac, 'MAEU')
  assert.equal(shippingLine.selected?.name, 'Maersk')
  assert.deepEqual(explanation, ['MSKU is an owner code of MAEU.'])
})

test('a box of lines that load each other’s boxes is selected once moves of them are confirmed', () => {
  const number = box('CMAU123456')
  assert.equal(see(number).shippingLine.decision, 'needs_confirmation')
  assert.match(see(number).explanation.at(-1) ?? '', /shares its boxes/)
  assert.equal(see(number, learned(...batch('CMAU55', 20, 'CMDU'))).shippingLine.decision, 'auto_select')
})

test('moves of years ago do not allow a selection for boxes that lines share, also not with a few recent ones', () => {
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

test('the boxes of APL go with CMA CGM, until moves say otherwise', () => {
  for (const code of ['APHU', 'APZU', 'APRU', 'APLU']) {
    assert.equal(first(box(`${code}123456`))?.scac, 'CMDU', code)
    assert.equal(first(box(`${code}123456`), learned(...batch(`${code}12`, 60, 'APLU')))?.scac, 'APLU', code)
  }
})

test('a box that was bought for one line is that line’s, and the explanation says whose it is', () => {
  const { shippingLine, explanation } = see(box('KOCU123456'))
  assert.equal(shippingLine.selected?.scac, 'HDMU')
  assert.equal(shippingLine.decision, 'auto_select')
  assert.deepEqual(explanation, [
    'KOCU belongs to KOREA OCEAN BUSINESS CORPORATION, which bought its boxes for HDMU.',
  ])
})

test('for a leased box without outcomes no line is predicted, and its candidates are listed', () => {
  const { shippingLine, explanation } = see(box('TCNU123456'))
  assert.equal(shippingLine.decision, 'no_prediction')
  assert.equal(shippingLine.selected, null)
  assert.equal(shippingLine.candidates.length, 5)
  assert.match(explanation[0] ?? '', /leasing company/)
})

test('confirmed moves of the batch decide a leased box, and the explanation counts them', () => {
  const node = { node: 'c:TCNU721' }
  const evidence = learned(...batch('TCNU721', 41, 'CMDU', node), ...batch('TCNU721', 5, 'HLCU', node))
  const { shippingLine, explanation } = see(box('TCNU721999'), evidence)
  assert.equal(shippingLine.candidates[0]?.scac, 'CMDU')
  assert.ok(explanation.includes('41 of 46 confirmed moves of TCNU721… were CMDU.'), explanation.join(' '))
  assert.ok(explanation.includes('5 of 46 confirmed moves of TCNU721… were HLCU.'))
})

test('the neighbouring thousand of serials is evidence too', () => {
  const evidence = learned(...batch('TCNU722', 6, 'ONEY'), ...batch('TCNU1', 6, 'EGLV'))
  assert.equal(first(box('TCNU721500'), evidence)?.scac, 'ONEY')
  assert.equal(first(box('TCNU150000'), evidence)?.scac, 'EGLV')
})

test('a leased box is selected automatically only with recent outcomes of several bills', () => {
  const enough = batch('TCNU72', 60, 'CMDU')
  const number = box('TCNU720000')
  assert.equal(see(number, learned(...enough)).shippingLine.decision, 'auto_select')
  const ofOneBill = enough.map((outcome) => ({ ...outcome, bill: 'one' }))
  assert.equal(see(number, learned(...ofOneBill)).shippingLine.decision, 'needs_confirmation')
  const old = enough.map((outcome) => ({ ...outcome, month: november - 19 }))
  assert.equal(see(number, learned(...old)).shippingLine.decision, 'needs_confirmation')
})

test('what is known of leased boxes fades, of owned ones it does not', () => {
  const leased = learned(...batch('TCNU72', 8, 'CMDU'))
  const owned = learned(...batch('MSKU72', 8, 'HLCU'))
  const later = november + 12 * 12
  assert.ok(
    (first(box('TCNU720000'), leased)?.confidence ?? 0) >
      (first(box('TCNU720000'), leased, later)?.confidence ?? 1) + 0.1,
  )
  assert.deepEqual(
    see(box('MSKU720000'), owned).shippingLine,
    see(box('MSKU720000'), owned, later).shippingLine,
  )
})

test('boxes that went to another carrier are followed after a few bills', () => {
  const before = batch('TCNU721', 8, 'CMDU', { month: november - 20 })
  const after = batch('TCNU721', 3, 'HLCU', { month: november - 1 })
  assert.equal(first(box('TCNU721050'), learned(...before, ...after))?.scac, 'HLCU')
  const together = after.map((outcome) => ({ ...outcome, month: november - 20 }))
  assert.equal(first(box('TCNU721050'), learned(...before, ...together))?.scac, 'CMDU')
})

test('a box of a carrier that is not covered is no covered carrier’s with any confidence', () => {
  const { shippingLine } = see(box('REGU123456'))
  assert.equal(shippingLine.decision, 'no_prediction')
  assert.ok((shippingLine.candidates[0]?.confidence ?? 1) < 0.15)
})

test('outcomes of carriers that are not covered make the others less likely and are no candidate', () => {
  const evidence = learned(...batch('TCNU721', 30, 'ZZZZ'))
  const { shippingLine } = see(box('TCNU721050'), evidence)
  assert.equal(shippingLine.decision, 'no_prediction')
  assert.ok(shippingLine.candidates.every(({ scac, confidence }) => scac !== 'ZZZZ' && confidence < 0.1))
})

test('brands of one house count as one carrier, and a bill keeps the brand that is tracked', () => {
  const evidence = learned(
    ...batch('TCNU721', 5, 'SEAU'),
    ...batch('TCNU7215', 5, 'SAFM'),
    ...batch('TCNU7217', 5, 'SUDU'),
  )
  assert.equal(first(box('TCNU721050'), evidence)?.scac, 'MAEU')
  assert.equal(first('SAFM123456789')?.scac, 'SAFM')
})

test('a bare number that several lines write is selected after ten confirmed ones', () => {
  const numbers = Array.from({ length: 10 }, (_, index) => `7${String(index * 1_234_567).padStart(8, '0')}`)
  assert.equal(see('712345678').shippingLine.decision, 'needs_confirmation')
  const evidence = learned(...numbers.map((number) => confirmed(number, 'MAEU')))
  assert.equal(see('712345678', evidence).shippingLine.decision, 'auto_select')
})

test('a carrier that the account never uses counts less in what others confirmed', () => {
  const shared = learned(...batch('TCNU721', 6, 'MSCU'), ...batch('TCNU7215', 4, 'HLCU'))
  const number = box('TCNU721050')
  const options = { month: november }
  const stranger = infer(number, openModel({ shipped: createEvidence(), shared }), options)
  assert.equal(stranger?.shippingLine.candidates[0]?.scac, 'MSCU')
  const own = learned(
    ...Array.from({ length: 200 }, (_, index) => confirmed(`HLCUABC2601${10_000 + index}`, 'HLCU')),
  )
  const customer = infer(number, openModel({ shipped: createEvidence(), shared, own }), options)
  assert.equal(customer?.shippingLine.candidates[0]?.scac, 'HLCU')
})

test('a recent confirmation of the number itself outweighs everything; a wrong node is not selected automatically', () => {
  const model = openModel({ shipped: createEvidence() })
  const number = box('TCNU123456')
  const remembered = infer(number, model, { month: november, remembered: 'EGLV' })
  assert.deepEqual(
    [
      remembered?.shippingLine.decision,
      remembered?.shippingLine.selected?.scac,
      remembered?.shippingLine.selected?.confidence,
    ],
    ['auto_select', 'EGLV', 0.97],
  )
  const demoted = infer(box('MSKU123456'), model, {
    month: november,
    isDemoted: (nodes, scac) => nodes.includes('c:MSKU') && scac === 'MAEU',
  })
  assert.equal(demoted?.shippingLine.decision, 'needs_confirmation')
})

test('what holds a bare number back agrees with what its formats are said to be', () => {
  const said = (number: string) => see(number).explanation.join(' ')
  assert.match(said('712345678'), /fits formats of .*, .*Several lines write numbers of this shape/)
  const unknown = said('QX12345678901234')
  assert.match(unknown, /fits no known format of a line.*No line is known to write numbers of this shape/)
  assert.doesNotMatch(unknown, /Several lines/)
})

test('the thresholds are the installation’s to set', () => {
  const model = openModel({ shipped: createEvidence() })
  const ask = (autoSelect: number, needsConfirmation: number) =>
    infer(box('MSKU123456'), model, { month: november, thresholds: { autoSelect, needsConfirmation } })
      ?.shippingLine.decision
  assert.equal(ask(1, 0.7), 'needs_confirmation')
  assert.equal(ask(1, 1), 'no_prediction')
})
