/**
 * `search_result`: a shipment, container or tracking request whose number or reference contains the text of the search.
 */

import type { IdentifiedReading, ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { failedReasons } from '../../domain/tracking-requests/tracking-request-state.ts'
import { readPlace } from '../ports/place-resource.ts'
import type { SearchHit } from './search.ts'

export interface SearchResultReading extends IdentifiedReading {
  readonly type: 'search_result'
  readonly hit: SearchHit
}

export function readSearchResult(hit: SearchHit): SearchResultReading {
  return { type: 'search_result', id: hit.id, hit }
}

const entityTypes = {
  shipment: 'shipment',
  container: 'cargo',
  tracking_request: 'tracking_request',
} as const

export const searchResult: ResourceKind<SearchResultReading> = {
  type: 'search_result',
  attributes: {
    entity_type: schema.oneOf(Object.values(entityTypes), { description: '`cargo` is a container.' }),
    number: schema.text(),
    shipment_id: schema.textOrNull({ format: 'uuid' }),
    scac: schema.textOrNull(),
    port_of_lading_name: schema.textOrNull(),
    port_of_discharge_name: schema.textOrNull(),
    containers_count: schema.integerOrNull(),
    tracking_stopped: schema.booleanOrNull(),
    tracking_stopped_reason: schema.textOrNull(),
    status: schema.textOrNull(),
    failed_reason: schema.oneOfOrNull(failedReasons),
    ref_numbers: schema.texts(),
    created_at: schema.instant(),
    updated_at: schema.instant(),
  },
  relations: {},
  write: ({ hit }) => ({
    entity_type: entityTypes[hit.kind],
    number: hit.number,
    shipment_id: hit.shipmentId,
    scac: hit.scac,
    port_of_lading_name: nameOf(hit.portOfLoading),
    port_of_discharge_name: nameOf(hit.portOfDischarge),
    containers_count: hit.containersCount,
    tracking_stopped: hit.isTrackingStopped,
    tracking_stopped_reason: hit.trackingStoppedReason,
    status: hit.status,
    failed_reason: hit.failedReason,
    ref_numbers: hit.refNumbers,
    created_at: hit.createdAt,
    updated_at: hit.updatedAt,
  }),
  link: () => ({}),
}

/** Our name when we know the place, otherwise the source's own. */
function nameOf(place: SearchHit['portOfLoading']): string | null {
  return readPlace(place?.unlocode)?.place.name ?? place?.name ?? null
}
