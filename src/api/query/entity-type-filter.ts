/** The filter `entity_type` of custom fields. It accepts our names and those that some clients use. */

import { fieldEntityTypes } from '../../domain/values/custom-field.ts'
import { bracketOrBareFilter, choiceFilter } from './filters.ts'

export const entityTypeFilter = bracketOrBareFilter('entity_type', (name) =>
  choiceFilter(name, fieldEntityTypes, {
    Cargo: 'Container',
    shipment: 'Shipment',
    container: 'Container',
    cargo: 'Container',
    tracking_request: 'TrackingRequest',
  }),
)
