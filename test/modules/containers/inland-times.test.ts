// The database filters by the same moves inland as the API shows.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type { ContainerReading } from '../../../src/modules/containers/list-containers-sql.ts'
import { inlandMomentsOf } from '../../../src/modules/containers/moments.ts'
import { rampAreas } from '../../../src/reference/ramps.ts'
import { openTestDatabase, type TestDatabase } from '../../support/database.ts'

let database: TestDatabase
before(async () => {
  database = await openTestDatabase()
})
after(() => database.close())

const moves = [
  'vessel_discharged',
  'transshipment_loaded',
  'rail_loaded',
  'rail_departed',
  'rail_arrived',
  'rail_unloaded',
  'full_out',
  'arrived_at_inland_destination',
]
// Elwood is in the area of Chicago; a place may have no code.
const towns = ['USLAX', 'USCHI', 'USEWD', 'USDAL', null] as const
const place = fc
  .option(fc.constantFrom(...towns), { nil: undefined })
  .map((unlocode) =>
    unlocode === undefined ? null : { unlocode, name: 'Depot  nine', facilityCode: null, timeZone: null },
  )
const move = fc.record({
  name: fc.constantFrom(...moves),
  town: fc.constantFrom(...towns),
  source: fc.constantFrom('rail', 'carrier', 'terminal'),
})

test('the database finds the same moves inland as the API, for any order of moves', async () => {
  const journeys = fc.sample(fc.record({ port: place, end: place, moves: fc.array(move, { maxLength: 7 }) }), {
    numRuns: 2_000,
    seed: 1,
  })
  const projections = journeys.map(({ port, end, moves }) => ({
    portOfDischarge: { place: port },
    destination: end === null ? null : { place: end },
    milestones: moves.map(({ name, town, source }, index) => ({
      kind: 'actual',
      name,
      source,
      callKey: `${town ?? '~DEPOT NINE'}#1`,
      time: { kind: 'instant', at: new Date(index * 1_000).toISOString() },
      place: { timeZone: null },
    })),
  }))
  const { rows } = await database.pool.query<{ found: readonly (number | null)[] }>(
    `select array(select extract(epoch from inland_time(p, move, $2)) from unnest(array['loaded', 'departed', 'unloaded', 'outOfEnd']) with ordinality as m(move, n) order by n)::integer[] as found
       from jsonb_array_elements($1::jsonb) with ordinality as e(p, n) order by n`,
    [JSON.stringify(projections), JSON.stringify(rampAreas())],
  )
  const found = new Set<string>()
  for (const [index, projection] of projections.entries()) {
    const happened = projection.milestones.map((each) => ({ ...each, timeZone: null }))
    const reading = { projection, happened } as unknown as ContainerReading
    const { loaded, departed, unloaded, outOfEnd } = inlandMomentsOf(reading)
    const expected = [loaded, departed, unloaded, outOfEnd].map((each) =>
      each === undefined ? null : Date.parse(each.at) / 1_000,
    )
    assert.deepEqual(rows[index]?.found, expected, JSON.stringify(projection))
    found.add(expected.map((each) => each !== null).join())
  }
  assert.ok(found.size > 5, 'the journeys have moves of every kind')
})
