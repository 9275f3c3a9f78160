/** The one place where a request that only reads is given a read replica. */

import { onBehalfOf } from '../db/account-shares.ts'
import { findReplicaSession, replicasOf } from '../db/distributed/replicas.ts'
import type { Context } from './access/context.ts'
import type { Service } from './service.ts'

/**
 * Runs `work` where statements that only read go to a replica which shows everything that was committed before this call;
 * else, and for everything else that `work` does, at the primary. Without replicas it costs nothing.
 */
export function readAtReplica<T>(service: Service, { account }: Context, work: () => T): T | Promise<T> {
  if (replicasOf(service.pool) === null) return onBehalfOf(account.id, work)
  return onBehalfOf(account.id, async () => {
    const place = await findReplicaSession(service.pool)
    return onBehalfOf(account.id, work, place)
  })
}
