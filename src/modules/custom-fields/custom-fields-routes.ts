/** /v2/custom_fields and /v2/custom_fields/:id: values of the account's own fields, on entities of every kind. */

import type { FastifyInstance } from 'fastify'
import { defineResource, makeIdReader } from '../../api/define-resource.ts'
import { entityTypeFilter } from '../../api/query/entity-type-filter.ts'
import { bracketOrBareFilter, idFilter } from '../../api/query/filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { customFieldChanges, newCustomField, valueIn } from './custom-field-input.ts'
import { deleteField } from './delete-field.ts'
import { getField, listFields } from './get-field.ts'
import type { CustomFieldReading } from './list-custom-fields-sql.ts'
import { setField } from './set-field.ts'
import { updateField } from './update-field.ts'

const listQuery = defineQuery({
  type: 'custom_field',
  filters: {
    entityType: entityTypeFilter,
    entityId: bracketOrBareFilter('entity_id', (name) =>
      idFilter(name, 'Id of the shipment, container or tracking request.'),
    ),
    definitionId: bracketOrBareFilter('definition_id', (name) => idFilter(name, 'Id of the definition.')),
  },
  orders: ['-created_at', 'created_at'],
  isPaged: true,
  hasCursors: true,
})

export function customFields(app: FastifyInstance): void {
  const routes = defineResource(app, {
    type: 'custom_field',
    tag: 'Custom fields',
    path: '/v2/custom_fields/:id',
    ids: { id: 'Id of the custom field.' },
    keyOf: makeIdReader('custom field'),
    read: (field: CustomFieldReading) => field,
  })
  routes.page({
    id: 'listCustomFields',
    summary: 'List the values of custom fields, newest first',
    query: listQuery,
    verb: listFields,
  })
  routes.create({
    id: 'createCustomField',
    summary: 'Set a custom field of a shipment, container or tracking request',
    body: newCustomField,
    verb: async (service, context, input) => getField(service, context, await setField(service, context, input)),
  })
  routes.get({ id: 'getCustomField', summary: 'Get a custom field', verb: getField })
  routes.change({
    id: 'updateCustomField',
    summary: 'Change the value of a custom field',
    get: getField,
    body: customFieldChanges,
    verb: async (service, context, { id, ifCurrent, ...given }, field) => {
      await updateField(service, context, { id, value: valueIn(given, field), ifCurrent })
      return getField(service, context, { id })
    },
  })
  routes.removeWithAnswer({
    id: 'deleteCustomField',
    summary: 'Delete the value of a custom field',
    description: 'The answer is the deleted value.',
    verb: deleteField,
  })
}
