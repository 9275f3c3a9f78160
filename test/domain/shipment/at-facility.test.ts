// Which containers are polled at a terminal or a railway, and from when on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type ContainerWithoutMilestones,
  type FacilityCoverage,
  facilityVisitOf,
} from '../../../src/domain/shipment/at-facility.ts'
import { nowhere } from '../../../src/domain/statements/observation.ts'
import type { ContainerStatus } from '../../../src/domain/view/projection.ts'

const place = (unlocode: string, terminalId: string | null = null) => ({ ...nowhere, unlocode, terminalId })
const leg = { place: place('USHOU'), etd: null, atd: null, eta: null, ata: null }
const instant = (at: string) => ({ kind: 'instant', at: `${at}T00:00:00.000Z` }) as const

const base = {
  status: 'grounded',
  isTerminated: false,
  podTerminal: null,
  pickupFacility: null,
  podRailCarrier: null,
  destinationRailCarrier: null,
  portOfDischarge: leg,
  destination: null,
}
const container = (of: Partial<ContainerWithoutMilestones>) => ({ ...base, ...of }) as ContainerWithoutMilestones

const houston: FacilityCoverage = {
  places: [
    { unlocode: 'USHOU', terminalId: 'barbours', code: 'BCT' },
    { unlocode: 'USHOU', terminalId: 'bayport', code: 'BPT' },
  ],
  scacs: [],
}
const bnsf: FacilityCoverage = {
  places: [{ unlocode: 'USCHI', terminalId: null, code: null }],
  scacs: ['BNSF'],
}
const epoch = '1970-01-01T00:00:00.000Z'

test('at a port with several terminals, polls only the terminal that a source names', () => {
  const at = (of: Partial<ContainerWithoutMilestones>) => facilityVisitOf('terminal', houston, container(of))
  assert.deepEqual(at({ podTerminal: place('USHOU', 'bayport') }), { facility: 'BPT', from: epoch })
  assert.equal(at({}), null)
  assert.equal(at({ podTerminal: place('USHOU', 'another') }), null)
  assert.equal(at({ portOfDischarge: { ...leg, place: place('USLAX') } }), null)
})

test('a container is polled at the only known terminal of an operator until a source names another terminal', () => {
  const [only = assert.fail()] = houston.places
  const at = (stands: FacilityCoverage, of: Partial<ContainerWithoutMilestones>) =>
    facilityVisitOf('terminal', stands, container(of))?.facility
  assert.equal(at({ places: [only], scacs: [] }, {}), 'BCT')
  assert.equal(at({ places: [only], scacs: [] }, { podTerminal: place('USHOU', 'another') }), undefined)
  const whole = { unlocode: 'USHOU', terminalId: null, code: 'ALL' }
  assert.equal(at({ places: [...houston.places, whole], scacs: [] }, {}), 'ALL')
})

test('polls a terminal from three days before the ship’s arrival, if one is known, until the gate-out', () => {
  const [only = assert.fail()] = houston.places
  const stands = { places: [only], scacs: [] }
  const from = (status: ContainerStatus, of: Partial<typeof leg>) =>
    facilityVisitOf(
      'terminal',
      stands,
      container({ status, portOfDischarge: { ...leg, ...of } } as Partial<ContainerWithoutMilestones>),
    )
  assert.equal(from('on_ship', { eta: instant('2026-02-10') } as never)?.from, '2026-02-07T00:00:00.000Z')
  assert.deepEqual(from('on_ship', {}), { facility: 'BCT', from: null })
  assert.equal(from('on_ship', { ata: instant('2026-02-09') } as never)?.from, '2026-02-06T00:00:00.000Z')
  for (const status of ['grounded', 'available', 'not_available', 'awaiting_inland_transfer'] as const)
    assert.notEqual(from(status, {}), null, status)
  for (const status of ['on_rail', 'picked_up', 'off_dock', 'delivered', 'dropped', 'empty_returned'] as const)
    assert.equal(from(status, {}), null, status)
  assert.equal(facilityVisitOf('terminal', stands, container({ isTerminated: true })), null)
})

test('polls a railway for containers that it carries, and for those without a railway that go to its ramps', () => {
  const at = (of: Partial<ContainerWithoutMilestones>) => facilityVisitOf('rail', bnsf, container(of))
  const inland = (unlocode: string) => ({ destination: { ...leg, place: place(unlocode) } })
  assert.notEqual(at({ podRailCarrier: 'BNSF' }), null)
  assert.notEqual(at({ destinationRailCarrier: 'BNSF', podRailCarrier: 'UPRR', status: 'on_rail' }), null)
  assert.equal(at({ podRailCarrier: 'UPRR', ...inland('USCHI') }), null)
  assert.notEqual(at({ podRailCarrier: 'UPRR', status: 'on_rail', ...inland('USCHI') }), null, 'over an interchange')
  const isNamed = { podRailCarrier: 'UPRR', destinationRailCarrier: 'UPRR', status: 'on_rail' } as const
  assert.equal(at({ ...isNamed, ...inland('USCHI') }), null)
  assert.notEqual(at(inland('USCHI')), null)
  assert.equal(at(inland('USDAL')), null)
  assert.equal(at({}), null)
})
