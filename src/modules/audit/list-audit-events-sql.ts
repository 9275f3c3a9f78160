/** The audit log as people read it: with the names of those who acted, and of what they acted on. */

import type { Db } from '../../db/database.ts'
import { makeConditions, sql } from '../../db/listing/conditions.ts'
import { getJsonInstant } from '../../db/listing/json-instant.ts'
import {
  countUpTo,
  type ListingSpec,
  readListing,
  readOrder,
  rowJson,
  type SortColumn,
} from '../../db/listing/listing.ts'
import type { Page, PageRequest, TimeRange } from '../../db/listing/page.ts'
import type { ActorType } from './audit-events-sql.ts'

export interface Activity {
  readonly id: string
  readonly at: string
  readonly actorType: ActorType
  readonly actorId: string | null
  /** The name of a person, an API key or an app. */
  readonly actorName: string | null
  readonly action: string
  readonly targetType: string
  readonly targetId: string | null
  /** Its present name; null for what is gone, and for what has no name. */
  readonly targetName: string | null
  readonly ip: string | null
  readonly userAgent: string | null
  readonly requestId: string
  readonly diff: Readonly<Record<string, readonly [before: unknown, after: unknown]>> | null
}

/** One look-up by primary key for each row of the page: a `case` evaluates only the branch that applies. */
const targetName = `case e.target_type
    when 'account' then (select x.company_name from accounts x where x.id = e.target_id)
    when 'column_map' then (select x.name from column_maps x where x.account_id = $1 and x.id = e.target_id)
    when 'document' then (select x.file_name from documents x where x.account_id = $1 and x.id = e.target_id)
    when 'saved_view' then (select x.name from saved_views x where x.account_id = $1 and x.id = e.target_id)
    when 'share_link' then (select x.name from share_links x where x.account_id = $1 and x.id = e.target_id)
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
    when 'party_role' then
      (select x.company_name from parties x
        where x.account_id = $1 and x.id = coalesce(e.diff #>> '{partyId,1}', e.diff #>> '{partyId,0}')::uuid)
    when 'shipment' then
      (select x.bill_of_lading_number from shipments x where x.account_id = $1 and x.id = e.target_id)
    when 'tracking_request' then
      (select x.request_number from tracking_requests x where x.account_id = $1 and x.id = e.target_id)
    when 'user' then (select x.name from users x where x.id = e.target_id)
    when 'webhook' then (select x.url from webhooks x where x.account_id = $1 and x.id = e.target_id)
    when 'webhook_notification' then
      (select x.event from webhook_notifications x
        where x.account_id = $1 and x.id = e.target_id
          and x.created_at >= earliest_by_id(e.target_id) and x.created_at < latest_by_id(e.target_id))
  end`

/** What is read of `e`, a row of the log. */
const columns = `e.id, e.at, e.actor_type as "actorType", e.actor_id as "actorId",
  case e.actor_type
    when 'user' then (select u.name from users u where u.id = e.actor_id::uuid)
    when 'api_key' then (select k.name from api_keys k where k.account_id = $1 and k.id = e.actor_id::uuid)
    when 'oauth_client' then
      (select g.client_name from oauth_grants g
        where g.account_id = $1 and g.client_id = e.actor_id order by g.created_at desc limit 1)
  end as "actorName",
  e.action, e.target_type as "targetType", e.target_id as "targetId", ${targetName} as "targetName",
  host(e.ip) as ip, e.user_agent as "userAgent", e.request_id as "requestId", e.diff`

export interface AuditFilter {
  /** One action, or the noun of several: `api_key` is all that was done to keys. */
  readonly action: string | null
  readonly actorId: string | null
  readonly actorType: string | null
  readonly targetId: string | null
  readonly targetType: string | null
  readonly at: TimeRange
}

const auditSorts = { created_at: { column: 'at', type: 'timestamptz' } } as const satisfies Readonly<
  Record<string, SortColumn>
>
export const auditOrders = ['-created_at', 'created_at'] as const
export type AuditOrder = (typeof auditOrders)[number]

interface AuditList {
  readonly accountId: string
  readonly filter: AuditFilter
  readonly order: AuditOrder
  readonly page: PageRequest
  readonly isCounted: boolean
}

export async function listAuditRows(db: Db, of: AuditList): Promise<Page<Activity>> {
  const { rows, ...rest } = await readListing<Activity>(db, buildListing(of))
  return { rows: rows.map((row) => ({ ...row, at: getJsonInstant(row.at) })), ...rest }
}

/** Null when more than `bound` match. */
export function countAuditRows(db: Db, of: AuditList, bound: number): Promise<number | null> {
  return countUpTo(db, buildListing(of), bound)
}

function buildListing({ accountId, filter, order, page, isCounted }: AuditList): ListingSpec {
  const conditions = makeConditions('e', accountId)
  const { action } = filter
  if (action?.includes('.')) conditions.add(sql`e.action = ${action}`)
  else conditions.add(sql`split_part(e.action, '.', 1) = ${action}`)
  conditions.add(sql`e.actor_id = ${filter.actorId}`)
  conditions.add(sql`e.actor_type = ${filter.actorType}`)
  conditions.add(sql`e.target_id = ${filter.targetId}::uuid`)
  conditions.add(sql`e.target_type = ${filter.targetType}`)
  conditions.addRange('e.at', filter.at)
  return {
    table: 'audit_events',
    alias: 'e',
    select: rowJson(columns),
    joins: '',
    ...readOrder(auditSorts, order),
    conditions,
    page,
    isCounted,
  }
}
