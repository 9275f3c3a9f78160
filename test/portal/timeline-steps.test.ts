// Past and future events in one timeline: an estimate that is an event and a movement is one step.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Move, stepsOf } from '../../portal/src/shipment/timeline-steps.ts'
import type { TransportEvent } from '../../sdk/typescript/src/description.generated.ts'

const event = (name: string, code: string): TransportEvent => ({
  id: `${name} ${code}`,
  type: 'transport_event',
  attributes: { event: `container.${name}` as 'container.transport.empty_out', location_locode: code },
})
const move = (name: string, code: string, is: Move['is']): Move => ({
  key: `${name} ${code}`,
  event: name,
  is,
  at: '2026-03-01T00:00:00Z',
  isDay: false,
  zone: null,
  place: null,
  code,
  vessel: null,
  voyage: null,
})
const told = (events: readonly TransportEvent[], moves: readonly Move[]) =>
  stepsOf(events, moves).map((step) =>
    step.kind === 'move' ? `${step.move.event} ${step.move.is}` : `${step.event.attributes.event} ${step.is}`,
  )
const events = [
  event('transport.vessel_departed', 'CNSHA'),
  event('pickup_lfd.changed', 'USLAX'),
  event('transport.estimated.vessel_arrived', 'USLAX'),
]

test('the timeline shows planned moves between past events and the estimated arrival', () => {
  const moves = [
    move('transshipment_arrived', 'KRPUS', 'planned'),
    move('transshipment_departed', 'KRPUS', 'planned'),
    move('vessel_arrived', 'USLAX', 'estimated'),
  ]
  assert.deepEqual(told(events, moves), [
    'container.transport.vessel_departed actual',
    'transshipment_arrived planned',
    'transshipment_departed planned',
    'container.transport.estimated.vessel_arrived estimated',
  ])
})

test('an estimate that its source marks as planned is shown as planned', () => {
  assert.equal(
    told(events, [move('vessel_arrived', 'USLAX', 'planned')])[1],
    'container.transport.estimated.vessel_arrived planned',
  )
})

test('the timeline shows only past events if there is no route, and no deadlines', () => {
  assert.equal(told(events, []).length, events.length - 1)
})
