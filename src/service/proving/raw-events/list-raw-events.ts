/** Raw events: what every source said about containers, word for word, including what the source withdrew. */

import type { Page, PageRequest } from '../../../store/lists/page.ts'
import {
  type RawEventOfContainer,
  type RawEventReading,
  readRawEventPage,
  readRawEvents,
} from '../../../store/read/raw-events.ts'
import { type Context, requireScope } from '../../context.ts'
import type { Service } from '../../service.ts'

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
