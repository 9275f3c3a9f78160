/** Who changed what: every verb that writes calls this last, in the transaction of its change. */

import type { Db } from '../../db/database.ts'
import { uuidV7 } from '../../platform/ids.ts'
import type { Actor, Context } from '../access/context.ts'
import { realNow, type Service } from '../service.ts'
import {
  insertAuditEvent,
  type LastChangedBy,
  setContainerChangedBy,
  setRequestChangedBy,
  setShipmentChangedBy,
} from './audit-events-sql.ts'

/** What can be changed, by the resource names of the API. */
export const targetTypes = [
  'account',
  'alert_rule',
  'api_key',
  'calendar',
  'charge_terms',
  'attention_entry',
  'attention_item',
  'code_mapping',
  'column_map',
  'container',
  'custom_field',
  'custom_field_definition',
  'custom_field_option',
  'document',
  'invitation',
  'invoice_audit',
  'mailbox',
  'mailbox_sender',
  'membership',
  'note',
  'oauth_grant',
  'party',
  'party_role',
  'saved_view',
  'session',
  'share_link',
  'shipment',
  'tracking_request',
  'user',
  'webhook',
  'webhook_notification',
] as const
export type TargetType = (typeof targetTypes)[number]

type Diff = Readonly<Record<string, readonly [before: unknown, after: unknown]>>

/** The members of a context that a record of a change contains. */
type ActingContext = Pick<Context, 'actor' | 'requestId' | 'from'> & {
  readonly account: { readonly id: string }
}

export interface Change {
  /** `<noun>.<what was done>`. */
  readonly action: string
  readonly target: { readonly type: TargetType; readonly id: string | null }
  readonly diff: Diff | null
  /**
   * The id of its row in the audit log, from which one can later see that the change was made. A new id when left out.
   */
  readonly id?: string | undefined
}

/** Who acts, and when: a row stores this of its last change. */
export function changedBy(service: Service, context: ActingContext): LastChangedBy {
  return { actor: { type: context.actor.kind, id: idOf(context.actor) }, at: realNow(service) }
}

export async function recordChange(
  db: Db,
  service: Service,
  context: ActingContext,
  { action, target, diff, id }: Change,
): Promise<void> {
  await insertAuditEvent(db, {
    accountId: context.account.id,
    id: id ?? uuidV7(service.clock.now()),
    at: realNow(service),
    actorType: context.actor.kind,
    actorId: idOf(context.actor),
    action,
    targetType: target.type,
    targetId: target.id,
    requestId: context.requestId,
    ip: context.from?.ip ?? null,
    userAgent: context.from?.userAgent ?? null,
    diff,
  })
}

const marks = {
  shipment: setShipmentChangedBy,
  container: setContainerChangedBy,
  tracking_request: setRequestChangedBy,
} as const

/** The same for rows that the ledger makes. They store the last change in columns that the fold does not write. */
export async function recordTrackingChange(
  db: Db,
  service: Service,
  context: Context,
  change: Change & { readonly target: { readonly type: keyof typeof marks; readonly id: string } },
): Promise<void> {
  const by = changedBy(service, context)
  await marks[change.target.type](db, { accountId: context.account.id, id: change.target.id, by })
  await recordChange(db, service, context, change)
}

/** The fields that became different; null when none did. */
export function diffOf<Row extends object>(
  before: Row | null,
  after: Row | null,
  fields: readonly (keyof Row & string)[],
): Diff | null {
  const differing = fields.flatMap((field) => {
    const [was, is] = [before?.[field] ?? null, after?.[field] ?? null]
    return JSON.stringify(was) === JSON.stringify(is) ? [] : [[field, [was, is]] as const]
  })
  return differing.length === 0 ? null : Object.fromEntries(differing)
}

function idOf(actor: Actor): string | null {
  return actor.kind === 'system' ? null : actor.id
}
