/** Who changed what, as it is stored: one row for each change. What was changed also has its last change. */

import type { Db } from '../../db/database.ts'

export const actorTypes = ['user', 'api_key', 'oauth_client', 'system'] as const
export type ActorType = (typeof actorTypes)[number]

/** The last change that somebody made. Statements of sources do not count as a change. */
export interface LastChangedBy {
  readonly actor: { readonly type: ActorType; readonly id: string | null }
  /** ISO 8601, real clock. */
  readonly at: string
}

export interface AuditEvent {
  readonly accountId: string
  readonly id: string
  readonly at: string
  readonly actorType: ActorType
  readonly actorId: string | null
  readonly action: string
  readonly targetType: string
  readonly targetId: string | null
  readonly requestId: string
  readonly ip: string | null
  readonly userAgent: string | null
  /** For each field, before and after. Null where the action changes no field. */
  readonly diff: Readonly<Record<string, readonly [before: unknown, after: unknown]>> | null
}

export async function insertAuditEvent(db: Db, event: AuditEvent): Promise<void> {
  await db.query({
    name: 'audit_insert',
    text: `insert into audit_events
             (account_id, id, at, actor_type, actor_id, action, target_type, target_id, request_id, ip, user_agent, diff)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    values: [
      event.accountId,
      event.id,
      event.at,
      event.actorType,
      event.actorId,
      event.action,
      event.targetType,
      event.targetId,
      event.requestId,
      event.ip,
      event.userAgent,
      event.diff === null ? null : JSON.stringify(event.diff),
    ],
  })
}

export async function hasAuditEvent(
  db: Db,
  key: { readonly accountId: string; readonly id: string },
): Promise<boolean> {
  const { rows } = await db.query({
    name: 'audit_has',
    text: `select from audit_events where account_id = $1 and id = $2`,
    values: [key.accountId, key.id],
  })
  return rows.length > 0
}

interface ChangeMark {
  readonly accountId: string
  readonly id: string
  readonly by: LastChangedBy
}

/** These columns do not come from the ledger, so a rebuild does not touch them. */
export async function setShipmentChangedBy(db: Db, { accountId, id, by }: ChangeMark): Promise<void> {
  await db.query({
    name: 'shipment_mark',
    text: `update shipments set last_changed_by = $3 where account_id = $1 and id = $2`,
    values: [accountId, id, JSON.stringify(by)],
  })
}

export async function setContainerChangedBy(db: Db, { accountId, id, by }: ChangeMark): Promise<void> {
  await db.query({
    name: 'container_mark',
    text: `update containers set last_changed_by = $3 where account_id = $1 and id = $2`,
    values: [accountId, id, JSON.stringify(by)],
  })
}

export async function setRequestChangedBy(db: Db, { accountId, id, by }: ChangeMark): Promise<void> {
  await db.query({
    name: 'tracking_request_mark',
    text: `update tracking_requests set last_changed_by = $3 where account_id = $1 and id = $2`,
    values: [accountId, id, JSON.stringify(by)],
  })
}

/** What users may change of a thing, as it is now. */
export interface EditableFields {
  readonly refNumbers: readonly string[]
  readonly tags: readonly string[] | null
  readonly deliveredAt: unknown
}

export async function readEditableFields(
  db: Db,
  of: {
    readonly accountId: string
    readonly type: 'shipment' | 'container' | 'tracking_request'
    readonly id: string
  },
): Promise<EditableFields | null> {
  const { rows } = await db.query<EditableFields>({
    name: 'audit_editable',
    text: `select ref_numbers as "refNumbers", tags, null::jsonb as "deliveredAt"
             from shipments where $2 = 'shipment' and account_id = $1 and id = $3
           union all
           select ref_numbers, null, projection -> 'deliveredAt'
             from containers where $2 = 'container' and account_id = $1 and id = $3
           union all
           select ref_numbers, null, null
             from tracking_requests where $2 = 'tracking_request' and account_id = $1 and id = $3`,
    values: [of.accountId, of.type, of.id],
  })
  return rows[0] ?? null
}
