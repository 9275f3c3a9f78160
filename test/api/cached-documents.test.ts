// A process caches a container with its shipment as it was sent. Only the speed may differ: after any change,
// the next answer is the same as without the cache.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { foldBy } from '../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../src/pipeline/ledger/rules.ts'
import { openTestApi, type TestApi, type WireResource } from '../support/api.ts'
import { journey, type Seeded, seededAt, seedShipment } from '../support/seed.ts'

let api: TestApi
let seeded: Seeded

before(async () => {
  api = await openTestApi({ startAt: seededAt })
  seeded = await seedShipment(api)
})
after(async () => {
  await seeded.carrier.close()
  await api.close()
})

const get = (url: string) => api.call({ url })
const urlOf = (box: number) => `/v2/containers/${seeded.containerIds[box]}?include=shipment`

/** The names of the statements that these requests need, without those of their rate limits. */
async function statementsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const statements: string[] = []
  const { query } = api.service.pool
  api.service.pool.query = ((...given: unknown[]) => {
    statements.push((given[0] as { name?: string }).name ?? 'for this very question')
    return (query as (...args: unknown[]) => unknown).apply(api.service.pool, given)
  }) as typeof query
  try {
    await work()
  } finally {
    api.service.pool.query = query
  }
  return statements.filter((name) => !name.startsWith('rate_limits'))
}

/** Compares container and shipment of an answer with the answers to the same requests without a cache. */
async function askedBoth(box: number): Promise<string> {
  const { body, text } = await get(urlOf(box))
  const alone = await get(`/v2/containers/${seeded.containerIds[box]}`)
  const shipment = await get(`/v2/shipments/${seeded.shipmentId}?include=`)
  assert.deepEqual(body.data, alone.body.data)
  const included = body.included?.find(({ type }) => type === 'shipment')
  assert.deepEqual(included, shipment.body.data)
  return text
}

describe('a cached answer', () => {
  test('is sent again byte for byte with one SQL statement', async () => {
    const first = await get(urlOf(0))
    const statements = await statementsOf(async () => {
      const again = await get(urlOf(0))
      assert.equal(again.text, first.text)
      assert.equal(again.headers['etag'], first.headers['etag'])
    })
    assert.deepEqual(statements, ['read_container_with_shipment_versions'])
  })

  test('is shared by concurrent requests, so that 40 of them cost fewer than 10 statements', async () => {
    const alone = [await get(urlOf(0)), await get(urlOf(1))]
    const statements = await statementsOf(async () => {
      const answers = await Promise.all(Array.from({ length: 40 }, (_, place) => get(urlOf(place % 2))))
      for (const [place, { text }] of answers.entries()) assert.equal(text, alone[place % 2]?.text)
    })
    assert.ok(statements.length < 10, `${statements.length} statements`)
  })

  test('is not reused for other fields or another media type', async () => {
    const whole = await get(urlOf(0))
    const few = await get(`${urlOf(0)}&fields[container]=number`)
    assert.notEqual(few.text, whole.text)
    assert.deepEqual(Object.keys(few.one().attributes), ['number'])
    const json = await api.call({ url: urlOf(0), headers: { accept: 'application/json' } })
    assert.equal(json.text, whole.text)
    assert.notEqual(json.headers['etag'], whole.headers['etag'])
    assert.equal((await get(urlOf(0))).text, whole.text)
  })
})

describe('an outdated cached answer is replaced by one that shows', () => {
  test('each change by a user and each later poll', async () => {
    const told = new Set([await askedBoth(0)])
    const changed = async (change: () => Promise<unknown>): Promise<void> => {
      await change()
      const text = await askedBoth(0)
      assert.ok(!told.has(text), 'the answer is as it was')
      told.add(text)
    }
    const [containerId] = seeded.containerIds
    await changed(() =>
      api.call({
        method: 'PATCH',
        url: `/v2/containers/${containerId}`,
        body: { data: { attributes: { ref_numbers: ['A-1'] } } },
      }),
    )
    await changed(() =>
      api.call({
        method: 'PATCH',
        url: `/v2/shipments/${seeded.shipmentId}`,
        body: { data: { attributes: { tags: ['urgent'] } } },
      }),
    )
    await changed(() =>
      api.service.pool.query(`update subjects set last_attempted_at = last_attempted_at + interval '1 hour'`),
    )
    await changed(async () => {
      seeded.carrier.answers({ json: journey([...seeded.numbers, 'MSCU4000026'], 'second') }, seeded.bill)
      await api.pass(26)
    })
    const shipment = (await get(urlOf(0))).body.included?.find(({ type }) => type === 'shipment')
    const containers = shipment?.relationships?.['containers']?.data
    assert.ok(Array.isArray(containers) && containers.length === 3, 'the new box is linked')
  })

  test('a new included resource although the container did not change', async () => {
    const url = `${urlOf(0)},custom_fields`
    const fieldsOf = async () => (await get(url)).body.included?.filter(({ type }) => type === 'custom_field')
    assert.deepEqual(await fieldsOf(), [])
    const definition = {
      entity_type: 'Container',
      api_slug: 'cost_centre',
      display_name: 'Cost centre',
      data_type: 'short_text',
    }
    const made = await api.call({
      method: 'POST',
      url: '/v2/custom_field_definitions',
      body: { data: { type: 'custom_field_definition', attributes: definition } },
    })
    assert.equal(made.status, 201, made.text)
    const put = await api.call({
      method: 'POST',
      url: `/v2/containers/${seeded.containerIds[0]}/custom_fields`,
      body: { data: { type: 'custom_field', attributes: { api_slug: 'cost_centre', value: '42' } } },
    })
    assert.equal(put.status, 201, put.text)
    assert.equal((await fieldsOf())?.length, 1)
  })

  test('deleted transport events that a repair of the tables restored', async () => {
    const linked = async (): Promise<readonly unknown[]> => {
      const resource: WireResource = (await get(urlOf(1))).one()
      return resource.relationships?.['transport_events']?.data as readonly unknown[]
    }
    const before = await linked()
    await api.service.pool.query(`delete from transport_events where container_id = $1`, [seeded.containerIds[1]])
    // So that the next request reads from the database again.
    await api.service.pool.query('update containers set updated_at = updated_at')
    assert.deepEqual(await linked(), [])
    const fold = foldBy(readRules(api.service.config))
    const report = await rebuildProjections(api.service, fold, {
      repair: true,
      differencesMax: 20,
      progress: () => {},
    })
    assert.deepEqual(new Set(report.differences.map(({ table }) => table)), new Set(['transport_events']))
    assert.deepEqual(await linked(), before)
  })
})
