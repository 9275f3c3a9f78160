/** Ids of the values and options of custom field definitions, for callers that only write relationships. */

import { type Context, requireScope } from '../access/context.ts'
import { readValueIds, type ValueIds } from '../containers/related-ids-sql.ts'
import type { Service } from '../service.ts'

/** At most `fieldsMax` values of each definition, the newest. */
export async function listValueIds(
  service: Service,
  context: Context,
  input: { readonly definitionIds: readonly string[]; readonly fieldsMax: number },
): Promise<readonly ValueIds[]> {
  requireScope(context, 'read')
  return readValueIds(service.pool, { accountId: context.account.id, ...input })
}
