/** Which person of the account did a thing, according to the audit log. Other statements use this as a part. */

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
