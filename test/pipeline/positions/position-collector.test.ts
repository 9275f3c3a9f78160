// How positions are stored: not all of them, with ships that became known by radio, real and simulated ones separate,
// deleted by month.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storeFixes } from '../../../src/pipeline/positions/fixes-sql.ts'
import { prunePositions } from '../../../src/pipeline/positions/follow-positions.ts'
import { pendingMax } from '../../../src/pipeline/positions/position-collector.ts'
import { atSea, bill, identity, imo, mmsi, openPositionStage, position } from './positions-harness.ts'

const minute = (n: number): string => `2026-01-20T00:${String(n).padStart(2, '0')}:00.000Z`
const fix = (at: string, ship = imo) => ({
  imo: ship,
  heardAt: at,
  ...atSea,
  speedKnots: 18,
  courseDegrees: 90,
  source: 'nmea',
})

test('stores no two positions of one ship that are closer together than the set minutes', async (t) => {
  const stage = await openPositionStage(t)
  await stage.track(bill)
  await stage.drain()
  stage.collector.receiveReport(identity(), 'nmea')
  await stage.collector.flush()
  for (let n = 0; n < 40; n += 1) {
    stage.collector.receiveReport(position(minute(n), atSea, { speedKnots: 18 }), 'nmea')
    await stage.collector.flush()
  }
  assert.deepEqual(
    (await stage.positions()).map(({ at }) => at),
    [minute(0), minute(10), minute(20), minute(30)],
  )
  assert.equal(stage.counts.stored, 4)
})

test('two processes that receive the same ship at the same moment store one position together', async (t) => {
  const stage = await openPositionStage(t)
  const store = (n: number) =>
    storeFixes(stage.service.pool, {
      isSandbox: false,
      minutes: 10,
      fixes: [fix(minute(n)), fix(minute(n), '9074729')],
    })
  const stored = await Promise.all([0, 3, 5, 7, 9].map(store))
  assert.equal(stored.flat().length, 2, 'one of each ship')
  assert.equal((await stage.positions()).length, 2)
})

test('ignores a position that is late or repeated', async (t) => {
  const stage = await openPositionStage(t)
  const store = (n: number) =>
    storeFixes(stage.service.pool, { isSandbox: false, minutes: 10, fixes: [fix(minute(n))] })
  await store(30)
  assert.deepEqual([await store(30), await store(10)], [[], []])
  const { at } = await stage.row<{ at: string }>('select heard_at as at from vessel_last_positions')
  assert.equal(at, minute(30))
})

test('stores a position only after its AIS radio has reported which ship carries it', async (t) => {
  const stage = await openPositionStage(t)
  await stage.track(bill)
  await stage.drain()
  await stage.collector.flush()
  stage.collector.receiveReport(position(minute(1), atSea), 'aisstream')
  assert.equal(await stage.collector.flush(), 0)
  stage.collector.receiveReport(identity(), 'aisstream')
  assert.equal(await stage.collector.flush(), 1)
})

test('limits the positions that wait for the identity of their radio, and drops the oldest first', async (t) => {
  const stage = await openPositionStage(t, { env: { LANDFALL_AIS_VESSELS: 'all' } })
  stage.collector.receiveReport(position(minute(0), atSea), 'nmea')
  for (let n = 0; n < pendingMax; n += 1) {
    stage.collector.receiveReport(position(minute(0), atSea, { mmsi: String(300_000_000 + n) }), 'nmea')
  }
  stage.collector.receiveReport(identity(), 'nmea')
  stage.collector.receiveReport(identity({ mmsi: '300000000', imo: '9074729' as never }), 'nmea')
  assert.equal(await stage.collector.flush(), 1)
  assert.deepEqual(
    (await stage.positions()).map((row) => row.imo),
    ['9074729'],
  )
})

test('assigns an AIS radio to the ship that it reported last, and ignores older reports about it', async (t) => {
  const stage = await openPositionStage(t, { env: { LANDFALL_AIS_VESSELS: 'all' } })
  stage.collector.receiveReport(identity(), 'nmea')
  stage.collector.receiveReport(identity({ imo: '9074729' as never, heardAt: minute(5) }), 'nmea')
  stage.collector.receiveReport(identity({ heardAt: minute(4) }), 'nmea')
  stage.collector.receiveReport(position(minute(6), atSea), 'nmea')
  await stage.collector.flush()
  assert.deepEqual(
    (await stage.positions()).map((row) => row.imo),
    ['9074729'],
  )
  assert.deepEqual(await stage.rows('select mmsi, imo, heard_at as at from vessel_radios'), [
    { mmsi, imo: '9074729', at: minute(5) },
  ])
})

test('a restarted process still knows which AIS radio belongs to which ship', async (t) => {
  const stage = await openPositionStage(t)
  await stage.track(bill)
  await stage.drain()
  stage.collector.receiveReport(identity(), 'nmea')
  await stage.collector.flush()
  const restarted = stage.newCollector()
  await restarted.flush()
  restarted.receiveReport(position(minute(1), atSea), 'nmea')
  assert.equal(await restarted.flush(), 1)
})

test('stores only ships with tracked containers on board, unless all ships are configured', async (t) => {
  const stage = await openPositionStage(t)
  stage.collector.receiveReport(identity(), 'nmea')
  stage.collector.receiveReport(position(minute(1), atSea), 'nmea')
  assert.equal(await stage.collector.flush(), 0, 'nobody tracks anything')
  await stage.track(bill)
  await stage.drain()
  stage.clock.advance(60_000)
  await stage.collector.flush()
  stage.collector.receiveReport(position(minute(2), atSea), 'nmea')
  assert.equal(await stage.collector.flush(), 1)
})

test('stores sandbox ships for sandbox accounts only, and real ships for real accounts only', async (t) => {
  const stage = await openPositionStage(t)
  await stage.track(bill)
  await stage.drain()
  const sandboxCollector = stage.newCollector(true)
  await sandboxCollector.flush()
  sandboxCollector.receiveReport(identity(), 'aisstream')
  sandboxCollector.receiveReport(position(minute(1), atSea), 'aisstream')
  assert.equal(await sandboxCollector.flush(), 0)
})

test('stores positions in the partition of their month, also those from before it was created', async (t) => {
  const stage = await openPositionStage(t, { env: { LANDFALL_AIS_VESSELS: 'all' } })
  await storeFixes(stage.service.pool, {
    isSandbox: false,
    minutes: 10,
    fixes: [fix('2026-01-20T00:00:00Z')],
  })
  const partitions = () =>
    stage.rows<{ name: string }>(`select tableoid::regclass::text as name from vessel_positions order by heard_at`)
  assert.deepEqual(await partitions(), [{ name: 'vessel_positions_default' }])
  const [one, other] = [stage.newCollector(), stage.newCollector()]
  for (const collector of [one, other]) {
    collector.receiveReport(identity(), 'nmea')
    collector.receiveReport(position('2026-01-21T00:00:00Z', atSea), 'nmea')
  }
  await Promise.all([one.flush(), other.flush()])
  one.receiveReport(position('2026-02-01T00:00:00Z', atSea), 'nmea')
  await one.flush()
  assert.deepEqual(await partitions(), [
    { name: 'vessel_positions_202601' },
    { name: 'vessel_positions_202601' },
    { name: 'vessel_positions_202602' },
  ])
})

test('drops a month as a whole when its last day is older than the retention time', async (t) => {
  const stage = await openPositionStage(t, { env: { LANDFALL_AIS_VESSELS: 'all' } })
  stage.collector.receiveReport(identity(), 'nmea')
  for (const at of ['2026-01-31T23:00:00Z', '2026-02-01T01:00:00Z']) {
    stage.collector.receiveReport(position(at, atSea), 'nmea')
    await stage.collector.flush()
  }
  stage.clock.set(Date.parse('2026-05-01T12:00:00Z'))
  assert.equal(await prunePositions(stage.service), 0, 'its last day is 89 days old')
  stage.clock.set(Date.parse('2026-05-02T12:00:00Z'))
  assert.equal(await prunePositions(stage.service), 1)
  assert.deepEqual(
    (await stage.positions()).map(({ at }) => at),
    ['2026-02-01T01:00:00.000Z'],
  )
  assert.equal(await prunePositions(stage.service), 0)
})
