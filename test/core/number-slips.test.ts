import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isContainerNumber } from '../../src/core/values/identifiers.ts'
import { numbersOneSlipAway } from '../../src/core/values/number-slips.ts'

const right = 'MSCU4000010'

test('for a number with one mistake there are few possible numbers, and the right one is among them', () => {
  for (const typed of ['MSCU4000020', 'MSCU4000100', 'MSCU4000019', 'SMCU4000010', 'MSCU400010']) {
    const near = numbersOneSlipAway(typed)
    assert.ok(near.includes(right as (typeof near)[number]), `${typed}: ${near.join()}`)
    assert.ok(near.length <= 20 && near.every(isContainerNumber), `${near.length}`)
  }
})

test('a right number and what is not a container number have none', () => {
  for (const text of [right, 'CNSH30000001', '', 'MSCU40000100', 'mscu4000020'])
    assert.deepEqual(numbersOneSlipAway(text), [])
})
