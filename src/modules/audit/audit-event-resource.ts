/** `audit_event`: one thing that somebody did in the account. Nobody can change or delete it. */

import type { IdentifiedReading, ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { writeIfTime } from '../../api/shape/whole-times.ts'
import { actorTypes } from './audit-events-sql.ts'
import type { Activity } from './list-audit-events-sql.ts'
import { targetTypes } from './record-change.ts'

export interface AuditEventReading extends IdentifiedReading {
  readonly type: 'audit_event'
  readonly activity: Activity
}

export function readAuditEvent(activity: Activity): AuditEventReading {
  return { type: 'audit_event', id: activity.id, activity }
}

export const auditEvent: ResourceKind<AuditEventReading> = {
  type: 'audit_event',
  attributes: {
    action: schema.text({ description: 'What was changed and how: `api_key.created`.' }),
    actor: schema.object(
      {
        type: schema.oneOf(actorTypes),
        id: schema.textOrNull(),
        name: schema.textOrNull({ description: 'Present name of the person, the key or the app.' }),
      },
      { description: 'Who did it.' },
    ),
    target: schema.object(
      {
        type: schema.oneOf(targetTypes),
        id: schema.textOrNull(),
        name: schema.textOrNull({ description: 'Its present name; if it was deleted, its last name.' }),
      },
      { description: 'The thing that was changed.' },
    ),
    changes: schema.list(
      schema.object({
        attribute: schema.text(),
        before: { description: 'Null where there was none.' },
        after: { description: 'Null where there is none any more.' },
      }),
    ),
    ip: schema.textOrNull(),
    user_agent: schema.textOrNull(),
    request_id: schema.text(),
    created_at: schema.instant(),
  },
  relations: {},
  write: ({ activity }) => ({
    action: activity.action,
    actor: { type: activity.actorType, id: activity.actorId, name: activity.actorName },
    target: {
      type: activity.targetType,
      id: activity.targetId,
      name: activity.targetName ?? nameIn(activity.diff),
    },
    changes: Object.entries(activity.diff ?? {}).map(([field, [before, after]]) => ({
      attribute: field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      before: toWireTimes(before),
      after: toWireTimes(after),
    })),
    ip: activity.ip,
    user_agent: activity.userAgent,
    request_id: activity.requestId,
    created_at: activity.at,
  }),
  link: () => ({}),
}

/** Times anywhere in a value, in the format of the API. */
function toWireTimes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null), (_name, each: unknown) => writeIfTime(each))
}

/** The name of what is gone: the record of its deletion has it. */
function nameIn(diff: Activity['diff']): string | null {
  for (const field of ['name', 'email', 'url', 'displayName', 'label', 'companyName', 'client']) {
    const found = diff?.[field]?.find((value) => typeof value === 'string')
    if (typeof found === 'string') return found
  }
  return null
}
