import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getPlace } from '../../sandbox/places.ts'
import { underWay } from '../../sandbox/way.ts'
import { liesWithin } from '../../src/domain/vessels/vessel-arrival.ts'
import { oceanTerminalsAt } from '../../src/reference/terminals.ts'

const hourMs = 3_600_000
const arrival = 18 * 24 * hourMs

test('a vessel that waits for its berth lies still outside the area that counts as the port', () => {
  let still = 0
  for (const to of ['USLGB', 'USMIA', 'NLRTM', 'DEHAM', 'USSAV'])
    for (let ship = 0; ship < 20; ship += 1)
      for (let now = arrival - 24 * hourMs; now < arrival - hourMs; now += hourMs) {
        const where = underWay(`${ship}`, { from: 'CNSHG', to, departure: 0, arrival }, now)
        if (where.speedKnots >= 1) continue
        still += 1
        const [latitude, longitude] = getPlace(to).at
        const terminals = oceanTerminalsAt(to).flatMap((terminal) =>
          terminal.latitude === null || terminal.longitude === null
            ? []
            : [{ latitude: terminal.latitude, longitude: terminal.longitude }],
        )
        const area = { unlocode: to, port: { latitude, longitude }, terminals }
        assert.ok(!liesWithin({ ...where, imo: '9074729', heardAt: '' }, area), `${to} ${ship}`)
      }
  assert.ok(still > 100, `${still} were seen to wait`)
})
