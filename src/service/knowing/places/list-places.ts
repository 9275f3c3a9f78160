/** Ports or metropolitan areas by code or name. */

import { findPlaceByCode, type Place } from '../../../reference/places.ts'
import { placeRanks, readTypedPlace } from '../../../reference/typed-places.ts'
import type { Page, PageRequest } from '../../../store/lists/page.ts'
import { searchPlaces } from '../../../store/read/reference-search.ts'
import { type Context, requireScope } from '../../context.ts'
import type { Service } from '../../service.ts'
import { requireReference } from '../reference/require-reference.ts'

/**
 * `country`: ISO 3166 code; null for all. Lists only metropolitan areas that the trade calls so: a village without a
 * port is found only by its code or id.
 */
export async function listPlaces(
  service: Service,
  context: Context,
  input: {
    readonly kind: Place['kind']
    readonly filter: { readonly q: string | null; readonly country: string | null }
    readonly page: PageRequest
  },
): Promise<Page<Place>> {
  requireScope(context, 'read')
  await requireReference(service)
  const { q, country } = input.filter
  const { kind } = input
  const ranks = placeRanks(kind)
  const found = await searchPlaces(service.pool, {
    ...readTypedPlace(q ?? ''),
    q,
    ranks,
    codes: kind === 'port' ? null : [...ranks.keys()],
    unlocode: findPlaceByCode(q ?? '')?.unlocode ?? null,
    countryCode: country,
    page: input.page,
  })
  return { ...found, rows: found.rows.map((place) => ({ ...place, kind })) }
}
