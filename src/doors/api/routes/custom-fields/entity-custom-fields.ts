/**
 * /v2/{shipments|containers|tracking_requests}/:id/custom_fields and …/:api_slug: the values of one entity, by slug.
 */

import type { FastifyInstance } from 'fastify'
import type { FieldEntityType } from '../../../../core/values/custom-field.ts'
import { deleteField } from '../../../../service/tracking/custom-fields/delete-field.ts'
import { getField, getFieldOf, listFields } from '../../../../service/tracking/custom-fields/get-field.ts'
import { checkEntity, setField } from '../../../../service/tracking/custom-fields/set-field.ts'
import { updateField } from '../../../../service/tracking/custom-fields/update-field.ts'
import { readId, readPart } from '../../../http/path-id.ts'
import { sendNothing, sendOne, sendPage } from '../../answering/answer.ts'
import { readIfCurrent } from '../../answering/entity-tag.ts'
import { defineQuery, refuseParameters } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, nothingBack, operation, pageOf } from '../../description/operation.ts'
import {
  customFieldChangesBody,
  nestedCustomFieldBody,
  readFieldChanges,
  readNestedField,
} from '../../inputs/custom-field.ts'

const listQuery = defineQuery({
  type: 'custom_field',
  orders: ['-created_at', 'created_at'],
  isPaged: true,
  hasCursors: true,
})
const query = defineQuery({ type: 'custom_field' })
const tag = 'Custom fields'

interface Owner {
  readonly type: FieldEntityType
  readonly folder: string
  readonly what: string
  /** Used in the names of operations. */
  readonly noun: string
}

const owners: readonly Owner[] = [
  { type: 'Shipment', folder: 'shipments', what: 'shipment', noun: 'Shipment' },
  { type: 'Container', folder: 'containers', what: 'container', noun: 'Container' },
  {
    type: 'TrackingRequest',
    folder: 'tracking_requests',
    what: 'tracking request',
    noun: 'TrackingRequest',
  },
]

export function entityCustomFields(app: FastifyInstance): void {
  for (const owner of owners) {
    onAll(app, owner)
    onOne(app, owner)
  }
}

function onAll(app: FastifyInstance, { type, folder, what, noun }: Owner): void {
  const url = `/v2/${folder}/:id/custom_fields`
  const common = { tag, path: { id: `Id of the ${what}.` } }

  app.get(
    url,
    {
      schema: operation({
        ...common,
        id: `list${noun}CustomFields`,
        summary: `List the custom fields of a ${what}, newest first`,
        query: listQuery.schema,
        answer: pageOf('custom_field'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const asked = listQuery.read(request)
      const id = readId(request.params, what)
      await checkEntity(service, context, { type, id })
      const filter = { entityType: type, entityId: id, definitionId: null }
      const page = await listFields(service, context, { ...asked, filter })
      return sendPage({ request, reply }, { page, asked: asked.page, view: asked })
    },
  )

  app.post(
    url,
    {
      schema: operation({
        ...common,
        id: `set${noun}CustomField`,
        summary: `Set a custom field of a ${what}`,
        description: 'A value that is already set is replaced.',
        query: query.schema,
        body: nestedCustomFieldBody,
        status: 201,
        answer: documentOf('custom_field'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const entity = { type, id: readId(request.params, what) }
      // Checks the entity first: if it does not exist, that is the answer, whatever the body contains.
      await checkEntity(service, context, entity)
      const { id } = await setField(service, context, readNestedField(request.body, entity))
      const data = await getField(service, context, { id })
      return sendOne({ request, reply }, { data, view, status: 201 })
    },
  )
}

function onOne(app: FastifyInstance, { type, folder, what, noun }: Owner): void {
  const url = `/v2/${folder}/:id/custom_fields/:api_slug`
  const common = { tag, path: { id: `Id of the ${what}.`, api_slug: 'Id of the definition.' } }

  app.patch(
    url,
    {
      config: { hasPrecondition: true },
      schema: operation({
        ...common,
        id: `update${noun}CustomField`,
        summary: `Change a custom field of a ${what}`,
        query: query.schema,
        body: customFieldChangesBody,
        answer: documentOf('custom_field'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const key = keyOf(request.params, what)
      await checkEntity(service, context, { type, id: key.entityId })
      const field = await getFieldOf(service, context, key)
      const { id } = field
      const ifCurrent = readIfCurrent(request)
      await updateField(service, context, { id, ...readFieldChanges(request.body, field), ifCurrent })
      return sendOne({ request, reply }, { data: await getField(service, context, { id }), view })
    },
  )

  app.delete(
    url,
    {
      schema: operation({
        ...common,
        id: `delete${noun}CustomField`,
        summary: `Delete the value of a custom field of a ${what}`,
        status: 204,
        answer: nothingBack,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      refuseParameters(request)
      const key = keyOf(request.params, what)
      await checkEntity(service, context, { type, id: key.entityId })
      const { id } = await getFieldOf(service, context, key)
      await deleteField(service, context, { id })
      return sendNothing(reply)
    },
  )
}

function keyOf(params: unknown, what: string): { readonly entityId: string; readonly apiSlug: string } {
  return { entityId: readId(params, what), apiSlug: readPart(params, 'api_slug') }
}
