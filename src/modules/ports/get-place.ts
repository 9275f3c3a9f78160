/** One port or metropolitan area, by its id or by any UN/LOCODE that means it. */

import { findPlaceByCode, findPlaceById, type Place } from '../../reference/places.ts'
import { isMetroArea } from '../../reference/typed-places.ts'
import { type Context, requireScope } from '../access/context.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'

export async function getPlace(
  _service: Service,
  context: Context,
  input: { readonly kind: Place['kind']; readonly idOrUnlocode: string },
): Promise<Place> {
  requireScope(context, 'read')
  const place = findPlaceByCode(input.idOrUnlocode) ?? findPlaceById(input.idOrUnlocode)
  const isBoth = input.kind === 'metro_area' && place !== null && isMetroArea(place.unlocode)
  if (place === null || (place.kind !== input.kind && !isBoth))
    throw notFound(input.kind === 'port' ? 'port' : 'metropolitan area')
  return { ...place, kind: input.kind }
}
