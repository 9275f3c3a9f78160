/** Ids of the values and options of custom field definitions, for callers that only write relationships. */

import { readValueIds, type ValueIds } from '../../../store/read/related-ids.ts'
import { type Context, requireScope } from '../../context.ts'
import type { Service } from '../../service.ts'

/** At most `fieldsMax` values of each definition, the newest. */
export async function listValueIds(
  service: Service,
  context: Context,
  input: { readonly definitionIds: readonly string[]; readonly fieldsMax: number },
): Promise<readonly ValueIds[]> {
  requireScope(context, 'read')
  return readValueIds(service.pool, { accountId: context.account.id, ...input })
}
