/** If a vessel called with the container on board and nothing was handled, no transshipment is ever reported. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LINES } from '../../sandbox/lines.ts'
import { DAY } from '../../sandbox/local-time.ts'
import type { Shipment } from '../../sandbox/shipment.ts'
import { World } from '../../sandbox/world.ts'
import type { ContainerProjection } from '../../src/domain/view/projection.ts'
import { EPOCH } from './ask.ts'
import { follow } from './ways.ts'

const world = new World(1, EPOCH)
const ways = LINES.flatMap((line) =>
  world
    .recent(EPOCH + 60 * DAY, 40, line)
    .filter(({ scenario }) => !scenario.includes('container_reused'))
    // If the line names no known place, none is shown; a separate scenario tests that.
    .filter(({ facts }) => facts.every(({ call }) => call.called === undefined))
    .filter((shipment) => portsPassed(shipment) > 0 || loadings(shipment, 0).length > 1)
    .slice(0, 2)
    .map((shipment) => ({ shipment, shown: follow(world, shipment, days(shipment)) })),
)

test('no channel of the sandbox reports a transshipment of a container that was not handled', () => {
  const passed = ways.filter(({ shipment }) => portsPassed(shipment) > 0)
  assert.ok(passed.length > 15, `${passed.length} ways by a port where nothing is handled`)
  for (const { shipment, shown } of ways) {
    for (const container of shown.flatMap(({ containers }) => containers)) {
      const handled = placesHandled(shipment, container)
      const reported = transshipmentsIn(container).filter(({ place }) => !handled.has(place))
      assert.deepEqual(reported, [], `${shipment.line.scac} ${shipment.booking}`)
    }
  }
})

test('every channel of the sandbox reports the loading on the second ship at its place', () => {
  let changes = 0
  for (const { shipment, shown } of ways) {
    for (const container of shown.at(-1)?.containers ?? []) {
      const box = shipment.boxes.findIndex(({ number }) => number === container.number)
      const reported = transshipmentsIn(container).filter(({ name }) => name === 'transshipment_loaded')
      assert.deepEqual(
        reported.map(({ place }) => place),
        loadings(shipment, box)
          .slice(1)
          .map(({ call }) => call.place),
        `${shipment.line.scac} ${shipment.booking}`,
      )
      changes += reported.length
    }
  }
  assert.ok(changes > 15, `${changes} changes of ships`)
})

/** Every third day until four days after the end. */
function days({ bookingKnownAt, endsAt }: Shipment): readonly number[] {
  const count = Math.ceil((endsAt + 4 * DAY - bookingKnownAt) / (3 * DAY))
  return Array.from({ length: count + 1 }, (_, n) => bookingKnownAt + n * 3 * DAY)
}

function loadings({ facts }: Shipment, box: number) {
  return facts.filter(({ code, call, boxes }) => code === 'LOAD' && call.mode === 'VESSEL' && boxes.includes(box))
}

function portsPassed({ facts }: Shipment): number {
  const called = new Set(facts.filter(({ code }) => code === 'ARRI').map(({ call }) => call.place))
  for (const { code, call } of facts) if (code === 'DISC' || code === 'LOAD') called.delete(call.place)
  return called.size
}

function placesHandled(shipment: Shipment, { number }: ContainerProjection): ReadonlySet<string | null> {
  const box = shipment.boxes.findIndex((each) => each.number === number)
  const handled = shipment.facts.filter(
    ({ code, boxes }) => (code === 'DISC' || code === 'LOAD') && boxes.includes(box),
  )
  return new Set(handled.map(({ call }) => call.place))
}

function transshipmentsIn({ milestones }: ContainerProjection) {
  return milestones
    .filter(({ kind, name }) => kind === 'actual' && name.startsWith('transshipment_'))
    .map(({ name, place }) => ({ name, place: place.unlocode }))
}
