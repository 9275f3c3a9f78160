/** /v2/custom_field_definitions/:id/options: the options of a field that has choices. */

import type { FastifyInstance } from 'fastify'
import { defineResource } from '../../api/define-resource.ts'
import { readId } from '../../api/http/path-parameters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { createOption, deleteOption, updateOption } from './change-options.ts'
import { newOption, optionChanges } from './custom-field-definition-input.ts'
import { readOption } from './custom-field-definition-resource.ts'
import { getDefinition } from './get-definition.ts'
import { getOption, listOptions } from './get-option.ts'

const listQuery = defineQuery({ type: 'custom_field_option', isPaged: true })
const what = 'custom field option'

export function customFieldOptions(app: FastifyInstance): void {
  const routes = defineResource(app, {
    type: 'custom_field_option',
    tag: 'Custom fields',
    path: '/v2/custom_field_definitions/:id/options/:option_id',
    ids: { id: 'Id of the definition.', option_id: 'Id of the option.' },
    keyOf: (params) => ({ definitionId: readId(params, what), id: readId(params, what, 'option_id') }),
    parentOf: (params) => ({ definitionId: readId(params, 'custom field definition') }),
    read: readOption,
  })
  routes.page({
    id: 'listCustomFieldOptions',
    summary: 'List the options of a custom field, in their order',
    query: listQuery,
    verb: listOptions,
  })
  routes.create({
    id: 'createCustomFieldOption',
    summary: 'Add an option to an enum or enum_multi field',
    before: (service, context, { definitionId: id }) => getDefinition(service, context, { id }),
    body: newOption,
    verb: createOption,
  })
  routes.get({ id: 'getCustomFieldOption', summary: 'Get an option', verb: getOption })
  routes.change({
    id: 'updateCustomFieldOption',
    summary: 'Change an option',
    description:
      'Attributes that are not sent are not changed. While the old `value` is in use, a new one is refused (409).',
    get: getOption,
    body: optionChanges,
    verb: updateOption,
  })
  routes.removeWithAnswer({
    id: 'deleteCustomFieldOption',
    summary: 'Remove an option',
    description:
      'The request is refused (409) while a value or the default uses the option. The answer is the deleted option.',
    refusals: [409],
    verb: deleteOption,
  })
}
