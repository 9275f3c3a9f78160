/** What a person does with their own sign-in is written down in every account that they belong to: all have a stake in it. */

import type { Db } from '../../../store/database.ts'
import { listAccountsOfUser } from '../../../store/memberships.ts'
import type { Origin } from '../../context.ts'
import type { Service } from '../../service.ts'
import { type Change, recordChange } from './record-change.ts'

/** Whoever acts on their own behalf. */
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
