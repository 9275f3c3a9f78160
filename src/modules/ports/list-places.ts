/** Ports or metropolitan areas by code or name. */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import { findPlaceByCode, type Place } from '../../reference/places.ts'
import { placeRanks, readTypedPlace } from '../../reference/typed-places.ts'
import { type Context, requireScope } from '../access/context.ts'
import { requireReference } from '../reference-data/require-reference.ts'
import { searchPlaces } from '../reference-data/search-reference-sql.ts'
import type { Service } from '../service.ts'

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
