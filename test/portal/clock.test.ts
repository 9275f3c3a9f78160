// The clock of a container on the page of free time: nothing is shown as free or charged without a source.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChargedRow, clockOf, compareClocks } from '../../portal/src/charges/clock.ts'
import { joinClocks } from '../../portal/src/charges/join-clocks.ts'
import type { Container } from '../../sdk/typescript/src/description.generated.ts'

const now = Date.parse('2026-02-03T06:00:00Z')
const none = { totals: [], charged_days: 0, unpriced_days: 0, unknown_days: 0 }

function box(number: string, attributes: Container['attributes'] = {}): Container {
  return {
    id: number,
    type: 'container',
    attributes: {
      number,
      current_status: 'grounded',
      pod_timezone: 'America/Los_Angeles',
      ...attributes,
    },
  }
}
type Terms = ChargedRow['attributes']['terms'][number]
function charged(number: string, terms: Partial<Terms>, unknown: ChargedRow['attributes']['unknown'] = []) {
  const sums = { owed: none, forecast: none, avoidable: [] }
  const row: ChargedRow = {
    id: number,
    type: 'container_charge_sums',
    attributes: {
      number,
      shipment_id: 's',
      ...sums,
      terms: [
        {
          code: 'acme',
          version: 1,
          kind: 'demurrage',
          charged_by: 'line',
          charger_code: null,
          phase: 'free',
          missing: null,
          last_free_day: null,
          first_charged_day: null,
          stopped_on: null,
          ...sums,
          ...terms,
        },
      ],
      unknown,
    },
  }
  return row
}

test('the days left are counted in the local time of the place', () => {
  const clock = clockOf({ box: box('A', { pickup_lfd: '2026-02-02T08:00:00Z' }), charged: null }, now)
  assert.deepEqual([clock?.lastFreeDay, clock?.daysLeft, clock?.state], ['2026-02-02', 0, 'ends'])
})

test('the free time of a container without a last free day is unknown, with the reason', () => {
  const clock = clockOf({ box: box('A'), charged: charged('A', { missing: 'zone', phase: 'unknown' }, ['zone']) }, now)
  assert.deepEqual([clock?.state, clock?.daysLeft, clock?.unknown], ['unknown', null, ['zone']])
})

test('free time that ended counts as ended, not as charged, if there are no charge terms', () => {
  const clock = clockOf({ box: box('A', { pickup_lfd: '2026-01-30T08:00:00Z' }), charged: null }, now)
  assert.deepEqual([clock?.state, clock?.daysLeft], ['ended', -3])
})

test('the free time uses the earlier of the reported and the calculated last free day', () => {
  const reported = box('A', { pickup_lfd: '2026-02-06T08:00:00Z' })
  const clock = clockOf({ box: reported, charged: charged('A', { last_free_day: '2026-02-05' }) }, now)
  assert.deepEqual([clock?.lastFreeDay, clock?.dayIs, clock?.otherDay], ['2026-02-05', 'calculated', '2026-02-06'])
})

test("the terminal's last free day does not count once the container is on rail", () => {
  const none = { original: null, current: null, calculated: null, manual: false }
  const nothing = { original_value: null, original_selection: null, current_value: null, current_selection: null }
  const deadlines = {
    pickup_lfd_terminal: '2026-02-01T08:00:00Z',
    pickup_lfd_rail: null,
    pickup_lfd_line: '2026-02-09T08:00:00Z',
    pod: { line: none, facility: none, unified: nothing },
  }
  const of = (current_status: 'grounded' | 'on_rail') =>
    clockOf({ box: box('A', { current_status, import_deadlines: deadlines }), charged: null }, now)?.lastFreeDay
  assert.deepEqual([of('grounded'), of('on_rail')], ['2026-02-01', '2026-02-09'])
})

test('containers are sorted by free time: charged first, then by last free day, then unknown', () => {
  const boxes = [
    box('UNKNOWN'),
    box('LATE', { pickup_lfd: '2026-02-09T08:00:00Z' }),
    box('SOON', { pickup_lfd: '2026-02-04T08:00:00Z' }),
  ]
  const rows = [
    charged('OUT', { kind: 'detention', phase: 'charged', last_free_day: '2026-01-20' }),
    charged('BACK', { phase: 'stopped', stopped_on: '2026-01-28', last_free_day: '2026-01-20' }),
    charged('AT-SEA', { phase: 'unknown', missing: 'start' }, ['start']),
  ]
  const clocks = joinClocks(boxes, rows, now)
  assert.deepEqual(
    clocks.map(({ number }) => number),
    ['OUT', 'SOON', 'LATE', 'UNKNOWN'],
  )
  assert.equal(clocks.toSorted(compareClocks)[0]?.number, 'OUT')
})
