/** Custom fields: definitions, options and values of all eight data types, on the routes of the contract. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Answer, openTestApi, type TestApi } from '../../support/api.ts'
import { type Seeded, seededAt, seedShipment } from '../../support/seed.ts'

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

const define = (attributes: object, key = api.key): Promise<Answer> =>
  api.call({
    method: 'POST',
    url: '/v2/custom_field_definitions',
    key,
    body: { data: { type: 'custom_field_definition', attributes } },
  })
const field = (attributes: object) => ({ data: { type: 'custom_field', attributes } })
const set = (apiSlug: string, value: unknown, folder = 'shipments', id = seeded.shipmentId) =>
  api.call({
    method: 'POST',
    url: `/v2/${folder}/${id}/custom_fields`,
    body: field({ api_slug: apiSlug, ...(value === undefined ? {} : { value }) }),
  })
const option = (definitionId: string, attributes: object) =>
  api.call({
    method: 'POST',
    url: `/v2/custom_field_definitions/${definitionId}/options`,
    body: { data: { type: 'custom_field_option', attributes } },
  })

describe('a definition', () => {
  test('is created, read, listed and changed, and keeps its type', async () => {
    const made = await define({
      entity_type: 'Shipment',
      api_slug: 'cost_centre',
      display_name: 'Cost centre',
      data_type: 'number',
      validation: { min: 1, max: 9_999, integer: true },
      default_format: '0000',
      default_value: 7,
    })
    assert.equal(made.status, 201)
    const { id, attributes } = made.one()
    assert.deepEqual(attributes['validation'], { min: 1, max: 9_999, integer: true })
    assert.equal(attributes['default_value'], 7)
    assert.equal(attributes['template_id'], null)
    const url = `/v2/custom_field_definitions/${id}`
    const patch = (changes: object) => api.call({ method: 'PATCH', url, body: { data: { id, attributes: changes } } })
    const changed = await patch({ ...attributesToSendBack(attributes), display_name: 'Cost center' })
    assert.equal(changed.one().attributes['display_name'], 'Cost center')
    for (const [name, other] of [
      ['api_slug', 'other'],
      ['entity_type', 'Container'],
      ['data_type', 'date'],
    ]) {
      const answer = await patch({ [name as string]: other })
      assert.equal(answer.status, 422)
      assert.equal(answer.error().source?.pointer, `/data/attributes/${name}`)
    }
    const tight = await patch({ validation: { min: 8 } })
    assert.equal(tight.error().source?.pointer, '/data/attributes/validation', 'the default breaks the rule')
    const listed = await api.call({
      url: '/v2/custom_field_definitions?filter[display_name]=cost&include=account',
    })
    assert.deepEqual(
      listed.many().map((each) => each.id),
      [id],
    )
    assert.equal(listed.body.included?.[0]?.type, 'account')
    assert.deepEqual((await api.call({ url: '/v2/custom_field_definitions?filter[data_type]=date' })).many(), [])
    assert.deepEqual((await api.call({ url: '/v2/custom_field_definitions?entity_type=Cargo' })).many(), [])
  })

  function attributesToSendBack({ api_slug, entity_type, data_type, display_name }: Record<string, unknown>) {
    return { api_slug, entity_type, data_type, display_name }
  }

  test('gets a slug from its display name if the request gives none', async () => {
    const made = await define({
      entity_type: 'Shipment',
      display_name: 'Größe & Farbe (neu)',
      data_type: 'short_text',
    })
    assert.equal(made.one().attributes['api_slug'], 'grosse_farbe_neu')
  })

  test('cannot take a slug that another definition of the same entity type has', async () => {
    const attributes = { api_slug: 'twin', display_name: 'Twin', data_type: 'boolean' }
    const answers = await Promise.all([1, 2, 3].map(() => define({ ...attributes, entity_type: 'Container' })))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 422, 422])
    const refused = answers.find(({ status }) => status === 422)
    assert.equal(refused?.error().code, 'duplicate')
    assert.equal(refused?.error().source?.pointer, '/data/attributes/api_slug')
    assert.equal((await define({ ...attributes, entity_type: 'Shipment' })).status, 201)
    const stranger = await api.newKey(await api.newAccount(), ['read', 'write'])
    assert.equal((await define({ ...attributes, entity_type: 'Shipment' }, stranger)).status, 201)
  })

  const good = { entity_type: 'Shipment', display_name: 'X', data_type: 'short_text' }
  const wrong: readonly (readonly [what: string, object, pointer: string])[] = [
    ['an unknown data type', { data_type: 'money' }, 'data_type'],
    ['an unknown entity type', { entity_type: 'Vessel' }, 'entity_type'],
    ['a slug with capitals', { api_slug: 'Cost' }, 'api_slug'],
    ['a name of blanks', { display_name: '  ' }, 'display_name'],
    ['a rule of another data type', { validation: { min: 1 } }, 'validation/min'],
    ['an unknown rule', { validation: { size: 1 } }, 'validation/size'],
    ['an invalid pattern', { validation: { pattern: '(' } }, 'validation/pattern'],
    ['a pattern with a back-reference', { validation: { pattern: '(a)\\1' } }, 'validation/pattern'],
    ['rules that no value satisfies', { validation: { min_length: 5, max_length: 4 } }, 'validation'],
    ['a bound that is not a date', { data_type: 'date', validation: { min: '2026-02-30' } }, 'validation/min'],
    ['a default that breaks the rules', { validation: { max_length: 2 }, default_value: 'abc' }, 'default_value'],
    ['a default before there are options', { data_type: 'enum', default_value: 'a' }, 'default_value'],
    ['a reference to nothing', { data_type: 'reference' }, 'reference_type'],
    ['a reference of a text', { reference_type: 'Party' }, 'reference_type'],
    ['a template', { template_id: '018f0000-0000-7000-8000-000000000000' }, 'template_id'],
  ]
  for (const [what, attributes, pointer] of wrong) {
    test(`is refused for ${what}, naming the field`, async () => {
      const answer = await define({ ...good, ...attributes })
      assert.equal(answer.status, 422, answer.text)
      assert.equal(answer.error().source?.pointer, `/data/attributes/${pointer}`)
    })
  }
})

describe('a value', () => {
  const types: readonly (readonly [
    dataType: string,
    more: object,
    good: readonly (readonly [unknown, kept: unknown, display: string | null])[],
    bad: readonly unknown[],
  ])[] = [
    [
      'short_text',
      { validation: { min_length: 2, max_length: 5, pattern: '[A-Z]+' } },
      [['ABC', 'ABC', 'ABC']],
      ['A', 'ABCDEF', 'abc', 5, ['AB'], true],
    ],
    [
      'number',
      { validation: { min: -1, max: 1e6 }, default_format: '$#,##0.00' },
      [
        [1234.5, 1234.5, '$1,234.50'],
        [0, 0, '$0.00'],
      ],
      ['12', -2, 1e7, true, [1]],
    ],
    [
      'date',
      { validation: { min: '2026-01-01' }, default_format: 'DD.MM.YYYY' },
      [['2026-03-01', '2026-03-01', '01.03.2026']],
      ['2026-02-30', '2025-12-31', '01/03/2026', '2026-03-01T00:00:00Z', 20260301],
    ],
    [
      'datetime',
      {},
      [['2026-03-01T14:30:00+02:00', '2026-03-01T12:30:00Z', '2026-03-01T12:30:00Z']],
      ['2026-03-01T14:30:00', '2026-02-30T14:30:00Z', '2026-03-01', 'tomorrow'],
    ],
    [
      'boolean',
      {},
      [
        [true, true, 'Yes'],
        [false, false, 'No'],
      ],
      ['true', 1, 'yes'],
    ],
    ['enum', {}, [['high', 'high', 'High priority']], ['urgent', ['high'], 1]],
    [
      'enum_multi',
      { validation: { max_items: 2 } },
      [
        [['high', 'low'], ['high', 'low'], 'High priority, Low'],
        [[], [], ''],
      ],
      ['high', ['urgent'], ['high', 'high'], ['high', 'low', 'mid'], [1]],
    ],
  ]
  for (const [dataType, more, good, bad] of types) {
    test(`of the type ${dataType} is validated, and stored in a uniform format`, async () => {
      const slug = `a_${dataType}`
      const attributes = { entity_type: 'Shipment', api_slug: slug, display_name: slug, data_type: dataType }
      const { id } = (await define({ ...attributes, ...more })).one()
      if (dataType.startsWith('enum')) {
        assert.equal((await set(slug, dataType === 'enum' ? 'high' : ['high'])).status, 422, 'no options yet')
        await option(id, { label: 'Low', value: 'low', position: 2 })
        await option(id, { label: 'High priority', value: 'high', position: 1 })
        await option(id, { label: 'Mid', value: 'mid' })
        const options = await api.call({ url: `/v2/custom_field_definitions/${id}/options` })
        assert.deepEqual(
          options.many().map(({ attributes: { value } }) => value),
          ['high', 'low', 'mid'],
        )
      }
      for (const [given, kept, display] of good) {
        const answer = await set(slug, given)
        assert.equal(answer.status, 201, answer.text)
        assert.deepEqual(answer.one().attributes, { api_slug: slug, value: kept, display_value: display })
      }
      for (const given of bad) {
        const answer = await set(slug, given)
        assert.equal(answer.status, 422, `${JSON.stringify(given)}: ${answer.text}`)
        assert.equal(answer.error().source?.pointer, '/data/attributes/value')
      }
      assert.equal((await set(slug, null)).one().attributes['display_value'], null)
    })
  }

  test('of the type reference must name a record of the same account', async () => {
    await define({
      entity_type: 'Shipment',
      api_slug: 'consignee',
      display_name: 'Consignee',
      data_type: 'reference',
      reference_type: 'Party',
      validation: { required: true },
    })
    const party = (key: string) =>
      api.call({
        method: 'POST',
        url: '/v2/parties',
        key,
        body: { data: { type: 'party', attributes: { company_name: 'Blue Whale' } } },
      })
    const ours = (await party(api.key)).one().id
    assert.equal((await set('consignee', ours)).one().attributes['display_value'], 'Blue Whale')
    const theirs = (await party(await api.newKey(await api.newAccount(), ['read', 'write']))).one().id
    for (const value of [theirs, 'x', null, seeded.shipmentId]) {
      assert.equal((await set('consignee', value)).error().source?.pointer, '/data/attributes/value')
    }
  })

  test('that is missing gets the default of its definition, and is required if there is no default', async () => {
    const base = { entity_type: 'Container', display_name: 'D', data_type: 'boolean' }
    await define({ ...base, api_slug: 'fragile', default_value: true })
    await define({ ...base, api_slug: 'plain' })
    const id = seeded.containerIds[0] ?? ''
    assert.equal((await set('fragile', undefined, 'containers', id)).one().attributes['value'], true)
    const none = await set('plain', undefined, 'containers', id)
    assert.equal(none.error().source?.pointer, '/data/attributes/value')
  })

  test('can be set, changed, included and deleted under the URL of its entity', async () => {
    const base = { entity_type: 'TrackingRequest', display_name: 'N', data_type: 'short_text' }
    await define({ ...base, api_slug: 'note' })
    const id = seeded.trackingRequestId
    const first = await set('note', 'a', 'tracking_requests', id)
    const again = await set('note', 'b', 'tracking_requests', id)
    assert.equal(again.one().id, first.one().id)
    const url = `/v2/tracking_requests/${id}/custom_fields/note`
    const patched = await api.call({ method: 'PATCH', url, body: field({ value: 'c' }) })
    assert.equal(patched.one().attributes['value'], 'c')
    const other = await api.call({ method: 'PATCH', url, body: field({ value: 'c', api_slug: 'x' }) })
    assert.equal(other.error().source?.pointer, '/data/attributes/api_slug')
    const request = await api.call({ url: `/v2/tracking_requests/${id}?include=custom_fields.definition` })
    assert.deepEqual(request.one().relationships?.['custom_fields']?.data, [
      { type: 'custom_field', id: first.one().id },
    ])
    assert.ok(request.body.included?.some(({ type }) => type === 'custom_field_definition'))
    const gone = await api.call({ method: 'DELETE', url })
    assert.equal(gone.status, 204)
    assert.equal(gone.text, '')
    assert.equal((await api.call({ method: 'DELETE', url })).status, 404)
    assert.deepEqual((await api.call({ url: `/v2/tracking_requests/${id}/custom_fields` })).many(), [])
    const { rows } = await api.service.pool.query('select action from audit_events where target_id = $1 order by id', [
      first.one().id,
    ])
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['custom_field.created', 'custom_field.updated', 'custom_field.updated', 'custom_field.deleted'],
    )
  })

  test('can be created under /v2/custom_fields only once for each entity and definition', async () => {
    const made = await define({
      entity_type: 'Container',
      api_slug: 'lot',
      display_name: 'Lot',
      data_type: 'short_text',
    })
    const definitionId = made.one().id
    const [containerId = ''] = seeded.containerIds
    const post = (attributes: object, relationships: object) =>
      api.call({
        method: 'POST',
        url: '/v2/custom_fields',
        body: { data: { type: 'custom_field', attributes, relationships } },
      })
    const entity = { data: { type: 'container', id: containerId } }
    const definition = { data: { type: 'custom_field_definition', id: definitionId } }
    const set = await post({ value: 'L1' }, { entity, definition })
    assert.equal(set.status, 201)
    assert.deepEqual(set.one().relationships?.['entity']?.data, entity.data)
    assert.deepEqual(set.one().relationships?.['definition']?.data, definition.data)
    const twice = await post({ api_slug: 'lot', value: 'L2' }, { entity })
    assert.equal(twice.error().code, 'duplicate')
    const url = `/v2/custom_fields/${set.one().id}`
    for (const query of [
      'filter[entity_type]=Container',
      `filter[entity_id]=${containerId}`,
      `filter[definition_id]=${definitionId}`,
    ]) {
      const found = (await api.call({ url: `/v2/custom_fields?${query}&include=entity` })).many()
      assert.ok(
        found.some(({ id }) => id === set.one().id),
        query,
      )
    }
    const changed = await api.call({ method: 'PATCH', url, body: field({ value: 'L3' }) })
    assert.equal(changed.one().attributes['value'], 'L3')
    const taken = await api.call({ method: 'DELETE', url })
    assert.equal(taken.status, 200)
    assert.equal(taken.one().attributes['value'], 'L3')
    assert.equal((await api.call({ url })).status, 404)
    const refused = async (attributes: object, relationships: object) =>
      (await post(attributes, relationships)).error().source?.pointer
    const nobody = { data: { type: 'container', id: '018f0000-0000-7000-8000-000000000000' } }
    assert.equal(await refused({ api_slug: 'lot', value: 'x' }, {}), '/data/relationships/entity')
    assert.equal(
      await refused({ api_slug: 'lot', value: 'x' }, { entity: nobody }),
      '/data/relationships/entity/data/id',
    )
    assert.equal(await refused({ value: 'x' }, { entity }), '/data/attributes/api_slug')
    assert.equal(await refused({ api_slug: 'none', value: 'x' }, { entity }), '/data/attributes/api_slug')
    const shipment = { data: { type: 'shipment', id: seeded.shipmentId } }
    assert.equal(
      await refused({ value: 'x' }, { entity: shipment, definition }),
      '/data/relationships/definition/data/id',
    )
  })
})

describe('the custom fields API', () => {
  test('refuses to delete an option in use (409), and deletes an unused option', async () => {
    const base = { entity_type: 'Shipment', api_slug: 'lane', display_name: 'Lane', data_type: 'enum_multi' }
    const { id } = (await define(base)).one()
    const red = (await option(id, { label: 'Red', value: 'red' })).one()
    const twice = await option(id, { label: 'Also red', value: 'red' })
    assert.equal(twice.error().code, 'duplicate')
    await set('lane', ['red'])
    const url = `/v2/custom_field_definitions/${id}/options/${red.id}`
    assert.equal((await api.call({ method: 'DELETE', url })).status, 409)
    const patch = (attributes: object) => api.call({ method: 'PATCH', url, body: { data: { attributes } } })
    assert.equal((await patch({ value: 'rot' })).status, 409)
    assert.equal((await patch({ label: 'Rot', position: 3 })).one().attributes['label'], 'Rot')
    const shown = await api.call({ url: `/v2/shipments/${seeded.shipmentId}/custom_fields` })
    const lane = shown.many().find(({ attributes }) => attributes['api_slug'] === 'lane')
    assert.equal(lane?.attributes['display_value'], 'Rot')
    await set('lane', [])
    assert.equal((await api.call({ method: 'DELETE', url })).status, 200)
    assert.equal((await api.call({ url })).status, 404)
    const text = (await define({ entity_type: 'Shipment', display_name: 'T2', data_type: 'short_text' })).one()
    assert.equal((await option(text.id, { label: 'a', value: 'a' })).error().source?.pointer, '/data')
  })

  test('deletes a definition with its options and values, and states how many', async () => {
    const base = { entity_type: 'Shipment', api_slug: 'doomed', display_name: 'D', data_type: 'enum' }
    const { id } = (await define(base)).one()
    await option(id, { label: 'A', value: 'a' })
    await set('doomed', 'a')
    const url = `/v2/custom_field_definitions/${id}`
    const gone = await api.call({ method: 'DELETE', url })
    assert.equal(gone.status, 200)
    assert.equal(gone.one().id, id)
    assert.equal((await api.call({ url })).status, 404)
    const { rows } = await api.service.pool.query(
      `select (select count(*) from custom_fields where definition_id = $1) as fields,
              (select count(*) from custom_field_options where definition_id = $1) as options,
              (select diff -> 'values' from audit_events where target_id = $1
                and action = 'custom_field_definition.deleted') as values`,
      [id],
    )
    assert.deepEqual(rows, [{ fields: 0, options: 0, values: [1, 0] }])
  })

  test('hides definitions, options and values from other accounts', async () => {
    const { id } = (
      await define({ entity_type: 'Shipment', api_slug: 'ours', display_name: 'Ours', data_type: 'enum' })
    ).one()
    const red = (await option(id, { label: 'Red', value: 'red' })).one()
    const value = (await set('ours', 'red')).one()
    const key = await api.newKey(await api.newAccount(), ['read', 'write'])
    for (const url of [
      `/v2/custom_field_definitions/${id}`,
      `/v2/custom_field_definitions/${id}/options`,
      `/v2/custom_field_definitions/${id}/options/${red.id}`,
      `/v2/custom_fields/${value.id}`,
      `/v2/shipments/${seeded.shipmentId}/custom_fields`,
    ])
      assert.equal((await api.call({ url, key })).status, 404, url)
    for (const url of ['/v2/custom_field_definitions', '/v2/custom_fields'])
      assert.deepEqual((await api.call({ url, key })).many(), [])
    await define({ entity_type: 'Shipment', api_slug: 'theirs', display_name: 'T', data_type: 'boolean' }, key)
    const theft = await api.call({
      method: 'POST',
      url: `/v2/shipments/${seeded.shipmentId}/custom_fields`,
      key,
      body: field({ api_slug: 'theirs', value: true }),
    })
    assert.equal(theft.status, 404)
  })
})
