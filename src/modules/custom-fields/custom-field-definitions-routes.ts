/** /v2/custom_field_definitions: which fields an account has. They are created, changed and deleted here. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { defineResource, makeIdReader } from '../../api/define-resource.ts'
import { describeOperation, documentAnswer } from '../../api/openapi/operation.ts'
import { entityTypeFilter } from '../../api/query/entity-type-filter.ts'
import { bracketOrBareFilter, choiceFilter, textFilter } from '../../api/query/filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { sendOne } from '../../api/responses/send.ts'
import { fieldDataTypes } from '../../domain/values/custom-field.ts'
import { createDefinition } from './create-definition.ts'
import { definitionChanges, newDefinition } from './custom-field-definition-input.ts'
import { readDefinition } from './custom-field-definition-resource.ts'
import { deleteDefinition } from './delete-definition.ts'
import { getDefinition, listDefinitions } from './get-definition.ts'
import { updateDefinition } from './update-definition.ts'

const listQuery = defineQuery({
  type: 'custom_field_definition',
  filters: {
    entityType: entityTypeFilter,
    dataType: bracketOrBareFilter('data_type', (name) => choiceFilter(name, fieldDataTypes)),
    displayName: bracketOrBareFilter('display_name', (name) => textFilter(name, 'The beginning of the display name.')),
  },
  isPaged: true,
})
const query = defineQuery({ type: 'custom_field_definition' })
const of = {
  type: 'custom_field_definition',
  tag: 'Custom fields',
  path: '/v2/custom_field_definitions/:id',
  ids: { id: 'Id of the definition.' },
  keyOf: makeIdReader('custom field definition'),
  read: readDefinition,
} as const

export function customFieldDefinitions(app: FastifyInstance): void {
  const routes = defineResource(app, of)
  routes.page({
    id: 'listCustomFieldDefinitions',
    summary: 'List custom field definitions, newest first',
    query: listQuery,
    verb: listDefinitions,
  })
  routes.create({
    id: 'createCustomFieldDefinition',
    summary: 'Define a custom field',
    description: 'Its slug is unique among the fields of its entity type. It cannot be changed.',
    body: newDefinition,
    verb: createDefinition,
  })
  routes.get({
    id: 'getCustomFieldDefinition',
    summary: 'Get a custom field definition',
    verb: getDefinition,
  })
  routes.change({
    id: 'updateCustomFieldDefinition',
    summary: 'Change a custom field definition',
    description:
      'Attributes that are not sent are not changed. New rules are not applied to existing values. `api_slug`, `entity_type`, `data_type` and `reference_type` cannot change.',
    get: getDefinition,
    body: definitionChanges,
    verb: updateDefinition,
  })

  app.delete(
    of.path,
    {
      schema: describeOperation({
        id: 'deleteCustomFieldDefinition',
        tag: of.tag,
        summary: 'Delete a custom field',
        description: 'Its options and all its values are deleted too. The answer is the deleted definition.',
        path: of.ids,
        query: query.schema,
        answer: documentAnswer(of.type),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      // Nothing can be included: what the definition links to is deleted with it.
      const view = { ...query.read(request), include: null }
      const definition = await deleteDefinition(service, context, of.keyOf(request.params))
      return sendOne({ request, reply }, { data: readDefinition(definition), view })
    },
  )
}
