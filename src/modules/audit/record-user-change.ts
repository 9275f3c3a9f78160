/**
 * A change of a person's own sign-in is recorded in every account that the person belongs to, because it concerns all
 * of them.
 */

import type { Db } from '../../db/database.ts'
import type { Origin } from '../access/context.ts'
import { listAccountsOfUser } from '../members/memberships-sql.ts'
import type { Service } from '../service.ts'
import { type Change, recordChange } from './record-change.ts'

/** A person who acts on their own behalf. */
export interface Person {
  readonly userId: string
  readonly requestId: string
  readonly from: Origin
}

export async function recordUserChange(
  db: Db,
  service: Service,
  { userId, requestId, from }: Person,
  change: Pick<Change, 'action'> & Partial<Change>,
): Promise<void> {
  for (const { accountId } of await listAccountsOfUser(db, userId)) {
    await recordChange(
      db,
      service,
      { account: { id: accountId }, actor: { kind: 'user', id: userId }, requestId, from },
      { target: { type: 'user', id: userId }, diff: null, ...change },
    )
  }
}
