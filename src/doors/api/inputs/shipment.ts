/** What a body may change of a shipment. */

import { Type } from 'typebox'
import { readAttributes } from '../bodies/body.ts'
import { bodyOf } from '../description/operation.ts'
import { closed, readOnlyOf, shortTexts } from './attributes.ts'

const changes = Type.Object(
  {
    ref_numbers: Type.Optional(shortTexts),
    tags: Type.Optional(shortTexts),
  },
  closed,
)
export const shipmentChangesBody = bodyOf('shipment', changes)
const readOnly = readOnlyOf('shipment', changes)

export interface ShipmentChanges {
  readonly refNumbers?: readonly string[]
  readonly tags?: readonly string[]
}

/** What is not named stays; null empties. Null when the body changes nothing. */
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
