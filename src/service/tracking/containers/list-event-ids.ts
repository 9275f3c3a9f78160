/** Which transport events and raw events containers have: their ids alone, for those who say what relates to what. */

import { type EventIds, readEventIds } from '../../../store/read/related-ids.ts'
import { type Context, requireScope } from '../../context.ts'
import type { Service } from '../../service.ts'

/** At most `rawMax` raw events of each container, the last heard. */
export async function listEventIds(
  service: Service,
  context: Context,
  input: { readonly containerIds: readonly string[]; readonly rawMax: number },
): Promise<readonly EventIds[]> {
  requireScope(context, 'read')
  return readEventIds(service.pool, { accountId: context.account.id, ...input })
}
