/** Ids of the transport events and raw events of containers, for callers that only write relationships. */

import { type EventIds, readEventIds } from '../../../store/read/related-ids.ts'
import { type Context, requireScope } from '../../context.ts'
import type { Service } from '../../service.ts'

/** At most `rawMax` raw events of each container: those that were heard last. */
export async function listEventIds(
  service: Service,
  context: Context,
  input: { readonly containerIds: readonly string[]; readonly rawMax: number },
): Promise<readonly EventIds[]> {
  requireScope(context, 'read')
  return readEventIds(service.pool, { accountId: context.account.id, ...input })
}
