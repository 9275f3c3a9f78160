/** What is one call and what is two: one ship at one place, whatever the voyage numbers and call ids. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeJourney } from '../../../src/domain/journey/journey.ts'
import { readStatement } from '../../../src/domain/statements/statement.ts'
import { claimsOf } from '../../support/told-in-text.ts'

/** `KRPUS#1 ARRI VESSEL, DISC LADEN VESSEL`: each call with its slots. */
function callsOf(text: string): readonly string[] {
  const statements = claimsOf(text)
    .map(readStatement)
    .filter((told) => told !== null)
  return mergeJourney(statements).calls.map(
    ({ key, slots }) => `${key} ${slots.map((slot) => slot.key.replace(/ (LADEN|VESSEL)/g, '')).join(' ')}`,
  )
}

const ship = 'vessel=9321483/"One"'

for (const [sides, inbound, outbound] of [
  ['without a call id', 'voyage=41W', 'voyage=42E'],
  ['with one call id', 'voyage=41W call=a', 'voyage=42E call=a'],
  ['with a call id for each side', 'voyage=41W call=a', 'voyage=42E call=b'],
] as const) {
  test(`a ship that arrives on one voyage and departs on the next makes one call, ${sides}`, () => {
    assert.deepEqual(
      callsOf(`
        ACT ARRI -     KRPUS 2026-01-08T04:00Z carrier:HLCU ${ship} ${inbound}
        ACT DISC LADEN KRPUS 2026-01-08T11:00Z carrier:HLCU ${ship} ${inbound}
        ACT LOAD LADEN KRPUS 2026-01-10T11:00Z carrier:HLCU ${ship} ${outbound}
        ACT DEPA -     KRPUS 2026-01-10T22:00Z carrier:HLCU ${ship} ${outbound}
      `),
      ['KRPUS#1 ARRI DEPA DISC LOAD'],
    )
  })

  test(`an arrival and a planned departure on the next voyage make one call, ${sides}`, () => {
    const arrival = `KRPUS 2026-01-08T04:00Z carrier:HLCU ${ship} ${inbound}`
    const departure = `KRPUS 2026-01-10T22:00Z carrier:HLCU ${ship} ${outbound}`
    for (const classifier of ['PLN', 'ACT']) {
      assert.deepEqual(
        callsOf(`
          ${classifier} ARRI - ${arrival}
          PLN DEPA - ${departure}
          EST ARRI - USLAX 2026-01-25T04:00Z carrier:HLCU ${ship} voyage=42E
        `),
        ['KRPUS#1 ARRI DEPA', 'USLAX#1 ARRI'],
      )
    }
  })
}

test('a ship that returns weeks later makes a second call, even on the voyage of its departure', () => {
  for (const [at, back] of [
    ['no call ids', ''],
    ['call ids', 'call=b'],
  ]) {
    for (const classifier of ['ACT', 'EST']) {
      assert.deepEqual(
        callsOf(`
          ACT LOAD LADEN KRPUS 2026-01-05T02:00Z carrier:HLCU ${ship} voyage=42E ${back && 'call=a'}
          ACT DEPA -     KRPUS 2026-01-05T20:00Z carrier:HLCU ${ship} voyage=42E ${back && 'call=a'}
          ACT ARRI -     CNSHG 2026-01-08T04:00Z carrier:HLCU ${ship} voyage=42E
          ACT DEPA -     CNSHG 2026-01-09T04:00Z carrier:HLCU ${ship} voyage=42E
          ${classifier} ARRI - KRPUS 2026-01-19T04:00Z carrier:HLCU ${ship} voyage=42E ${back}
          EST ARRI -     USLAX 2026-01-30T04:00Z carrier:HLCU ${ship} voyage=43E
        `),
        ['KRPUS#1 DEPA LOAD', 'CNSHG#1 ARRI DEPA', 'KRPUS#2 ARRI', 'USLAX#1 ARRI'],
        `${classifier}, ${at}`,
      )
    }
  }
})

test('an overdue planned departure belongs to the call that the ship has left', () => {
  assert.deepEqual(
    callsOf(`
      ACT ARRI - KRPUS 2026-01-08T04:00Z carrier:HLCU ${ship} voyage=41W
      ACT DEPA - KRPUS 2026-01-10T22:00Z carrier:HLCU ${ship} voyage=42E
      PLN DEPA - KRPUS 2026-01-14T22:00Z carrier:HLCU ${ship} voyage=42E
      EST ARRI - USLAX 2026-01-25T04:00Z carrier:HLCU ${ship} voyage=42E
    `),
    ['KRPUS#1 ARRI DEPA', 'USLAX#1 ARRI'],
  )
})

test('a transshipment between two ships on different voyages happens at one call', () => {
  assert.deepEqual(
    callsOf(`
      ACT ARRI -     KRPUS 2026-01-08T04:00Z carrier:HLCU ${ship} voyage=41W call=a
      ACT DISC LADEN KRPUS 2026-01-08T11:00Z carrier:HLCU ${ship} voyage=41W call=a
      PLN LOAD LADEN KRPUS 2026-01-18T11:00Z carrier:HLCU vessel=-/"Two" voyage=7 call=b
      PLN DEPA -     KRPUS 2026-01-18T22:00Z carrier:HLCU vessel=-/"Two" voyage=7 call=b
      EST ARRI -     USLAX 2026-01-30T04:00Z carrier:HLCU vessel=-/"Two" voyage=7
    `),
    ['KRPUS#1 ARRI DEPA DISC LOAD', 'USLAX#1 ARRI'],
  )
})
