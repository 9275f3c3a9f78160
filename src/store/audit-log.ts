/** The audit log as people read it: with the names of those who acted. */

import type { ActorType } from './audit.ts'
import type { Db } from './database.ts'

export interface Activity {
  readonly id: string
  readonly at: string
  readonly actorType: ActorType
  /** Of a person, or of an API key. */
  readonly actorName: string | null
  readonly action: string
  readonly ip: string | null
  readonly diff: Readonly<Record<string, readonly [before: unknown, after: unknown]>> | null
}

/** Newest first. Ids are in the order of time, so the id of the last one is where the next page goes on. */
export async function listAuditEvents(
  db: Db,
  of: { readonly accountId: string; readonly beforeId: string | null; readonly limit: number },
): Promise<readonly Activity[]> {
  const { rows } = await db.query<Activity>({
    name: 'audit_list',
    text: `select e.id, e.at, e.actor_type as "actorType", coalesce(u.name, k.name) as "actorName", e.action,
                  host(e.ip) as ip, e.diff
             from audit_events e
             left join users u on e.actor_type = 'user' and u.id::text = e.actor_id
             left join api_keys k on e.actor_type = 'api_key' and k.account_id = $1 and k.id::text = e.actor_id
            where e.account_id = $1 and ($2::uuid is null or e.id < $2)
            order by e.id desc
            limit $3`,
    values: [of.accountId, of.beforeId, of.limit],
  })
  return rows
}
