/**
 * /v2/{shipments|containers|tracking_requests}/:id/custom_fields and …/:api_slug: the values of one entity, by slug.
 */

import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../api/callers/caller.ts'
import { callerOf } from '../../api/callers/request-caller.ts'
import { defineResource } from '../../api/define-resource.ts'
import { readId, readPathParameter } from '../../api/http/path-parameters.ts'
import { describeOperation, documentAnswer } from '../../api/openapi/operation.ts'
import { defineQuery } from '../../api/query/query.ts'
import { readIfCurrent } from '../../api/responses/entity-tag.ts'
import { sendOne } from '../../api/responses/send.ts'
import type { FieldEntityType } from '../../domain/values/custom-field.ts'
import { customFieldChanges, nestedCustomField, valueIn } from './custom-field-input.ts'
import { deleteField } from './delete-field.ts'
import { getField, getFieldOf, listFields } from './get-field.ts'
import type { CustomFieldReading } from './list-custom-fields-sql.ts'
import { checkEntity, setField } from './set-field.ts'
import { updateField } from './update-field.ts'

const listQuery = defineQuery({
  type: 'custom_field',
  orders: ['-created_at', 'created_at'],
  isPaged: true,
  hasCursors: true,
})
const query = defineQuery({ type: 'custom_field' })
const tag = 'Custom fields'

interface EntityRoute {
  readonly type: FieldEntityType
  readonly folder: string
  readonly what: string
  /** Used in the names of operations. */
  readonly noun: string
}

const owners: readonly EntityRoute[] = [
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
  for (const owner of owners) addRoutes(app, owner)
}

function addRoutes(app: FastifyInstance, { type, folder, what, noun }: EntityRoute): void {
  const path = `/v2/${folder}/:id/custom_fields/:api_slug`
  const ids = { id: `Id of the ${what}.`, api_slug: 'Id of the definition.' }
  const keyOf = (params: unknown) => ({
    id: readId(params, what),
    apiSlug: readPathParameter(params, 'api_slug'),
  })
  const routes = defineResource(app, {
    type: 'custom_field',
    tag,
    path,
    ids,
    keyOf,
    parentOf: (params) => ({ entity: { type, id: readId(params, what) } }),
    read: (field: CustomFieldReading) => field,
  })
  const get = async ({ service, context }: Caller, { id, apiSlug }: ReturnType<typeof keyOf>) => {
    await checkEntity(service, context, { type, id })
    return getFieldOf(service, context, { entityId: id, apiSlug })
  }

  routes.page({
    id: `list${noun}CustomFields`,
    summary: `List the custom fields of a ${what}, newest first`,
    query: listQuery,
    verb: async (service, context, { entity, ...parameters }) => {
      await checkEntity(service, context, entity)
      const filter = { entityType: type, entityId: entity.id, definitionId: null }
      return listFields(service, context, { ...parameters, filter })
    },
  })
  routes.create({
    id: `set${noun}CustomField`,
    summary: `Set a custom field of a ${what}`,
    description: 'A value that is already set is replaced.',
    before: (service, context, { entity }) => checkEntity(service, context, entity),
    body: nestedCustomField,
    verb: async (service, context, given) => {
      const { entity, apiSlug, value } = given
      const field = { entity, apiSlug, value, definitionId: null, isUpsert: true, entityPointer: null }
      return getField(service, context, await setField(service, context, field))
    },
  })

  app.patch(
    path,
    {
      config: { hasPrecondition: true },
      schema: describeOperation({
        id: `update${noun}CustomField`,
        tag,
        summary: `Change a custom field of a ${what}`,
        path: ids,
        query: query.schema,
        body: customFieldChanges.schema,
        answer: documentAnswer('custom_field'),
      }),
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const { service, context } = caller
      const view = query.read(request)
      const field = await get(caller, keyOf(request.params))
      // The id in the body is that of the value, which the address does not have.
      const { id } = field
      const ifCurrent = readIfCurrent(request)
      const value = valueIn(customFieldChanges.read(request.body, id), field)
      await updateField(service, context, { id, value, ifCurrent })
      return sendOne({ request, reply }, { data: await getField(service, context, { id }), view })
    },
  )

  routes.remove({
    id: `delete${noun}CustomField`,
    summary: `Delete the value of a custom field of a ${what}`,
    verb: async (service, context, key) => deleteField(service, context, await get({ service, context }, key)),
  })
}
