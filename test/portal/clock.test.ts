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

const freeUntil = (...days: readonly string[]): NonNullable<Container['attributes']['free_until']> => {
  const [first = { on: '' }, ...others] = days.map((on) => ({ on }))
  const named = { by: 'line', said_by: 'shipping_line', terms_code: null } as const
  return {
    ...first,
    ...named,
    timezone: 'America/Los_Angeles',
    others: others.map((day) => ({ ...day, ...named, by: 'terminal' })),
  }
}

test('the days left are counted in the local time of the place', () => {
  const clock = clockOf({ box: box('A', { free_until: freeUntil('2026-02-02') }), charged: null }, now)
  assert.deepEqual([clock?.lastFreeDay, clock?.daysLeft, clock?.state], ['2026-02-02', 0, 'ends'])
})

test('the free time of a container without a last free day is unknown, with the reason', () => {
  const clock = clockOf({ box: box('A'), charged: charged('A', { missing: 'zone', phase: 'unknown' }, ['zone']) }, now)
  assert.deepEqual([clock?.state, clock?.daysLeft, clock?.unknown], ['unknown', null, ['zone']])
})

test('free time that ended counts as ended, not as charged, if there are no charge terms', () => {
  const clock = clockOf({ box: box('A', { free_until: freeUntil('2026-01-30') }), charged: null }, now)
  assert.deepEqual([clock?.state, clock?.daysLeft], ['ended', -3])
})

test('a clock shows the day that counts with those of others, and the terms only of a container that is out', () => {
  const waiting = box('A', { free_until: freeUntil('2026-02-05', '2026-02-06') })
  const terms = charged('A', { last_free_day: '2026-02-01' })
  const days = (clock: ReturnType<typeof clockOf>) => clock?.named.map(({ on, by }) => `${on} ${by}`)
  assert.deepEqual(days(clockOf({ box: waiting, charged: terms }, now)), ['2026-02-05 line', '2026-02-06 terminal'])
  assert.deepEqual(days(clockOf({ box: null, charged: terms }, now)), ['2026-02-01 terms'])
})

test('containers are sorted by free time: charged first, then by last free day, then unknown', () => {
  const boxes = [
    box('UNKNOWN'),
    box('LATE', { free_until: freeUntil('2026-02-09') }),
    box('SOON', { free_until: freeUntil('2026-02-04') }),
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
