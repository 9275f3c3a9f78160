// What our own estimate of the arrival is made of: the ship, the estimate of the line, and the calls that the account
// itself knows from its sources.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pointAlong } from '../../../src/domain/geography/route-line.ts'
import type { OwnEta } from '../../../src/domain/vessels/own-eta.ts'
import type { Context } from '../../../src/modules/access/context.ts'
import { distanceToPort } from '../../../src/pipeline/positions/distance-to-port.ts'
import { findPlaceByCode } from '../../../src/reference/places.ts'
import { findSeaRoute } from '../../../src/reference/sea-routes/sea-route.ts'
import type { WayEvidence } from '../../../src/reference/sea-routes/ship-way.ts'
import { event, journey, otherBox } from '../../support/tracking-harness.ts'
import { bill, identity, openPositionStage, type PositionStage, position } from './positions-harness.ts'

const billToYokohama = 'HLCUSHA260100005'

/** The same ship brings another container to Yokohama first. */
function toYokohama(): readonly object[] {
  const arrival = event({
    told: 810,
    code: 'ARRI',
    classifier: 'EST',
    at: '2026-01-12T06:00:00+09:00',
    place: 'USLAX',
    bill: billToYokohama,
    boxes: [otherBox],
  })
  const answer = [...journey(billToYokohama, 'sailed', [otherBox]), arrival]
  return JSON.parse(JSON.stringify(answer).replaceAll('USLAX', 'JPYOK').replaceAll('CALL-2', 'CALL-3'))
}

function pointOf(unlocode: string) {
  const { latitude, longitude } = findPlaceByCode(unlocode) ?? {}
  return { latitude: latitude ?? 0, longitude: longitude ?? 0 }
}

/** Tracks both containers, the one to Yokohama for `other`, and lets the ship sail there for a day at 17 knots. */
async function underWay(stage: PositionStage, other: Context): Promise<OwnEta | null> {
  await stage.track(bill)
  await stage.drain()
  stage.carrier.answers({ json: toYokohama() })
  await stage.track(billToYokohama, { as: other })
  await stage.drain()
  const way = findSeaRoute({ from: pointOf('CNSHG'), to: pointOf('JPYOK') })
  assert.ok(way.kind === 'route')
  for (let hours = 0; hours <= 24; hours += 2) {
    const at = new Date(Date.parse('2026-01-09T00:00:00Z') + hours * 3_600_000).toISOString()
    stage.clock.set(Date.parse(at) + 60_000)
    stage.collector.receiveReport(identity({ heardAt: at }), 'aisstream')
    stage.collector.receiveReport(position(at, pointAlong(way.line, 200 + hours * 17), { speedKnots: 17 }), 'aisstream')
    await stage.collector.flush()
  }
  const { eta } = await stage.row<{ eta: OwnEta | null }>(
    `select own_eta as eta from shipments where account_id = $1 and bill_of_lading_number = $2`,
    [stage.account.account.id, bill],
  )
  return eta
}

test('counts a port call that another container of the account states as a stop on the way', async (t) => {
  const stage = await openPositionStage(t, { startAt: '2026-01-09T00:00:00Z' })
  const eta = await underWay(stage, stage.account)
  assert.deepEqual(eta?.madeOf?.calls, [{ unlocode: 'JPYOK', stayHours: 17, isStayTold: false }])
  assert.equal(eta?.madeOf?.line?.eta, '2026-01-22T14:00:00.000Z')
  const hours = (Date.parse(eta.madeOf.vesselEta) - Date.parse(eta.fixAt)) / 3_600_000
  assert.ok(Math.abs(hours - (eta.remainingNm / eta.speedKnots + 17)) < 2, `${hours} h`)
})

test('an estimate for one account uses nothing that a line stated to another account about the ship', async (t) => {
  const stage = await openPositionStage(t, { startAt: '2026-01-09T00:00:00Z' })
  const stranger = await stage.newAccount()
  const eta = await underWay(stage, stranger)
  assert.deepEqual(eta?.madeOf?.calls, [])
  const theirs = await stage.row<{ eta: OwnEta | null }>('select own_eta as eta from shipments where account_id = $1', [
    stranger.account.id,
  ])
  assert.equal(theirs.eta?.madeOf?.line?.eta, '2026-01-11T21:00:00.000Z')
})

test('measures the remaining distance over each port of call, and gives none if a port has no coordinates', () => {
  const ship = pointOf('CNSHG')
  const [direct, called] = [
    distanceToPort({ ship, from: 'CNSHG', via: [], to: 'USLAX' }),
    distanceToPort({ ship, from: 'CNSHG', via: ['JPYOK'], to: 'USLAX' }),
  ]
  const [there, on] = [
    distanceToPort({ ship, from: 'CNSHG', via: [], to: 'JPYOK' }),
    distanceToPort({ ship: pointOf('JPYOK'), from: 'JPYOK', via: [], to: 'USLAX' }),
  ]
  assert.ok(called !== null && direct !== null && called > direct)
  assert.ok(Math.abs(called - (there ?? 0) - (on ?? 0)) < 1)
  assert.equal(distanceToPort({ ship, from: 'CNSHG', via: ['XXXXX'], to: 'USLAX' }), null)
})

test('routes a ship in the Indian Ocean round the Cape if its dates or positions indicate this', () => {
  const off = { latitude: 2, longitude: 88 }
  const passage = { ship: off, from: 'CNSHG', via: [], to: 'NLRTM' }
  const remaining = (evidence: WayEvidence, ship = off) => distanceToPort({ ...passage, ship, evidence }) ?? 0
  const bySuez = remaining({ positions: [], hours: 31 * 24 })
  const byDates = remaining({ positions: [], hours: 46 * 24 })
  assert.ok(bySuez > 7_000 && bySuez < 8_500, `${bySuez} nm`)
  assert.ok(byDates > 10_500 && byDates < 12_000, `${byDates} nm`)
  // Later its position is enough: the way back to Suez would be longer than the way round the Cape.
  const byPosition = remaining({ positions: [off], hours: null }, { latitude: -30, longitude: 40 })
  assert.ok(byPosition > 7_000 && byPosition < 8_500, `${byPosition} nm`)
})
