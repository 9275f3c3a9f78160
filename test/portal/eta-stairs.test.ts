import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stairsOf } from '../../portal/src/shipment/eta-stairs.ts'

const seconds = (time: string): number => Date.parse(`2026-${time}Z`) / 1_000
const said = (
  heard: string,
  eta: string,
  more: { readonly imo?: string; readonly name?: string; readonly ours?: true; readonly current?: true } = {},
) => ({
  heard_at: `2026-${heard}Z`,
  eta_at: `2026-${eta}Z`,
  said_by: more.ours ? ('landfall' as const) : ('shipping_line' as const),
  vessel_imo: more.imo ?? null,
  vessel_name: more.name ?? null,
  current: more.current ?? false,
})
const now = seconds('09-20T00:00')

test('the graph shows an estimate of a line until the line states another one', () => {
  const { times, stairs } = stairsOf(
    [
      said('09-05T00:00', '09-26T00:00', { name: 'HMM DUBLIN', current: true }),
      said('09-01T00:00', '09-25T00:00', { imo: '9863314', name: 'HMM DUBLIN' }),
      said('09-03T00:00', '09-27T00:00', { imo: '9863314', ours: true, current: true }),
    ],
    now,
  )
  assert.deepEqual(times, ['09-01T00:00', '09-03T00:00', '09-05T00:00', '09-20T00:00'].map(seconds))
  const [first, second] = ['09-25T00:00', '09-26T00:00'].map(seconds)
  assert.deepEqual(stairs, [
    { isOurs: false, ship: null, values: [first, first, second, second] },
    { isOurs: true, ship: null, values: [null, ...Array(3).fill(seconds('09-27T00:00'))] },
  ])
})

test('containers on two vessels have separate graphs, which end when nobody states them any more', () => {
  const { stairs } = stairsOf(
    [
      said('09-01T00:00', '09-26T00:00', { imo: '9863314', name: 'HMM DUBLIN' }),
      said('09-01T00:00', '10-03T00:00', { imo: '9704647', name: 'YM WARMTH' }),
      said('09-02T00:00', '10-02T00:00', { imo: '9704647', name: 'YM WARMTH', current: true }),
    ],
    now,
  )
  assert.deepEqual(
    stairs.map(({ ship, values }) => [ship, values.filter((value) => value !== null).length]),
    [
      ['HMM DUBLIN', 1],
      ['YM WARMTH', 3],
    ],
  )
})
