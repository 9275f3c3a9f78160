/** Custom fields in a tracking request: checked at once, and set when the shipment and its containers exist. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { journey, seededAt, seedShipment } from '../../support/seed.ts'

let api: TestApi
let carrier: Carrier
before(async () => {
  api = await openTestApi({ startAt: seededAt })
  carrier = await openCarrier()
  for (const [entity_type, api_slug, data_type] of [
    ['Shipment', 'buyer', 'short_text'],
    ['Container', 'lot', 'number'],
  ])
    await api.call({
      method: 'POST',
      url: '/v2/custom_field_definitions',
      body: {
        data: {
          type: 'custom_field_definition',
          attributes: { entity_type, api_slug, data_type, display_name: api_slug },
        },
      },
    })
})
after(async () => {
  await carrier.close()
  await api.close()
})

const initial = (shipment: readonly object[], containers: readonly object[] = []) => ({
  initial_custom_fields: { shipment, containers },
})
const valuesOf = async (folder: string, id: string | undefined): Promise<readonly unknown[]> =>
  (await api.call({ url: `/v2/${folder}/${id}/custom_fields` })).many().map(({ attributes }) => attributes['value'])

describe('initial custom fields', () => {
  test('are set once on the named shipment and containers, in the transaction that creates them', async () => {
    const seeded = await seedShipment(api, {
      carrier,
      bill: 'CNSH88880001',
      attributes: initial(
        [{ api_slug: 'buyer', value: 'Jo' }],
        [
          { number: 'mscu 400000-5', api_slug: 'lot', value: 5 },
          { number: 'MSCU4000026', api_slug: 'lot', value: 9 },
        ],
      ),
    })
    assert.deepEqual(await valuesOf('shipments', seeded.shipmentId), ['Jo'])
    assert.deepEqual(await valuesOf('containers', seeded.containerIds[0]), [5])
    assert.deepEqual(await valuesOf('containers', seeded.containerIds[1]), [])
    const { rows } = await api.service.pool.query('select number from initial_custom_fields')
    assert.deepEqual(rows, [{ number: 'MSCU4000026' }], 'one waits for a container that has not appeared')

    const url = `/v2/shipments/${seeded.shipmentId}/custom_fields/buyer`
    assert.equal((await api.call({ method: 'DELETE', url })).status, 204)
    await api.pass(30)
    assert.deepEqual(await valuesOf('shipments', seeded.shipmentId), [], 'what was taken away does not come back')
  })

  test('survive a worker that dies before its transaction ends', async () => {
    const { pool } = api.service
    const seeded = await seedShipment(api, {
      carrier,
      bill: 'CNSH88880002',
      attributes: initial([{ api_slug: 'buyer', value: 'Ann' }]),
      meanwhile: async () => {
        // The database ends its first attempt exactly where the value is set.
        await pool.query(`create function die() returns trigger language plpgsql as $$
          begin raise exception 'cut off'; end $$`)
        await pool.query('create trigger dies before insert on custom_fields for each row execute function die()')
        await api.drain()
        const { rows } = await pool.query('select count(*) as n from shipments where normalized_number = $1', [
          'CNSH88880002',
        ])
        assert.deepEqual(rows, [{ n: 0 }], 'neither the value nor the shipment is there')
        await pool.query('drop trigger dies on custom_fields')
        await pool.query('drop function die')
        api.clock.advance(600_000)
      },
    })
    assert.deepEqual(await valuesOf('shipments', seeded.shipmentId), ['Ann'])
  })

  test('without a number apply once to every container, also those that appear later', async () => {
    const seeded = await seedShipment(api, {
      carrier,
      bill: 'CNSH88880004',
      attributes: initial(
        [],
        [
          { api_slug: 'lot', value: 7 },
          { number: 'MSCU4000010', api_slug: 'lot', value: 8 },
        ],
      ),
    })
    const [first, second] = seeded.containerIds
    assert.deepEqual(await valuesOf('containers', first), [7])
    assert.deepEqual(await valuesOf('containers', second), [8], 'what names it goes first')

    const url = `/v2/containers/${first}/custom_fields/lot`
    assert.equal((await api.call({ method: 'DELETE', url })).status, 204)
    carrier.answers({ json: journey([...seeded.numbers, 'MSCU4000026'], 'second') }, seeded.bill)
    await api.pass(26)
    const { rows } = await api.service.pool.query<{ id: string }>(
      `select id from containers where shipment_id = $1 and number = 'MSCU4000026'`,
      [seeded.shipmentId],
    )
    assert.equal(rows.length, 1)
    assert.deepEqual(await valuesOf('containers', rows[0]?.id), [7], 'it appeared later')
    assert.deepEqual(await valuesOf('containers', first), [], 'what was taken away does not come back')
    assert.deepEqual(await valuesOf('containers', second), [8])
  })

  test('treat an empty number, blanks and null as no number', async () => {
    for (const [place, number] of ['', '  ', null].entries()) {
      const seeded = await seedShipment(api, {
        carrier,
        bill: `CNSH8888001${place}`,
        attributes: initial([], [{ number, api_slug: 'lot', value: place }]),
      })
      for (const id of seeded.containerIds) assert.deepEqual(await valuesOf('containers', id), [place])
    }
  })

  test('do not overwrite a value that somebody set meanwhile', async () => {
    const seeded = await seedShipment(api, {
      carrier,
      bill: 'CNSH88880003',
      attributes: initial([], [{ number: 'MSCU4000010', api_slug: 'lot', value: 1 }]),
    })
    const id = seeded.containerIds[1]
    await api.call({
      method: 'PATCH',
      url: `/v2/containers/${id}/custom_fields/lot`,
      body: { data: { attributes: { value: 2 } } },
    })
    await api.pass(30)
    assert.deepEqual(await valuesOf('containers', id), [2])
  })

  test('do not change when shipments are rebuilt from the ledger', async () => {
    const count = async () => (await api.service.pool.query('select count(*) as n from custom_fields')).rows[0]?.n
    const before = await count()
    const report = await rebuildProjections(api.service, foldBy(readRules(api.service.config)), {
      repair: true,
      differencesMax: 20,
      progress: () => {},
    })
    assert.deepEqual(report.differences, [])
    assert.equal(await count(), before)
  })

  const wrong: readonly (readonly [what: string, object, pointer: string])[] = [
    ['an unknown field', initial([{ api_slug: 'nobody', value: 1 }]), 'shipment/0/api_slug'],
    ['a field of another entity', initial([{ api_slug: 'lot', value: 1 }]), 'shipment/0/api_slug'],
    ['a value of another type', initial([{ api_slug: 'buyer', value: 5 }]), 'shipment/0/value'],
    ['an invalid number', initial([], [{ number: 'MSCU4000001', api_slug: 'lot', value: 1 }]), 'containers/0/number'],
    [
      'a number with full-width digits',
      initial([], [{ number: 'MSCU４０００００５', api_slug: 'lot', value: 1 }]),
      'containers/0/number',
    ],
    [
      'a value given twice',
      initial(
        [],
        [
          { number: 'MSCU4000005', api_slug: 'lot', value: 1 },
          { number: 'mscu4000005', api_slug: 'lot', value: 2 },
        ],
      ),
      'containers/1/api_slug',
    ],
    [
      'a value given twice to every container',
      initial(
        [],
        [
          { api_slug: 'lot', value: 1 },
          { number: '', api_slug: 'lot', value: 2 },
        ],
      ),
      'containers/1/api_slug',
    ],
    ['a missing slug', initial([{ value: 1 }]), 'shipment/0/api_slug'],
    ['another entity', { initial_custom_fields: { vessels: [] } }, 'vessels'],
  ]
  for (const [what, attributes, pointer] of wrong) {
    test(`are refused for ${what}, naming the field, and nothing is written`, async () => {
      const { pool } = api.service
      const counted = async () => (await pool.query('select count(*) as n from ledger')).rows[0]?.n
      const before = await counted()
      const answer = await api.call({
        method: 'POST',
        url: '/v2/tracking_requests',
        body: {
          data: {
            type: 'tracking_request',
            attributes: {
              request_type: 'bill_of_lading',
              request_number: 'CNSH88889999',
              scac: 'ONEY',
              ...attributes,
            },
          },
        },
      })
      assert.equal(answer.status, 422, answer.text)
      assert.equal(answer.error().source?.pointer, `/data/attributes/initial_custom_fields/${pointer}`)
      assert.equal(await counted(), before)
    })
  }
})
