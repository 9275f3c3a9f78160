/** Holds and fees, reported one at a time and in whole lists: which are in force, and which source decides. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { containerVerdicts } from '../../src/core/explaining/explain-container.ts'
import { writeObservation } from '../../src/core/notation/notation.ts'
import type { BoxMaking } from '../../src/core/shipment/box-making.ts'
import { projectShipment } from '../../src/core/shipment/shipment.ts'
import { defaultProjectionRules } from '../../src/core/shown/projection-rules.ts'
import { rampAreaOf } from '../../src/reference/ramps.ts'
import { claimsOf, onlyBox, projectText } from '../support/told-in-text.ts'

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

/** What is said, with the day of January on which it is stated, and what is in force then. */
const cases: readonly (readonly [
  why: string,
  said: readonly (readonly [number, string])[],
  stands: string,
])[] = [
  [
    'one hold does not erase another',
    [
      [25, 'hold customs:hold terminal:Y258'],
      [26, 'hold freight:hold terminal:Y258'],
    ],
    'customs:hold freight:hold',
  ],
  [
    'a release lifts its own',
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
    'a hold that is set after a list stands beside it',
    [
      [25, 'holds [freight:pending] terminal:Y258'],
      [26, 'hold customs:hold terminal:Y258'],
    ],
    'customs:hold freight:pending',
  ],
  [
    'a line’s hold that is set after the terminal lifted it stands',
    [
      [25, 'hold freight:released terminal:Y258'],
      [26, 'hold freight:hold carrier:HLCU'],
    ],
    'freight:hold',
  ],
  [
    'a terminal’s release lifts what the line said before',
    [
      [25, 'hold freight:hold carrier:HLCU'],
      [26, 'hold freight:released terminal:Y258'],
    ],
    '',
  ],
  [
    'a line’s release does not open the terminal’s gate',
    [
      [25, 'hold freight:hold terminal:Y258'],
      [26, 'hold freight:released carrier:HLCU'],
    ],
    'freight:hold',
  ],
  [
    'the railway does not lift what the line holds',
    [
      [25, 'hold freight:released terminal:Y258'],
      [26, 'hold freight:hold carrier:HLCU'],
      [27, 'hold freight:released rail:UP'],
    ],
    'freight:hold',
  ],
  ['a person is heard where nobody else has spoken', [[25, 'hold USDA:hold user:u1']], 'USDA:hold'],
  [
    'a person is not heard where the terminal has',
    [
      [25, 'hold USDA:released terminal:Y258'],
      [26, 'hold USDA:hold user:u1'],
    ],
    '',
  ],
  ['a ship’s position holds nothing', [[25, 'hold customs:hold ais:A']], ''],
  [
    'two that have no name of the list are two',
    [
      [25, 'hold other:hold:"lien" terminal:Y258'],
      [25, 'hold other:hold:"damage" terminal:Y258'],
      [26, 'hold other:released:"LIEN" terminal:Y258 key=r'],
    ],
    'other:hold',
  ],
  [
    'two of one name in a list both stand',
    [[25, 'holds [customs:hold:"exam", customs:pending:"manifest"] terminal:Y258']],
    'customs:hold customs:pending',
  ],
  [
    'what is passed on lifts only what was said before',
    [
      [25, 'hold customs:hold terminal:Y258'],
      [26, 'hold customs:released terminal:W1 relayed'],
    ],
    'customs:hold',
  ],
]

describe('of holds', () => {
  for (const [why, said, stands] of cases)
    test(why, () => {
      const lines = said.map(([day, text]) => `FACT ${text} stated=2026-01-${day}T00:00Z`)
      assert.equal(holdsOf(lines.join('\n')), stands)
      assert.equal(holdsOf(lines.toReversed().join('\n')), stands, 'in reverse order')
    })
})

test('a fee stays until it is paid; an unknown amount is not invented', () => {
  const due = 'FACT fee demurrage:due:120:USD terminal:Y258 stated=2026-01-25T00:00Z'
  assert.equal(feesOf(due), 'demurrage:120USD')
  assert.equal(feesOf(`${due}\nFACT fee demurrage:settled terminal:Y258 key=s stated=2026-01-26T00:00Z`), '')
  assert.equal(feesOf(`${due}\nFACT fee exam:due terminal:Y258 stated=2026-01-26T00:00Z`), 'demurrage:120USD')
  assert.equal(feesOf('FACT fee exam:due:0:USD terminal:Y258'), 'exam:0USD')
})

test('fees of one type are distinguished by their words, and are settled by these words, by the type, or with the total', () => {
  const due = `FACT fee exam:due:100:USD:"tail gate" terminal:Y258 stated=2026-01-25T00:00Z
    FACT fee exam:due:50:USD:"x-ray" terminal:Y258 stated=2026-01-25T00:00Z
    FACT fee demurrage:due:10:USD terminal:Y258 stated=2026-01-25T00:00Z`
  const after = (settled: string) =>
    feesOf(`${due}\nFACT fee ${settled} terminal:Y258 key=s stated=2026-01-26T00:00Z`)
  assert.equal(feesOf(due), 'demurrage:10USD exam:100USD exam:50USD')
  assert.equal(after('exam:settled:-:-:"X-RAY"'), 'demurrage:10USD exam:100USD')
  assert.equal(after('exam:settled'), 'demurrage:10USD')
  assert.equal(after('total:settled'), '')
})

test('a line’s charges are never shown as what is owed at the terminal', () => {
  const charges = 'FACT fee demurrage:due:999:USD carrier:HLCU\nFACT fees [total:999.00USD] carrier:HLCU'
  assert.equal(feesOf(charges), '')
  assert.equal(onlyBox(projectText(`${landed}\n${charges}`)).saidBy.fees, undefined)
})

function makingOf(said: string): BoxMaking {
  const made: BoxMaking[] = []
  projectShipment({
    claims: claimsOf(`${landed}\n${said}`),
    line: { scac: 'HLCU', isAverageWeight: false },
    request: { kind: 'bill_of_lading', number: 'HLCU1' },
    now: '2026-06-01T00:00:00.000Z',
    previous: null,
    rules: defaultProjectionRules,
    areaOf: rampAreaOf,
    recorder: { box: (box) => void made.push(box), shipment: () => undefined },
  })
  const [box] = made
  assert.ok(box !== undefined)
  return box
}

test('an explanation names for each hold the statement that decides, and why the others do not', () => {
  const box = makingOf(`
    FACT hold customs:hold terminal:Y258 stated=2026-01-25T00:00Z
    FACT hold freight:hold carrier:HLCU stated=2026-01-27T00:00Z
    FACT hold freight:released terminal:Y258 stated=2026-01-26T00:00Z
    FACT fee total:due:999:USD carrier:HLCU
  `)
  const holds = containerVerdicts['holds_at_pod_terminal']?.(box)
  assert.deepEqual(
    holds?.each?.map(({ name, winner: { observation, source } }) => [
      name,
      writeObservation(observation, source),
    ]),
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

test('the pick-up number is in no explanation, no issue and no projection', () => {
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
