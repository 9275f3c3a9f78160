/** The audit log as people read it: with the names of those who acted, and of what they acted on. */

import type { Db } from '../database.ts'
import type { ActorType } from './audit.ts'

export interface Activity {
  readonly id: string
  readonly at: string
  readonly actorType: ActorType
  /** The name of a person, an API key or an app. */
  readonly actorName: string | null
  readonly action: string
  readonly targetType: string
  /** Its present name; null for what is gone, and for what has no name. */
  readonly targetName: string | null
  readonly ip: string | null
  readonly diff: Readonly<Record<string, readonly [before: unknown, after: unknown]>> | null
}

/** One look-up by primary key for each row of the page: a `case` runs only the branch that it takes. */
const targetName = `case e.target_type
    when 'account' then (select x.company_name from accounts x where x.id = e.target_id)
    when 'api_key' then (select x.name from api_keys x where x.account_id = $1 and x.id = e.target_id)
    when 'container' then (select x.number from containers x where x.account_id = $1 and x.id = e.target_id)
    when 'custom_field' then
      (select d.display_name from custom_field_definitions d
        where d.account_id = $1 and d.id = coalesce(
          (select f.definition_id from custom_fields f where f.account_id = $1 and f.id = e.target_id),
          (e.diff #>> '{definitionId,0}')::uuid))
    when 'custom_field_definition' then
      (select x.display_name from custom_field_definitions x where x.account_id = $1 and x.id = e.target_id)
    when 'custom_field_option' then
      (select x.label from custom_field_options x where x.account_id = $1 and x.id = e.target_id)
    when 'invitation' then (select x.email from invitations x where x.account_id = $1 and x.id = e.target_id)
    when 'membership' then (select x.name from users x where x.id = e.target_id)
    when 'oauth_grant' then (select x.client_name from oauth_grants x where x.account_id = $1 and x.id = e.target_id)
    when 'party' then (select x.company_name from parties x where x.account_id = $1 and x.id = e.target_id)
    when 'shipment' then
      (select x.bill_of_lading_number from shipments x where x.account_id = $1 and x.id = e.target_id)
    when 'tracking_request' then
      (select x.request_number from tracking_requests x where x.account_id = $1 and x.id = e.target_id)
    when 'user' then (select x.name from users x where x.id = e.target_id)
    when 'webhook' then (select x.url from webhooks x where x.account_id = $1 and x.id = e.target_id)
    when 'webhook_notification' then
      (select x.event from webhook_notifications x where x.account_id = $1 and x.id = e.target_id)
  end`

/** Newest first. Ids are in the order of time, so the next page begins after the id of the last row. */
export async function listAuditEvents(
  db: Db,
  of: { readonly accountId: string; readonly beforeId: string | null; readonly limit: number },
): Promise<readonly Activity[]> {
  const { rows } = await db.query<Activity>({
    name: 'audit_list',
    text: `with e as (
             select id, at, actor_type, actor_id, action, target_type, target_id, ip, diff from audit_events
              where account_id = $1 and ($2::uuid is null or id < $2)
              order by id desc
              limit $3)
           select e.id, e.at, e.actor_type as "actorType",
                  case e.actor_type
                    when 'user' then (select u.name from users u where u.id = e.actor_id::uuid)
                    when 'api_key' then
                      (select k.name from api_keys k where k.account_id = $1 and k.id = e.actor_id::uuid)
                    when 'oauth_client' then
                      (select g.client_name from oauth_grants g
                        where g.account_id = $1 and g.client_id = e.actor_id order by g.created_at desc limit 1)
                  end as "actorName",
                  e.action, e.target_type as "targetType", ${targetName} as "targetName", host(e.ip) as ip, e.diff
             from e order by e.id desc`,
    values: [of.accountId, of.beforeId, of.limit],
  })
  return rows
}
