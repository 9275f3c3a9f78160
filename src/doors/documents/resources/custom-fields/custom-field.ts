/** `custom_field`: the value that one shipment, container or tracking request has of a field its account defined. */

import type { FieldEntityType } from '../../../../core/values/custom-field.ts'
import { displayFieldValue } from '../../../../core/values/custom-field-display.ts'
import type { CustomFieldReading } from '../../../../store/read/custom-fields.ts'
import { one, type ResourceKind } from '../../shape/resource.ts'
import * as schema from '../../shape/schema.ts'
import { writeIfTime } from '../../shape/whole-times.ts'
import { lastChangedBy } from '../parts/last-changed-by.ts'
import { fieldValueSchema } from './custom-field-value.ts'

export const resourceTypeOfEntity = {
  Shipment: 'shipment',
  Container: 'container',
  TrackingRequest: 'tracking_request',
} as const satisfies Readonly<Record<FieldEntityType, string>>

export const customField: ResourceKind<CustomFieldReading> = {
  type: 'custom_field',
  attributes: {
    api_slug: schema.text(),
    value: fieldValueSchema,
    display_value: schema.textOrNull({ description: 'The value as people read it.' }),
  },
  relations: {
    entity: one('shipment', 'container', 'tracking_request'),
    definition: one('custom_field_definition'),
  },
  write: (reading) => {
    const display = displayFieldValue({
      dataType: reading.dataType,
      format: reading.defaultFormat,
      value: reading.value,
      labels: reading.labels ?? {},
      referenceName: reading.referenceName,
    })
    const isTime = reading.dataType === 'datetime'
    return {
      api_slug: reading.apiSlug,
      value: isTime ? writeIfTime(reading.value) : reading.value,
      display_value: isTime ? writeIfTime(display) : display,
    }
  },
  link: ({ entityType, entityId, definitionId }) => ({
    entity: { type: resourceTypeOfEntity[entityType], id: entityId },
    definition: { type: 'custom_field_definition', id: definitionId },
  }),
  meta: lastChangedBy,
}
