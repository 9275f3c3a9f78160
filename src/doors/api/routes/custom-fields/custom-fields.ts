/** /v2/custom_fields and /v2/custom_fields/:id: values of the account's own fields, on entities of every kind. */

import type { FastifyInstance } from 'fastify'
import { deleteField } from '../../../../service/tracking/custom-fields/delete-field.ts'
import { getField, listFields } from '../../../../service/tracking/custom-fields/get-field.ts'
import { setField } from '../../../../service/tracking/custom-fields/set-field.ts'
import { updateField } from '../../../../service/tracking/custom-fields/update-field.ts'
import { readId } from '../../../http/path-id.ts'
import { sendOne, sendPage } from '../../answering/answer.ts'
import { readIfCurrent } from '../../answering/entity-tag.ts'
import { entityTypeFilter } from '../../asking/entity-type-filter.ts'
import { eitherName, idFilter } from '../../asking/filters.ts'
import { defineQuery } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, operation, pageOf } from '../../description/operation.ts'
import {
  customFieldBody,
  customFieldChangesBody,
  readFieldChanges,
  readNewField,
} from '../../inputs/custom-field.ts'

const listQuery = defineQuery({
  type: 'custom_field',
  filters: {
    entityType: entityTypeFilter,
    entityId: eitherName('entity_id', (name) =>
      idFilter(name, 'Id of the shipment, container or tracking request.'),
    ),
    definitionId: eitherName('definition_id', (name) => idFilter(name, 'Id of the definition.')),
  },
  orders: ['-created_at', 'created_at'],
  isPaged: true,
  hasCursors: true,
})
const query = defineQuery({ type: 'custom_field' })
const tag = 'Custom fields'
const common = {
  tag,
  path: { id: 'Id of the custom field.' },
  query: query.schema,
  answer: documentOf('custom_field'),
}

export function customFields(app: FastifyInstance): void {
  app.get(
    '/v2/custom_fields',
    {
      schema: operation({
        id: 'listCustomFields',
        tag,
        summary: 'List the values of custom fields, newest first',
        query: listQuery.schema,
        answer: pageOf('custom_field'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const asked = listQuery.read(request)
      const page = await listFields(service, context, asked)
      return sendPage({ request, reply }, { page, asked: asked.page, view: asked })
    },
  )

  app.post(
    '/v2/custom_fields',
    {
      schema: operation({
        id: 'createCustomField',
        tag,
        summary: 'Set a custom field of a shipment, container or tracking request',
        query: query.schema,
        body: customFieldBody,
        status: 201,
        answer: documentOf('custom_field'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const { id } = await setField(service, context, readNewField(request.body))
      const data = await getField(service, context, { id })
      return sendOne({ request, reply }, { data, view, status: 201 })
    },
  )

  app.get(
    '/v2/custom_fields/:id',
    { schema: operation({ ...common, id: 'getCustomField', summary: 'Get a custom field' }) },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const data = await getField(service, context, { id: readId(request.params, 'custom field') })
      return sendOne({ request, reply }, { data, view })
    },
  )

  app.patch(
    '/v2/custom_fields/:id',
    {
      config: { hasPrecondition: true },
      schema: operation({
        ...common,
        id: 'updateCustomField',
        summary: 'Change the value of a custom field',
        body: customFieldChangesBody,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const id = readId(request.params, 'custom field')
      const field = await getField(service, context, { id })
      const ifCurrent = readIfCurrent(request)
      await updateField(service, context, { id, ...readFieldChanges(request.body, field), ifCurrent })
      return sendOne({ request, reply }, { data: await getField(service, context, { id }), view })
    },
  )

  app.delete(
    '/v2/custom_fields/:id',
    {
      schema: operation({
        ...common,
        id: 'deleteCustomField',
        summary: 'Delete the value of a custom field',
        description: 'The answer is the deleted value.',
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const data = await deleteField(service, context, { id: readId(request.params, 'custom field') })
      return sendOne({ request, reply }, { data, view })
    },
  )
}
