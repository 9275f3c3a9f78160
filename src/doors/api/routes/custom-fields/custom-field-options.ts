/** /v2/custom_field_definitions/:id/options: the options of a field that has choices. */

import type { FastifyInstance } from 'fastify'
import {
  createOption,
  deleteOption,
  updateOption,
} from '../../../../service/tracking/custom-fields/change-options.ts'
import { getDefinition } from '../../../../service/tracking/custom-fields/get-definition.ts'
import { getOption, listOptions } from '../../../../service/tracking/custom-fields/get-option.ts'
import { readOption } from '../../../documents/resources/custom-fields/custom-field-definition.ts'
import { readId } from '../../../http/path-id.ts'
import { sendOne, sendPage } from '../../answering/answer.ts'
import { readIfCurrent } from '../../answering/entity-tag.ts'
import { defineQuery } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, operation, pageOf } from '../../description/operation.ts'
import {
  optionBody,
  optionChangesBody,
  readNewOption,
  readOptionChanges,
} from '../../inputs/custom-field-definition.ts'

const listQuery = defineQuery({ type: 'custom_field_option', isPaged: true })
const query = defineQuery({ type: 'custom_field_option' })
const tag = 'Custom fields'
const path = { id: 'Id of the definition.' }
const common = {
  tag,
  path: { ...path, option_id: 'Id of the option.' },
  query: query.schema,
  answer: documentOf('custom_field_option'),
}

export function customFieldOptions(app: FastifyInstance): void {
  app.get(
    '/v2/custom_field_definitions/:id/options',
    {
      schema: operation({
        id: 'listCustomFieldOptions',
        tag,
        path,
        summary: 'List the options of a custom field, in their order',
        query: listQuery.schema,
        answer: pageOf('custom_field_option'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const asked = listQuery.read(request)
      const definitionId = definitionIdOf(request)
      const { rows, total } = await listOptions(service, context, { definitionId, page: asked.page })
      return sendPage(
        { request, reply },
        { page: { rows: rows.map(readOption), total }, asked: asked.page, view: asked },
      )
    },
  )

  app.post(
    '/v2/custom_field_definitions/:id/options',
    {
      schema: operation({
        id: 'createCustomFieldOption',
        tag,
        path,
        summary: 'Add an option to an enum or enum_multi field',
        query: query.schema,
        body: optionBody,
        status: 201,
        answer: documentOf('custom_field_option'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const definitionId = definitionIdOf(request)
      await getDefinition(service, context, { id: definitionId })
      const option = await createOption(service, context, { definitionId, ...readNewOption(request.body) })
      return sendOne({ request, reply }, { data: readOption(option), view, status: 201 })
    },
  )

  app.get(
    '/v2/custom_field_definitions/:id/options/:option_id',
    { schema: operation({ ...common, id: 'getCustomFieldOption', summary: 'Get an option' }) },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const option = await getOption(service, context, keyOf(request))
      return sendOne({ request, reply }, { data: readOption(option), view })
    },
  )

  app.patch(
    '/v2/custom_field_definitions/:id/options/:option_id',
    {
      config: { hasPrecondition: true },
      schema: operation({
        ...common,
        id: 'updateCustomFieldOption',
        summary: 'Change an option',
        description:
          'Attributes that are not sent are not changed. While the old `value` is in use, a new one is refused (409).',
        body: optionChangesBody,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const key = keyOf(request)
      await getOption(service, context, key)
      const isCurrent = readIfCurrent(request)
      const option = await updateOption(service, context, {
        ...key,
        ...readOptionChanges(request.body, key.id),
        ifCurrent: isCurrent && ((found) => isCurrent(readOption(found))),
      })
      return sendOne({ request, reply }, { data: readOption(option), view })
    },
  )

  app.delete(
    '/v2/custom_field_definitions/:id/options/:option_id',
    {
      schema: operation({
        ...common,
        id: 'deleteCustomFieldOption',
        summary: 'Remove an option',
        description:
          'While a value or the default uses the option, it is refused (409). The answer is the deleted option.',
        refusals: [409],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const option = await deleteOption(service, context, keyOf(request))
      return sendOne({ request, reply }, { data: readOption(option), view })
    },
  )
}

interface Addressed {
  readonly params: unknown
}

function definitionIdOf({ params }: Addressed): string {
  return readId(params, 'custom field definition')
}

function keyOf({ params }: Addressed): { readonly definitionId: string; readonly id: string } {
  const what = 'custom field option'
  return { definitionId: readId(params, what), id: readId(params, what, 'option_id') }
}
