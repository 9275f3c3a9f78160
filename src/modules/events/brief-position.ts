/** Where the next brief of a credential begins. */

import { type Context, requireScope } from '../access/context.ts'
import type { Service } from '../service.ts'
import { type BriefPosition, findBriefPosition, keepBriefPosition } from './brief-positions-sql.ts'

/** Null before its first brief. */
export async function getBriefPosition({ pool }: Service, context: Context): Promise<BriefPosition | null> {
  requireScope(context, 'read')
  return findBriefPosition(pool, credentialOf(context))
}

export async function putBriefPosition({ pool }: Service, context: Context, position: BriefPosition): Promise<void> {
  requireScope(context, 'read')
  await keepBriefPosition(pool, { ...credentialOf(context), ...position })
}

function credentialOf({ account, actor }: Context) {
  return { accountId: account.id, credential: actor.kind === 'system' ? account.id : actor.id }
}
