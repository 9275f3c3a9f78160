/** Who made or did a thing, as parts of other statements. An author has the name that the person, key or app has now. */

import type { actorTypes } from './audit-events-sql.ts'

export interface Author {
  readonly type: (typeof actorTypes)[number]
  /** Null for the system. */
  readonly id: string | null
  /** Null when there is no name: for the system, and for who has been removed from the database. */
  readonly name: string | null
}

/** What is stored of an author. */
export type AuthorId = Omit<Author, 'name'>

/**
 * SQL: the author as JSON. `by` is a column with an `AuthorId`, `account` the account of its row. A person who has left
 * the account keeps the name; a person without a name is shown by the e-mail address.
 */
export function authorOf({ account, by }: Readonly<Record<'account' | 'by', string>>): string {
  const id = `(${by} ->> 'id')`
  return `jsonb_build_object('type', ${by} -> 'type', 'id', ${by} -> 'id', 'name', case ${by} ->> 'type'
    when 'user' then (select coalesce(nullif(u.name, ''), u.email) from users u where u.id = ${id}::uuid)
    when 'api_key' then (select k.name from api_keys k where k.account_id = ${account} and k.id = ${id}::uuid)
    when 'oauth_client' then (select g.client_name from oauth_grants g
                               where g.account_id = ${account} and g.client_id = ${id}
                               order by g.created_at desc limit 1) end)`
}

/**
 * SQL: the person who did the latest `action` to `target` (an id in SQL); null when a key or an app did it, or when the
 * person is no longer a member. One index read for each row.
 */
export function userOf({ account, target, action }: Readonly<Record<'account' | 'target' | 'action', string>>): string {
  return `(select m.user_id
             from (select a.actor_type, a.actor_id from audit_events a
                    where a.account_id = ${account} and a.target_id = ${target} and a.action = '${action}'
                    order by a.at desc, a.id desc limit 1) last
             join memberships m on m.account_id = ${account} and m.user_id::text = last.actor_id
            where last.actor_type = 'user')`
}
