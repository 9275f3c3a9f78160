// What it means for shipments when their ship does not move in its port.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stopTracking } from '../../../src/modules/shipments/stop-tracking.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { event, journey } from '../../support/tracking-harness.ts'
import {
  atSea,
  bill,
  identity,
  losAngeles,
  openPositionStage,
  outside,
  type PositionStage,
  position,
  sailing,
} from './positions-harness.ts'

const arrived = 'container.transport.vessel_arrived'

async function underWay(t: Parameters<typeof openPositionStage>[0]): Promise<PositionStage> {
  const stage = await openPositionStage(t)
  await stage.track(bill)
  await stage.drain()
  stage.collector.receiveReport(identity(), 'aisstream')
  await stage.collector.flush()
  return stage
}

async function hear(stage: PositionStage, at: string, where: typeof losAngeles, speedKnots = 0.2): Promise<void> {
  stage.clock.set(Math.max(stage.clock.now(), Date.parse(at) + 60_000))
  stage.collector.receiveReport(position(at, where, { speedKnots }), 'aisstream')
  await stage.collector.flush()
  await stage.drain()
}

const arrivals = (stage: PositionStage) =>
  stage.rows<{ occurs_at: string; data_source: string; invalidated: boolean; account_id: string }>(
    `select occurs_at, data_source, invalidated_at is not null as invalidated, account_id
       from transport_events where event = $1 order by created_at, account_id`,
    [arrived],
  )

test('reports an arrival by AIS once when a ship lies still in the port of discharge', async (t) => {
  const stage = await underWay(t)
  await hear(stage, '2026-01-21T20:00:00Z', losAngeles)
  await hear(stage, '2026-01-21T21:00:00Z', losAngeles)
  await hear(stage, '2026-01-21T22:00:00Z', losAngeles)
  const rows = await arrivals(stage)
  assert.equal(rows.length, 1)
  assert.equal(rows[0]?.occurs_at, '2026-01-21T20:00:00.000Z')
  assert.equal(rows[0]?.data_source, 'ais')
  assert.deepEqual(
    (await stage.heard()).filter((name) => name === arrived),
    [arrived],
  )
  assert.equal((await stage.rows(`select 1 from ledger where kind = 'heard' and payload ->> 'via' = 'feed'`)).length, 1)
})

test('reports no arrival for a ship that passes the port, waits outside it or lies still at sea', async (t) => {
  const stage = await underWay(t)
  await hear(stage, '2026-01-21T10:00:00Z', atSea, 0.3)
  await hear(stage, '2026-01-21T20:00:00Z', outside, 0.3)
  await hear(stage, '2026-01-21T21:00:00Z', losAngeles, 6)
  assert.deepEqual(await arrivals(stage), [])
})

test('ignores what the ship did before it loaded the container', async (t) => {
  const stage = await underWay(t)
  await hear(stage, '2026-01-06T12:00:00Z', losAngeles)
  assert.deepEqual(await arrivals(stage), [])
})

test('prefers the arrival of the line to that of AIS, and sends subscribers the correction', async (t) => {
  const stage = await underWay(t)
  await hear(stage, '2026-01-21T20:00:00Z', losAngeles)
  stage.clock.set(Date.parse('2026-01-22T15:00:00Z'))
  stage.carrier.answers({ json: journey(bill, 'arrived') })
  await stage.nextLook()
  assert.deepEqual(
    (await arrivals(stage)).map(({ occurs_at, data_source, invalidated }) => [occurs_at, data_source, invalidated]),
    [
      ['2026-01-21T20:00:00.000Z', 'ais', true],
      ['2026-01-22T14:00:00.000Z', 'shipping_line', false],
    ],
  )
})

test('fills in the arrival from AIS if the line reports only the discharge', async (t) => {
  const stage = await underWay(t)
  await hear(stage, '2026-01-21T20:00:00Z', losAngeles)
  const withoutArrival = [
    ...sailing(),
    event({ told: 900, code: 'DISC', at: '2026-01-23T11:00:00-08:00', place: 'USLAX', bill }),
  ]
  stage.clock.set(Date.parse('2026-01-24T00:00:00Z'))
  stage.carrier.answers({ json: withoutArrival })
  await stage.nextLook()
  const { projection } = await stage.row<{ projection: { portOfDischarge: { ata: unknown } } }>(
    'select projection from containers',
  )
  assert.deepEqual(projection.portOfDischarge.ata, { kind: 'instant', at: '2026-01-21T20:00:00.000Z' })
  assert.deepEqual(
    (await stage.heard()).filter((name) => /transport\.vessel_(arrived|discharged)|transshipment/.test(name)),
    [arrived, 'container.transport.vessel_discharged'],
  )
})

test('does not announce an arrival again that the line reported before AIS', async (t) => {
  const stage = await underWay(t)
  stage.clock.set(Date.parse('2026-01-22T15:00:00Z'))
  stage.carrier.answers({ json: journey(bill, 'arrived') })
  await stage.nextLook()
  await hear(stage, '2026-01-23T20:00:00Z', losAngeles)
  assert.equal((await stage.rows(`select 1 from ledger where kind = 'heard' and payload ->> 'via' = 'feed'`)).length, 0)
})

test('reports an arrival by AIS in every account that tracks the container, and in no other account', async (t) => {
  const stage = await underWay(t)
  const [second, stopped] = [await stage.newAccount(), await stage.newAccount()]
  await stage.newAccount()
  for (const as of [second, stopped]) await stage.track(bill, { as })
  await stage.drain()
  const [{ id } = { id: '' }] = await stage.rows<{ id: string }>('select id from shipments where account_id = $1', [
    stopped.account.id,
  ])
  await stopTracking(stage.service, stopped, { id })
  await hear(stage, '2026-01-21T20:00:00Z', losAngeles)
  assert.deepEqual(
    (await arrivals(stage)).map((row) => row.account_id).toSorted(),
    [stage.account.account.id, second.account.id].toSorted(),
  )
})

test('two processes that detect an arrival at the same moment record it once', async (t) => {
  const stage = await underWay(t)
  const desks = [stage.newCollector(), stage.newCollector()]
  await Promise.all(desks.map((collector) => collector.flush()))
  stage.clock.set(Date.parse('2026-01-22T00:00:00Z'))
  for (const [n, collector] of desks.entries()) {
    collector.receiveReport(position(`2026-01-21T2${n}:00:00Z`, losAngeles), 'aisstream')
  }
  await Promise.all(desks.map((collector) => collector.flush()))
  assert.equal((await arrivals(stage)).length, 1)
})

test('a rebuild gives the same rows, with arrivals by AIS and our own estimates', async (t) => {
  const stage = await underWay(t)
  await hear(stage, '2026-01-20T08:00:00Z', atSea, 18)
  await hear(stage, '2026-01-21T20:00:00Z', losAngeles)
  const report = await rebuildProjections(stage.service, foldBy(readRules(stage.service.config)), {
    repair: false,
    differencesMax: 10,
    progress: () => {},
  })
  assert.deepEqual(report.differences, [])
  assert.ok(report.rows > 0)
})
