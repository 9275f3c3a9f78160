/** The tables in docs/charges.md are valid input, and the worked example gives the result that the page states. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { calculateCharges } from '../../../src/domain/charges/read-charges.ts'
import { chargeKinds, chargers, clockEvents } from '../../../src/domain/charges/terms.ts'
import { chargedBox, happened } from '../../support/charged-box.ts'
import { bookOf, rowsOf } from '../../support/told-charges.ts'

const page = readFileSync(new URL('../../../docs/charges.md', import.meta.url), 'utf8')
const blocks = (kind: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${kind}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text = '']) => text)
const [calendar = ''] = blocks('calendar')

test('parses each table of the page without an error', () => {
  const tables = blocks('csv')
  assert.ok(tables.length >= 8)
  for (const table of tables) assert.ok(bookOf(table, calendar).series.length > 0)
})

test('the page has an example of each kind of terms, each charger and each event', () => {
  const rows = blocks('csv').flatMap((table) => rowsOf(table))
  for (const kind of chargeKinds)
    assert.ok(
      rows.some((row) => row['kind'] === kind),
      kind,
    )
  for (const charger of chargers.filter((each) => each !== 'terminal'))
    assert.ok(
      rows.some((row) => row['charged_by'] === charger),
      charger,
    )
  for (const event of clockEvents) assert.ok(page.includes(`\`${event}\``), event)
})

test('no table of the page contains a price', () => {
  for (const table of blocks('csv')) assert.doesNotMatch(table, /\d+-\d*:\d/)
})

test('the first example gives the result that the page states', () => {
  const [table = ''] = blocks('csv')
  const plain = calendar
    .split('\n')
    .filter((line) => !/closure|gate_hours/.test(line))
    .join('\n')
  const container = chargedBox([
    happened('vessel_discharged', { kind: 'instant', at: '2026-01-31T04:00:00.000Z' }, 'd'),
  ])
  const requested = { now: '2026-02-06T20:00:00.000Z', until: '2026-02-06' }
  const [only] = calculateCharges(container, bookOf(table, plain), requested).charges
  assert.equal(only?.lastFreeDay?.day, '2026-02-05')
  assert.deepEqual(
    only?.days.filter(({ outcome }) => outcome === 'charged').map(({ on }) => on),
    ['2026-02-06'],
  )
})
