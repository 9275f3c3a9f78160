/** Holds and fees, reported one at a time and in complete lists: which are in force, and which source decides. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { writeObservation } from '../../../src/domain/notation/notation.ts'
import { containerVerdicts } from '../../../src/domain/provenance/explain-container.ts'
import type { ContainerDerivation } from '../../../src/domain/shipment/container-derivation.ts'
import { projectShipment } from '../../../src/domain/shipment/shipment.ts'
import { defaultProjectionRules } from '../../../src/domain/view/projection-rules.ts'
import { rampAreaOf } from '../../../src/reference/ramps.ts'
import { claimsOf, onlyBox, projectText } from '../../support/told-in-text.ts'

const landed = 'ACT DISC LADEN USLAX 2026-01-24T02:00Z terminal:Y258'

function holdsOf(said: string): string {
  return onlyBox(projectText(`${landed}\n${said}`))
    .holds.map(({ name, status }) => `${name}:${status}`)
    .join(' ')
}

function feesOf(said: string): string {
  return onlyBox(projectText(`${landed}\n${said}`))
    .fees.map(({ type, amount, currencyCode }) => `${type}:${amount}${currencyCode}`)
    .join(' ')
}

/** The statements, with the day of January on which each is stated, and what is in force then. */
const cases: readonly (readonly [why: string, said: readonly (readonly [number, string])[], stands: string])[] = [
  [
    'one hold does not erase another',
    [
      [25, 'hold customs:hold terminal:Y258'],
      [26, 'hold freight:hold terminal:Y258'],
    ],
    'customs:hold freight:hold',
  ],
  [
    'a release lifts the hold of its name',
    [
      [25, 'hold customs:hold terminal:Y258'],
      [25, 'hold freight:hold terminal:Y258'],
      [26, 'hold customs:released terminal:Y258 key=r'],
    ],
    'freight:hold',
  ],
  [
    'a list lifts what it does not name',
    [
      [25, 'hold customs:hold terminal:Y258'],
      [26, 'holds [freight:pending] terminal:Y258'],
    ],
    'freight:pending',
  ],
  [
    'a hold set after a list is added to it',
    [
      [25, 'holds [freight:pending] terminal:Y258'],
      [26, 'hold customs:hold terminal:Y258'],
    ],
    'customs:hold freight:pending',
  ],
  [
    'a line’s hold set after the terminal’s release is in force',
    [
      [25, 'hold freight:released terminal:Y258'],
      [26, 'hold freight:hold carrier:HLCU'],
    ],
    'freight:hold',
  ],
  [
    'a terminal’s release lifts an earlier hold of the line',
    [
      [25, 'hold freight:hold carrier:HLCU'],
      [26, 'hold freight:released terminal:Y258'],
    ],
    '',
  ],
  [
    'a line’s release does not lift a hold of the terminal',
    [
      [25, 'hold freight:hold terminal:Y258'],
      [26, 'hold freight:released carrier:HLCU'],
    ],
    'freight:hold',
  ],
  [
    'a railway does not lift a hold of the line',
    [
      [25, 'hold freight:released terminal:Y258'],
      [26, 'hold freight:hold carrier:HLCU'],
      [27, 'hold freight:released rail:UP'],
    ],
    'freight:hold',
  ],
  ['a user’s hold counts when no other source states one', [[25, 'hold USDA:hold user:u1']], 'USDA:hold'],
  [
    'a user’s hold does not count when the terminal has stated one',
    [
      [25, 'hold USDA:released terminal:Y258'],
      [26, 'hold USDA:hold user:u1'],
    ],
    '',
  ],
  ['a position source sets no hold', [[25, 'hold customs:hold ais:A']], ''],
  [
    'two holds without a listed name are separate',
    [
      [25, 'hold other:hold:"lien" terminal:Y258'],
      [25, 'hold other:hold:"damage" terminal:Y258'],
      [26, 'hold other:released:"LIEN" terminal:Y258 key=r'],
    ],
    'other:hold',
  ],
  [
    'two holds of one name in a list are both in force',
    [[25, 'holds [customs:hold:"exam", customs:pending:"manifest"] terminal:Y258']],
    'customs:hold customs:pending',
  ],
  [
    'a relayed release lifts no hold that another source states itself',
    [
      [25, 'hold customs:hold terminal:Y258'],
      [26, 'hold customs:released terminal:W1 relayed'],
    ],
    'customs:hold',
  ],
]

describe('holds:', () => {
  for (const [why, said, stands] of cases)
    test(why, () => {
      const lines = said.map(([day, text]) => `FACT ${text} stated=2026-01-${day}T00:00Z`)
      assert.equal(holdsOf(lines.join('\n')), stands)
      assert.equal(holdsOf(lines.toReversed().join('\n')), stands, 'in reverse order')
    })
})

test('a fee stays until it is paid; an unknown amount is not made up', () => {
  const due = 'FACT fee demurrage:due:120:USD terminal:Y258 stated=2026-01-25T00:00Z'
  assert.equal(feesOf(due), 'demurrage:120USD')
  assert.equal(feesOf(`${due}\nFACT fee demurrage:settled terminal:Y258 key=s stated=2026-01-26T00:00Z`), '')
  assert.equal(feesOf(`${due}\nFACT fee exam:due terminal:Y258 stated=2026-01-26T00:00Z`), 'demurrage:120USD')
  assert.equal(feesOf('FACT fee exam:due:0:USD terminal:Y258'), 'exam:0USD')
})

test('distinguishes two fees of one type by their text, and can settle them separately', () => {
  const due = `FACT fee exam:due:100:USD:"tail gate" terminal:Y258 stated=2026-01-25T00:00Z
    FACT fee exam:due:50:USD:"x-ray" terminal:Y258 stated=2026-01-25T00:00Z
    FACT fee demurrage:due:10:USD terminal:Y258 stated=2026-01-25T00:00Z`
  const after = (settled: string) => feesOf(`${due}\nFACT fee ${settled} terminal:Y258 key=s stated=2026-01-26T00:00Z`)
  assert.equal(feesOf(due), 'demurrage:10USD exam:100USD exam:50USD')
  assert.equal(after('exam:settled:-:-:"X-RAY"'), 'demurrage:10USD exam:100USD')
  assert.equal(after('exam:settled'), 'demurrage:10USD')
  assert.equal(after('total:settled'), '')
})

test('never shows a line’s charges as fees owed at the terminal', () => {
  const charges = 'FACT fee demurrage:due:999:USD carrier:HLCU\nFACT fees [total:999.00USD] carrier:HLCU'
  assert.equal(feesOf(charges), '')
  assert.equal(onlyBox(projectText(`${landed}\n${charges}`)).saidBy.fees, undefined)
})

function makingOf(said: string): ContainerDerivation {
  const made: ContainerDerivation[] = []
  projectShipment({
    claims: claimsOf(`${landed}\n${said}`),
    line: { scac: 'HLCU', isAverageWeight: false },
    request: { kind: 'bill_of_lading', number: 'HLCU1' },
    now: '2026-06-01T00:00:00.000Z',
    previous: null,
    rules: defaultProjectionRules,
    areaOf: rampAreaOf,
    recorder: { container: (box) => void made.push(box), shipment: () => undefined },
  })
  const [box] = made
  assert.ok(box !== undefined)
  return box
}

test('the explanation of holds names the deciding statement for each hold and the rejected ones', () => {
  const box = makingOf(`
    FACT hold customs:hold terminal:Y258 stated=2026-01-25T00:00Z
    FACT hold freight:hold carrier:HLCU stated=2026-01-27T00:00Z
    FACT hold freight:released terminal:Y258 stated=2026-01-26T00:00Z
    FACT fee total:due:999:USD carrier:HLCU
  `)
  const holds = containerVerdicts['holds_at_pod_terminal']?.(box)
  assert.deepEqual(
    holds?.each?.map(({ name, winner: { observation, source } }) => [name, writeObservation(observation, source)]),
    [
      ['customs', 'FACT hold customs:hold terminal:Y258 box=TCNU1234565 stated=2026-01-25T00:00Z'],
      ['freight', 'FACT hold freight:hold carrier:HLCU box=TCNU1234565 stated=2026-01-27T00:00Z'],
    ],
  )
  assert.equal(holds?.winner?.source.kind, 'shipping_line')
  assert.equal(holds?.losers.length, 1)
  assert.equal(box.container.saidBy.holds, 'shipping_line')
  const fees = containerVerdicts['fees_at_pod_terminal']?.(box)
  assert.equal(fees?.winner, null)
  assert.match(fees?.losers[0]?.why ?? '', /not believed for this: shipping line/)
})

test('shows the pick-up number in no explanation, issue or projection', () => {
  fc.assert(
    fc.property(fc.constantFrom('carrier:HLCU', 'terminal:Y258', 'ais:A', 'user:u1'), (source) => {
      const said = `FACT pickup_number SECRET77 ${source}\nFACT it_number V123 ${source}`
      assert.doesNotMatch(JSON.stringify(projectText(`${landed}\n${said}`)), /SECRET77/)
      const box = makingOf(said)
      const told = Object.values(containerVerdicts).map((explain) => explain(box))
      assert.doesNotMatch(JSON.stringify(told), /SECRET77/)
      assert.match(JSON.stringify(told), /V123/)
    }),
    { numRuns: 8 },
  )
})
