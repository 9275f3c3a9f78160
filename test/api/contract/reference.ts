/** The contract's rows about data that all accounts share: lines, places, terminals, vessels. */

import { findPlaceByCode } from '../../../src/reference/places.ts'
import { allTerminals } from '../../../src/reference/terminals.ts'
import { nobody, notThere, type Row } from './row.ts'

const [losAngeles, busan] = ['USLAX', 'KRPUS'].map((code) => findPlaceByCode(code)?.id)
const leg = `port_id=${losAngeles}&previous_port_id=${busan}`

export const referenceRows: readonly Row[] = [
  {
    row: 'GET /shipping_lines',
    good: { url: '/shipping_lines?search=one', status: 200, type: 'shipping_line' },
    bad: { url: '/shipping_lines?serach=one', status: 400 },
  },
  {
    row: 'GET /shipping_lines/ONEY',
    good: { status: 200, type: 'shipping_line' },
    bad: notThere('/shipping_lines/XXXX'),
  },
  { row: 'GET /ports/USLAX', good: { status: 200, type: 'port' }, bad: notThere('/ports/ZZZZZ') },
  {
    row: 'GET /metro_areas/USDAL',
    good: { status: 200, type: 'metro_area' },
    bad: notThere('/metro_areas/ZZZZZ'),
  },
  ...(['ocean_terminal', 'rail_terminal'] as const).map((facilityType): Row => {
    const id = allTerminals().find((each) => each.facilityType === facilityType)?.id
    const type = facilityType === 'rail_terminal' ? 'rail_terminal' : 'terminal'
    return { row: `GET /terminals/${id}`, good: { status: 200, type }, bad: notThere(`/terminals/${nobody}`) }
  }),
  {
    row: 'GET /vessels/9359052',
    good: {
      url: '/vessels/9359052?show_positions[from_timestamp]=2026-01-17T00:00:00Z',
      status: 200,
      type: 'vessel',
    },
    bad: { url: '/vessels/9359052?show_positions[from_timestamp]=yesterday', status: 422 },
  },
  {
    row: 'GET /vessels/9359052/future_positions',
    good: { url: `/vessels/9359052/future_positions?${leg}`, status: 200, type: 'vessel' },
    bad: { url: '/vessels/9359052/future_positions', status: 400 },
  },
  {
    row: 'GET /vessels/9359052/future_positions_with_coordinates',
    good: {
      url: `/vessels/9359052/future_positions_with_coordinates?${leg}&latitude=36&longitude=-135`,
      status: 200,
      type: 'vessel',
    },
    bad: {
      url: `/vessels/9359052/future_positions_with_coordinates?${leg}&latitude=96&longitude=-135`,
      status: 422,
    },
  },
]
