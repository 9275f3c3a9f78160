/** The custom fields of a container or shipment, as people read their values. */

import { customField } from '../../modules/custom-fields/custom-field-resource.ts'
import { listFieldsOf } from '../../modules/custom-fields/get-field.ts'
import { list, object, text, textOrNull } from '../tool/schema.ts'
import type { ToolContext } from '../tool/tool.ts'
import { writeLabel } from './labels.ts'

export const customFields = list(object({ api_slug: text, data_type: text, value: textOrNull }))

export async function writeCustomFields({ service, context }: ToolContext, id: string) {
  const fields = await listFieldsOf(service, context, { entityIds: [id] })
  return fields.map((each) => {
    const { display_value: value } = customField.write(each)
    return {
      api_slug: each.apiSlug,
      data_type: each.dataType,
      value: typeof value === 'string' ? writeLabel(value) : null,
    }
  })
}
