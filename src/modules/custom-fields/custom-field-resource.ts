/** `custom_field`: the value that one shipment, container or tracking request has of a field its account defined. */

import { type ResourceKind, toOne } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { writeIfTime } from '../../api/shape/whole-times.ts'
import type { FieldEntityType } from '../../domain/values/custom-field.ts'
import { displayFieldValue } from '../../domain/values/custom-field-display.ts'
import { lastChangedBy } from '../audit/last-changed-by-resource.ts'
import { fieldValueSchema } from './custom-field-value-resource.ts'
import type { CustomFieldReading } from './list-custom-fields-sql.ts'

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
    entity: toOne('shipment', 'container', 'tracking_request'),
    definition: toOne('custom_field_definition'),
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
