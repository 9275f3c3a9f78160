/** Which attributes of a shipment a body may change. */

import { changesBodyOf } from '../../api/openapi/operation.ts'
import { closed, readOnlyOf, shortTexts } from '../../api/request-body/attributes.ts'
import { readAttributes } from '../../api/request-body/body.ts'
import { Type } from '../../platform/json-schema.ts'
import { shipment } from './shipment-resource.ts'

const changes = Type.Object(
  {
    ref_numbers: Type.Optional(shortTexts),
    tags: Type.Optional(shortTexts),
  },
  closed,
)
export const shipmentChangesBody = changesBodyOf('shipment', changes)
const readOnly = readOnlyOf(shipment, changes)

export interface ShipmentChanges {
  readonly refNumbers?: readonly string[]
  readonly tags?: readonly string[]
}

/**
 * Attributes that the body does not name are not changed; null empties one. Returns null when the body changes nothing.
 */
export function readShipmentChanges(body: unknown, id: string): ShipmentChanges | null {
  const given = readAttributes(body, {
    type: 'shipment',
    id,
    attributes: changes,
    readOnly,
  })
  if (given.ref_numbers === undefined && given.tags === undefined) return null
  return {
    ...(given.ref_numbers === undefined ? {} : { refNumbers: given.ref_numbers ?? [] }),
    ...(given.tags === undefined ? {} : { tags: given.tags ?? [] }),
  }
}
