/** Terminals and ramps by code, name or port. */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import { findPlaceByCode, findPlaceById } from '../../reference/places.ts'
import type { Terminal } from '../../reference/terminal.ts'
import { findTypedTerminals } from '../../reference/typed-terminals.ts'
import { type Context, requireScope } from '../access/context.ts'
import { ServiceError } from '../errors.ts'
import { requireReference } from '../reference-data/require-reference.ts'
import { searchTerminals } from '../reference-data/search-reference-sql.ts'
import type { Service } from '../service.ts'

/** `port`: id or UN/LOCODE of a port or metropolitan area; an unknown one is refused. */
export async function listTerminals(
  service: Service,
  context: Context,
  input: {
    readonly filter: { readonly q: string | null; readonly port: string | null }
    readonly page: PageRequest
  },
): Promise<Page<Terminal>> {
  requireScope(context, 'read')
  await requireReference(service)
  const { q, port } = input.filter
  const place = port === null ? null : (findPlaceByCode(port) ?? findPlaceById(port))
  if (port !== null && place === null)
    throw new ServiceError('invalid', 'There is no port with this UN/LOCODE or id.', {
      source: { parameter: 'filter[port]' },
    })
  return searchTerminals(service.pool, {
    q,
    others: findTypedTerminals(q ?? ''),
    unlocode: place?.unlocode ?? null,
    page: input.page,
  })
}
