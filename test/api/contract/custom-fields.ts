/** The contract's rows about custom fields: their definitions, options and values. */

import { type Asked, nobody, noPage, notThere, of, type Row } from './row.ts'

const definitions = '/custom_field_definitions'
const options = `${definitions}/{definition}/options`
const definition = { entity_type: 'Shipment', display_name: 'Agent', data_type: 'short_text' }
const field = (attributes: object, status: number): Asked => ({
  body: of('custom_field', attributes),
  status,
  type: 'custom_field',
})
const nested = (['shipments/{shipment}', 'containers/{container}', 'tracking_requests/{request}'] as const).flatMap(
  (entity): readonly Row[] => [
    {
      row: `GET /${entity}/custom_fields`,
      good: { status: 200, type: 'custom_field' },
      bad: noPage(`/${entity}/custom_fields`),
    },
    {
      row: `POST /${entity}/custom_fields`,
      good: field({ api_slug: 'cost_centre', value: 'A1' }, 201),
      bad: field({ api_slug: 'no_such', value: 'A1' }, 422),
    },
    {
      row: `PATCH /${entity}/custom_fields/cost_centre`,
      good: field({ value: 'A2' }, 200),
      bad: field({ value: 7 }, 422),
    },
    {
      row: `DELETE /${entity}/custom_fields/cost_centre`,
      good: { status: 204, type: null },
      bad: notThere(`/${entity}/custom_fields/no_such`),
    },
  ],
)

export const customFieldRows: readonly Row[] = [
  {
    row: `GET ${definitions}`,
    good: {
      url: `${definitions}?filter[entity_type]=Shipment`,
      status: 200,
      type: 'custom_field_definition',
    },
    bad: noPage(definitions),
  },
  {
    row: `POST ${definitions}`,
    good: { body: of('custom_field_definition', definition), status: 201, type: 'custom_field_definition' },
    bad: { body: of('custom_field_definition', { ...definition, data_type: 'colour' }), status: 422 },
  },
  {
    row: `GET ${definitions}/{definition}`,
    good: { status: 200, type: 'custom_field_definition' },
    bad: notThere(`${definitions}/${nobody}`),
  },
  {
    row: `PATCH ${definitions}/{definition}`,
    good: {
      body: of('custom_field_definition', { display_name: 'Class' }),
      status: 200,
      type: 'custom_field_definition',
    },
    bad: { body: of('custom_field_definition', { api_slug: 'class' }), status: 422 },
  },
  {
    row: `GET ${options}`,
    good: { status: 200, type: 'custom_field_option' },
    bad: notThere(`${definitions}/${nobody}/options`),
  },
  {
    row: `POST ${options}`,
    good: {
      body: of('custom_field_option', { label: 'B', value: 'b', position: 2 }),
      status: 201,
      type: 'custom_field_option',
    },
    bad: { body: of('custom_field_option', { label: 'B' }), status: 422 },
  },
  {
    row: `GET ${options}/{option}`,
    good: { status: 200, type: 'custom_field_option' },
    bad: notThere(`${options}/${nobody}`),
  },
  {
    row: `PATCH ${options}/{option}`,
    good: { body: of('custom_field_option', { label: 'AA' }), status: 200, type: 'custom_field_option' },
    bad: { body: of('custom_field_option', { position: -1 }), status: 422 },
  },
  ...nested,
  {
    row: 'GET /custom_fields',
    good: { url: '/custom_fields?filter[entity_type]=Shipment', status: 200, type: 'custom_field' },
    bad: noPage('/custom_fields'),
  },
  {
    row: 'POST /custom_fields',
    good: {
      body: of(
        'custom_field',
        { api_slug: 'cost_centre', value: 'A3' },
        { relationships: { entity: { data: { type: 'shipment', id: '{shipment}' } } } },
      ),
      status: 201,
      type: 'custom_field',
    },
    bad: field({ api_slug: 'cost_centre', value: 'A3' }, 422),
  },
  {
    row: 'GET /custom_fields/{customField}',
    good: { status: 200, type: 'custom_field' },
    bad: notThere(`/custom_fields/${nobody}`),
  },
  {
    row: 'PATCH /custom_fields/{customField}',
    good: field({ value: 'Ask nobody' }, 200),
    bad: field({ value: ['x'] }, 422),
  },
  {
    row: 'DELETE /custom_fields/{customField}',
    good: { status: 200, type: 'custom_field' },
    bad: notThere(`/custom_fields/${nobody}`),
  },
  {
    row: `DELETE ${options}/{option}`,
    good: { status: 200, type: 'custom_field_option' },
    bad: notThere(`${options}/${nobody}`),
  },
  {
    row: `DELETE ${definitions}/{definition}`,
    good: { status: 200, type: 'custom_field_definition' },
    bad: notThere(`${definitions}/${nobody}`),
  },
]
