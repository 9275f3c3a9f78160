// A short fuzz run (`npm run qa -- fuzz` is the long one), and the faults that it must find.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fuzzRedirects } from '../../qa/fuzz/redirects.ts'
import { fuzz } from '../../qa/fuzz/run.ts'
import { validations } from '../../qa/fuzz/validations.ts'
import { fieldDataTypes, rulesOfDataType } from '../../src/domain/values/custom-field.ts'
import { openTestApi } from '../support/api.ts'
import { readDescription } from '../support/description.ts'
import { findUnobserved, readObserved } from '../support/observed.ts'
import { plants } from '../support/plants.ts'
import { inFull } from '../support/scale.ts'
import { openWorld, type World } from '../support/world.ts'

test('a few hundred generated requests to all operations find no fault', async () => {
  const world = await openWorld()
  try {
    const report = await fuzz(world, { seed: 20_261_121, seconds: 240, requestsMax: 600, operation: null })
    assert.deepEqual(report.faults, [])
    assert.equal(report.changed, null)
    assert.ok(report.requests >= 300 && (report.statuses['2xx'] ?? 0) > 30, JSON.stringify(report))
    assert.deepEqual(report.unobserved, [], 'run: npm test -- --record')
  } finally {
    await world.close()
  }
})

test('a few hundred generated return addresses redirect to no other site', async () => {
  const api = await openTestApi()
  try {
    const { requests, faults } = await fuzzRedirects(api, { seed: 20_261_122, requestsMax: 300 })
    assert.deepEqual(faults, [])
    assert.equal(requests, 300)
  } finally {
    await api.close()
  }
})

test('the fuzz run sends custom fields with each validation rule of each data type', () => {
  for (const dataType of fieldDataTypes) {
    const named = validations.filter((each) => each.dataType === dataType)
    const rules = new Set(named.flatMap(({ validation }) => Object.keys(validation)))
    assert.deepEqual(
      [...rules].map((rule) => rule.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())),
      rulesOfDataType[dataType],
    )
  }
})

describe('the fuzz run detects', () => {
  const faultsIn = async (world: World, operation: string, { seed = 1, requestsMax = 150 } = {}): Promise<string> => {
    const report = await fuzz(world, { seed, seconds: 240, requestsMax, operation })
    return report.faults.map(({ what }) => what).join('\n')
  }
  let faulty: World
  before(async () => {
    faulty = await openWorld({
      plant: (app, api) => {
        for (const name of ['500', 'status', 'leak'] as const) plants[name](app, api)
      },
    })
  })
  after(() => faulty.close())

  test('a value that makes an operation fail', async () =>
    assert.match(await faultsIn(faulty, 'search'), /search: 500/))

  test('a slow pattern of a custom field, when patterns are not checked', inFull, async (t) => {
    const world = await openWorld({ plant: plants.slow, env: { LANDFALL_REQUEST_STATEMENT_MS: '1000' } })
    t.after(() => world.close())
    assert.match(await faultsIn(world, 'createCustomFieldDefinition'), /createCustomFieldDefinition: 503/)
  })

  test('an undocumented status', async () =>
    assert.match(await faultsIn(faulty, 'getParty'), /→ 410 is not documented/))

  test('a route that leaks data of another account', async () =>
    assert.match(
      await faultsIn(faulty, 'getPlantedLeak', { seed: 7, requestsMax: 600 }),
      /of another account|another account/,
    ))

  test('a return address that leads to another site', async () => {
    const api = await openTestApi({ plant: plants.redirect })
    try {
      const { faults } = await fuzzRedirects(api, { seed: 1, requestsMax: 600 })
      assert.match(faults.join('\n'), /GET \/sign-in signed in with next=.* leads to "\/\//)
    } finally {
      await api.close()
    }
  })

  test('a documented status that no test has observed', () => {
    const responses = { 200: {}, 418: {} }
    const operation = { id: 'getTeapot', responses }
    assert.deepEqual(findUnobserved([operation], {}), ['getTeapot 200', 'getTeapot 418'])
    const seen = {
      getTeapot: { 200: 'test/api/fuzz.test.ts: a test', 418: 'test/gone.test.ts: another' },
    }
    assert.deepEqual(findUnobserved([operation], seen), ['getTeapot 418'])
    assert.ok(Object.keys(readObserved()).length > 50)
    assert.equal(readDescription({ paths: {} }).operations.length, 0)
  })
})
