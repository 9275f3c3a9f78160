import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isContainerNumber } from '../../../src/domain/values/identifiers.ts'
import { numbersOneSlipAway } from '../../../src/domain/values/number-slips.ts'

const right = 'MSCU4000010'

test('a number with one mistake has few possible corrections, and the right number is among them', () => {
  for (const typed of ['MSCU4000020', 'MSCU4000100', 'MSCU4000019', 'SMCU4000010', 'MSCU400010']) {
    const near = numbersOneSlipAway(typed)
    assert.ok(near.includes(right as (typeof near)[number]), `${typed}: ${near.join()}`)
    assert.ok(near.length <= 20 && near.every(isContainerNumber), `${near.length}`)
  }
})

test('a valid number and a text that is no container number have no corrections', () => {
  for (const text of [right, 'CNSH30000001', '', 'MSCU40000100', 'mscu4000020'])
    assert.deepEqual(numbersOneSlipAway(text), [])
})
