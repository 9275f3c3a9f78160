/** The contract's statuses, one row for each and for each way there. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Step } from '../../../src/domain/milestones/milestones.ts'
import { currentStatus, type StatusSituation } from '../../../src/domain/milestones/status.ts'
import { containerStatuses } from '../../../src/domain/view/projection.ts'

/** Steps in order (`!` marks one at the inland destination), what else is known, and the status. */
interface Row {
  readonly steps: string
  readonly known?: Partial<Omit<StatusSituation, 'steps'>>
  readonly status: (typeof containerStatuses)[number]
}

const sailed = 'empty_out full_in vessel_loaded vessel_departed'
const discharged = `${sailed} vessel_arrived vessel_discharged`
const inland = { goesInland: true }

const rows: readonly Row[] = [
  { steps: '', status: 'new' },
  { steps: 'empty_out', status: 'new' },
  { steps: 'empty_out full_in', status: 'new' },
  { steps: 'full_in rail_loaded rail_departed', status: 'on_rail' },
  { steps: 'rail_departed rail_arrived rail_unloaded', status: 'new' },
  { steps: 'full_in feeder_loaded', status: 'on_ship' },
  { steps: 'feeder_loaded feeder_departed feeder_arrived feeder_discharged', status: 'on_ship' },
  { steps: 'full_in vessel_loaded', status: 'on_ship' },
  { steps: 'vessel_departed', status: 'on_ship' },
  { steps: `${sailed} transshipment_arrived transshipment_discharged`, status: 'on_ship' },
  { steps: `${sailed} transshipment_loaded transshipment_departed`, status: 'on_ship' },
  { steps: `${sailed} vessel_arrived`, status: 'on_ship' },
  { steps: `${sailed} vessel_arrived vessel_berthed`, status: 'on_ship' },
  { steps: `${sailed} vessel_arrived`, known: { available: false }, status: 'on_ship' },
  { steps: discharged, status: 'grounded' },
  { steps: discharged, known: { available: true }, status: 'available' },
  { steps: discharged, known: { available: false }, status: 'not_available' },
  { steps: `${discharged} available`, known: { available: true }, status: 'available' },
  { steps: discharged, known: inland, status: 'awaiting_inland_transfer' },
  { steps: discharged, known: { ...inland, available: true }, status: 'awaiting_inland_transfer' },
  { steps: `${discharged} feeder_loaded`, status: 'on_ship' },
  { steps: `${discharged} feeder_loaded feeder_discharged`, status: 'grounded' },
  { steps: `${discharged} rail_loaded`, known: inland, status: 'on_rail' },
  { steps: `${discharged} rail_loaded rail_departed rail_arrived`, known: inland, status: 'on_rail' },
  { steps: `${discharged} rail_departed rail_unloaded`, known: inland, status: 'awaiting_inland_transfer' },
  {
    steps: `${discharged} rail_departed rail_arrived! arrived_at_inland_destination!`,
    known: inland,
    status: 'on_rail',
  },
  {
    steps: `${discharged} rail_departed rail_arrived! arrived_at_inland_destination!`,
    known: { ...inland, available: true },
    status: 'available',
  },
  {
    steps: `${discharged} rail_departed arrived_at_inland_destination! rail_unloaded!`,
    known: inland,
    status: 'grounded',
  },
  {
    steps: `${discharged} rail_departed arrived_at_inland_destination! rail_unloaded!`,
    known: { ...inland, available: false },
    status: 'not_available',
  },
  { steps: `${discharged} full_out`, status: 'picked_up' },
  { steps: `${discharged} full_out`, known: { available: false }, status: 'picked_up' },
  { steps: `${discharged} full_out gated_in_off_dock`, status: 'off_dock' },
  { steps: `${discharged} put_on_truck`, status: 'loaded' },
  { steps: `${discharged} full_out dropped`, status: 'dropped' },
  { steps: `${discharged} full_out dropped`, known: { isDelivered: true }, status: 'delivered' },
  { steps: `${discharged} full_out`, known: { isDelivered: true }, status: 'delivered' },
  { steps: discharged, known: { isPickedUp: true, available: true }, status: 'picked_up' },
  { steps: 'vessel_loaded vessel_departed', known: { isPickedUp: true }, status: 'on_ship' },
  { steps: `${discharged} full_out empty_in`, known: { isPickedUp: true }, status: 'empty_returned' },
  { steps: `${discharged} full_out empty_in`, status: 'empty_returned' },
  { steps: `${discharged} full_out empty_in`, known: { isDelivered: true }, status: 'empty_returned' },
]

for (const { steps, known, status } of rows) {
  const words = steps === '' ? [] : steps.split(' ')
  const last = words.slice(-2).join(', ') || 'nothing'
  const besides = known === undefined ? '' : ` knowing ${JSON.stringify(known)}`
  test(`a container is ${status} after ${last} (${words.length} steps)${besides}`, () => {
    const situation: StatusSituation = {
      goesInland: false,
      isRailPlanned: false,
      available: null,
      isDelivered: false,
      isPickedUp: false,
      ...known,
      steps: words.map((word) => ({
        step: word.replace('!', '') as Step,
        isAtDestination: word.endsWith('!'),
      })),
    }
    assert.equal(currentStatus(situation), status)
  })
}

test('the cases of this test cover every container status', () => {
  assert.deepEqual(new Set(rows.map(({ status }) => status)), new Set(containerStatuses))
})
