// The shipped model: counts over three numbers and more, never a number; and how labelled numbers are scored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRows } from '../../src/inference/data-files.ts'
import { calibrationError, evaluate } from '../../src/inference/evaluate.ts'
import { outcomesOf, readLabelled } from '../../src/inference/labelled.ts'
import { emptyModel } from '../../src/inference/model.ts'
import { countStrings } from '../../src/inference/pattern-size.ts'
import { modelFile, rowsMin } from '../../src/inference/shipped-evidence.ts'
import { countNodes } from '../../tools/inference/counts.ts'
import { box, november } from './numbers.ts'

test('the shipped model contains no full number, and no node with fewer than three numbers', () => {
  const rows = readRows(modelFile)
  assert.ok(rows.length > 100)
  for (const [node = '', month, counts = ''] of rows) {
    assert.match(node, /^(?:c:[A-Z]{3}[UJZ][0-9]{0,3}|s:(?:[LD][0-9]+)+(?::[A-Z0-9]{1,5})?|p:[A-Z]{4})$/)
    assert.match(month ?? '', /^24[0-9]{3}$/)
    const numbers = counts.split(' ').map((count) => Number(count.split(':')[1]))
    assert.ok(numbers.reduce((sum, number) => sum + number, 0) >= rowsMin, node)
  }
})

const csv = (lines: readonly string[]) => `number,number_type,scac,group,source,year\n${lines.join('\n')}\n`
const everything = { owned: 1, leased: 1, shipment: 1 }

test('a training node with fewer than three numbers is merged into its parent, or omitted at the top', () => {
  const owned = ['MSKU123400', 'MSKU123900', 'MSKU129900', 'MSKU200000', 'MSKU300000'].map(
    (ten) => `${box(ten)},container,MAEU,a,one,2020`,
  )
  const bill = '123456789,bill_of_lading,MAEU,b,one,2020'
  const rows = countNodes(readLabelled(csv([...owned, bill, bill])), everything)
  assert.deepEqual(rows, [['c:MSKU12', String(2020 * 12 + 6), 'MAEU:3:3']])
})

test('the same numbers in another order give the same counts', () => {
  const lines = Array.from({ length: 40 }, (_, index) => {
    const number = box(`TCNU72${String(index * 97).padStart(4, '0')}`)
    return `${number},container,${index % 3 === 0 ? 'MSCU' : 'CMDU'},a,one,${2020 + (index % 2)}`
  })
  assert.deepEqual(
    countNodes(readLabelled(csv(lines.toReversed())), everything),
    countNodes(readLabelled(csv(lines)), everything),
  )
})

test('a container counts less the more containers its bill has', () => {
  const containers = (group: string) =>
    ['TCNU720000', 'TCNU730000', 'TCNU740000', 'TCNU750000'].map(
      (ten) => `${box(ten)},container,CMDU,${group},one,2020`,
    )
  const bill = outcomesOf(
    readLabelled(csv([...containers('a'), 'SIJ1234567,bill_of_lading,CMDU,a,one,2020'])),
    november,
  )
  assert.deepEqual(
    bill.map(({ weight }) => weight),
    [0.5, 0.5, 0.5, 0.5, 1],
  )
  assert.deepEqual(
    outcomesOf(readLabelled(csv(containers('a'))), november).map(({ weight }) => weight),
    [1, 1, 1, 1],
  )
})

test('refuses a row without a carrier and names its line number', () => {
  assert.throws(() => readLabelled(csv(['123456789,bill_of_lading,,b,one,2020'])), /Line 2 needs/)
})

test('counts right predictions for each kind of number', () => {
  const rows = readLabelled(
    csv([
      `${box('MSKU123456')},container,SEAU,a,one,2020`,
      `${box('MSKU123457')},container,CMDU,a,one,2020`,
      `${box('TCNU123456')},container,ZZZZ,a,one,2020`,
      'MEDUAB123456,shipment,MSCU,b,one,2020',
      '94405335,booking,HLCU,c,one,2020',
    ]),
  )
  const scores = evaluate(rows, emptyModel(), { month: november })
  assert.deepEqual(scores.kinds.owned, { rows: 2, right: 1 })
  assert.deepEqual(scores.kinds.leased, { rows: 0, right: 0 })
  assert.equal(scores.outsideCoverage, 1)
  assert.deepEqual(scores.numberType, { rows: 5, right: 5 })
  assert.deepEqual(scores.kinds['prefixed bill'], { rows: 1, right: 1 })
  assert.deepEqual(scores.decisions.auto_select, { rows: 3, right: 2 })
  assert.equal(
    scores.bins.reduce((sum, bin) => sum + bin.rows, 0),
    5,
  )
})

test('the calibration error is the mean difference between confidence and correctness', () => {
  assert.equal(
    calibrationError([
      { rows: 3, confidence: 0.5, right: 3 },
      { rows: 1, confidence: 1, right: 1 },
    ]),
    0.375,
  )
  assert.equal(calibrationError([]), 0)
})

test('counts how many numbers of each length a pattern allows', () => {
  assert.deepEqual([...countStrings('^[A-Z]{2}\\d{2}$')], [[4, 67_600]])
  assert.deepEqual(
    [...countStrings('^(?:A|BC)?\\d[24]?$')].sort(),
    [
      [1, 10],
      [2, 30],
      [3, 30],
      [4, 20],
    ].sort(),
  )
  assert.throws(() => countStrings('^a+$'), /cannot be counted/)
})
