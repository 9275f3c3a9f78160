/** /v2/custom_field_definitions: which fields an account has. They are created, changed and deleted here. */

import type { FastifyInstance } from 'fastify'
import { fieldDataTypes } from '../../../../core/values/custom-field.ts'
import { createDefinition } from '../../../../service/tracking/custom-fields/create-definition.ts'
import { deleteDefinition } from '../../../../service/tracking/custom-fields/delete-definition.ts'
import { getDefinition, listDefinitions } from '../../../../service/tracking/custom-fields/get-definition.ts'
import { updateDefinition } from '../../../../service/tracking/custom-fields/update-definition.ts'
import type { FieldDefinition } from '../../../../store/tracking/custom-field-definitions.ts'
import { readDefinition } from '../../../documents/resources/custom-fields/custom-field-definition.ts'
import { readId } from '../../../http/path-id.ts'
import { sendOne, sendPage } from '../../answering/answer.ts'
import { readIfCurrent } from '../../answering/entity-tag.ts'
import { entityTypeFilter } from '../../asking/entity-type-filter.ts'
import { choiceFilter, eitherName, textFilter } from '../../asking/filters.ts'
import { defineQuery } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, operation, pageOf } from '../../description/operation.ts'
import {
  definitionBody,
  definitionChangesBody,
  readDefinitionChanges,
  readNewDefinition,
} from '../../inputs/custom-field-definition.ts'

const listQuery = defineQuery({
  type: 'custom_field_definition',
  filters: {
    entityType: entityTypeFilter,
    dataType: eitherName('data_type', (name) => choiceFilter(name, fieldDataTypes)),
    displayName: eitherName('display_name', (name) => textFilter(name, 'The beginning of the display name.')),
  },
  isPaged: true,
})
const query = defineQuery({ type: 'custom_field_definition' })
const common = {
  tag: 'Custom fields',
  path: { id: 'Id of the definition.' },
  query: query.schema,
  answer: documentOf('custom_field_definition'),
}

export function customFieldDefinitions(app: FastifyInstance): void {
  app.get(
    '/v2/custom_field_definitions',
    {
      schema: operation({
        id: 'listCustomFieldDefinitions',
        tag: 'Custom fields',
        summary: 'List custom field definitions, newest first',
        query: listQuery.schema,
        answer: pageOf('custom_field_definition'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const asked = listQuery.read(request)
      const { rows, total } = await listDefinitions(service, context, asked)
      return sendPage(
        { request, reply },
        { page: { rows: rows.map(readDefinition), total }, asked: asked.page, view: asked },
      )
    },
  )

  app.post(
    '/v2/custom_field_definitions',
    {
      schema: operation({
        id: 'createCustomFieldDefinition',
        tag: 'Custom fields',
        summary: 'Define a custom field',
        description: 'Its slug is unique among the fields of its entity type. It cannot be changed.',
        query: query.schema,
        body: definitionBody,
        status: 201,
        answer: documentOf('custom_field_definition'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const definition = await createDefinition(service, context, readNewDefinition(request.body))
      return sendOne({ request, reply }, { data: readDefinition(definition), view, status: 201 })
    },
  )

  app.get(
    '/v2/custom_field_definitions/:id',
    {
      schema: operation({
        ...common,
        id: 'getCustomFieldDefinition',
        summary: 'Get a custom field definition',
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const definition = await getDefinition(service, context, { id: idOf(request) })
      return sendOne({ request, reply }, { data: readDefinition(definition), view })
    },
  )

  app.patch(
    '/v2/custom_field_definitions/:id',
    {
      config: { hasPrecondition: true },
      schema: operation({
        ...common,
        id: 'updateCustomFieldDefinition',
        summary: 'Change a custom field definition',
        description:
          'Attributes that are not sent are not changed. New rules are not applied to existing values. `api_slug`, `entity_type`, `data_type` and `reference_type` cannot change.',
        body: definitionChangesBody,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const id = idOf(request)
      await getDefinition(service, context, { id })
      const changes = readDefinitionChanges(request.body, id)
      const isCurrent = readIfCurrent(request)
      const ifCurrent = isCurrent && ((found: FieldDefinition) => isCurrent(readDefinition(found)))
      const definition = await updateDefinition(service, context, { id, ...changes, ifCurrent })
      return sendOne({ request, reply }, { data: readDefinition(definition), view })
    },
  )

  app.delete(
    '/v2/custom_field_definitions/:id',
    {
      schema: operation({
        ...common,
        id: 'deleteCustomFieldDefinition',
        summary: 'Delete a custom field',
        description: 'Its options and all its values are deleted too. The answer is the deleted definition.',
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      // Nothing can be included: what the definition links to is deleted with it.
      const view = { ...query.read(request), include: null }
      const definition = await deleteDefinition(service, context, { id: idOf(request) })
      return sendOne({ request, reply }, { data: readDefinition(definition), view })
    },
  )
}

function idOf({ params }: { readonly params: unknown }): string {
  return readId(params, 'custom field definition')
}
