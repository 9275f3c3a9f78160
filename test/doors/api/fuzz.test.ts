// A short fuzz run (`npm run fuzz` is the long one), and the faults that it must find.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldDataTypes, rulesOfDataType } from '../../../src/core/values/custom-field.ts'
import { fuzzRedirects } from '../../../tools/fuzz/redirects.ts'
import { fuzz } from '../../../tools/fuzz/run.ts'
import { validations } from '../../../tools/fuzz/validations.ts'
import { openTestApi } from '../../support/api.ts'
import { readDescription } from '../../support/description.ts'
import { findUnobserved, readObserved } from '../../support/observed.ts'
import { type PlantName, plants } from '../../support/plants.ts'
import { openWorld } from '../../support/world.ts'

test('a few hundred invented requests find nothing, whatever operation they are for', async () => {
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

test('a few hundred invented return addresses lead nowhere but to pages of ours', async () => {
  const api = await openTestApi()
  try {
    const { requests, faults } = await fuzzRedirects(api, { seed: 20_261_122, requestsMax: 300 })
    assert.deepEqual(faults, [])
    assert.equal(requests, 300)
  } finally {
    await api.close()
  }
})

test('there is a body for every rule of every data type of a custom field', () => {
  for (const dataType of fieldDataTypes) {
    const named = validations.filter((each) => each.dataType === dataType)
    const rules = new Set(named.flatMap(({ validation }) => Object.keys(validation)))
    assert.deepEqual(
      [...rules].map((rule) => rule.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())),
      rulesOfDataType[dataType],
    )
  }
})

describe('the fuzz run finds', () => {
  const find = async (
    plant: PlantName,
    operation: string,
    { seed = 1, requestsMax = 150 } = {},
  ): Promise<string> => {
    const env = plant === 'slow' ? { LANDFALL_REQUEST_STATEMENT_MS: '1000' } : {}
    const world = await openWorld({ plant: plants[plant], env })
    try {
      const report = await fuzz(world, { seed, seconds: 240, requestsMax, operation })
      return report.faults.map(({ what }) => what).join('\n')
    } finally {
      await world.close()
    }
  }

  test('a value at which an operation breaks', async () =>
    assert.match(await find('500', 'search'), /search: 500/))

  test('a pattern that is slow, where one is judged as it is no more', async () =>
    assert.match(await find('slow', 'createCustomFieldDefinition'), /createCustomFieldDefinition: 503/))

  test('a status that is not documented', async () =>
    assert.match(await find('status', 'getParty'), /→ 410 is not documented/))

  test('a route that shows what is another account’s', async () =>
    assert.match(
      await find('leak', 'getPlantedLeak', { seed: 7, requestsMax: 600 }),
      /of another account|another account/,
    ))

  test('a return address that leads elsewhere', async () => {
    const api = await openTestApi({ plant: plants.redirect })
    try {
      const { faults } = await fuzzRedirects(api, { seed: 1, requestsMax: 600 })
      assert.match(faults.join('\n'), /GET \/sign-in signed in with next=.* leads to "\/\//)
    } finally {
      await api.close()
    }
  })

  test('a documented status that no test has seen', () => {
    const responses = { 200: {}, 418: {} }
    const operation = { id: 'getTeapot', responses }
    assert.deepEqual(findUnobserved([operation], {}), ['getTeapot 200', 'getTeapot 418'])
    const seen = {
      getTeapot: { 200: 'test/doors/api/fuzz.test.ts: a test', 418: 'test/gone.test.ts: another' },
    }
    assert.deepEqual(findUnobserved([operation], seen), ['getTeapot 418'])
    assert.ok(Object.keys(readObserved()).length > 50)
    assert.equal(readDescription({ paths: {} }).operations.length, 0)
  })
})
