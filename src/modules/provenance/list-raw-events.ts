/** Raw events: all statements of all sources about containers, verbatim, including what the source withdrew. */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import { type Context, requireScope } from '../access/context.ts'
import type { Service } from '../service.ts'
import { type RawEventOfContainer, type RawEventReading, readRawEventPage, readRawEvents } from './raw-events-sql.ts'

/**
 * In `index` order within each container. `ids` selects claims; they keep the numbers that they have among all claims.
 */
export async function listRawEvents(
  service: Service,
  context: Context,
  input: { readonly containerIds: readonly string[]; readonly ids?: readonly string[] },
): Promise<readonly RawEventOfContainer[]> {
  requireScope(context, 'read')
  return readRawEvents(service.pool, {
    accountId: context.account.id,
    containerIds: [...new Set(input.containerIds)],
    ids: input.ids ?? null,
  })
}

/** The raw events of one container, in `index` order. */
export async function pageRawEvents(
  service: Service,
  context: Context,
  input: { readonly containerId: string; readonly page: PageRequest },
): Promise<Page<RawEventReading>> {
  requireScope(context, 'read')
  return readRawEventPage(service.pool, { accountId: context.account.id, ...input })
}
