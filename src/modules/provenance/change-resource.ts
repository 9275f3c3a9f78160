/** `change`: one entry of the ledger that changed something: what, by whose statement, and which events followed. */

import type { ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { entryKinds } from '../../pipeline/ledger/ledger-sql.ts'
import { Type } from '../../platform/json-schema.ts'
import type { ChangeReading } from './list-history.ts'

const valueChange = schema.object({
  resource_type: schema.oneOf(['shipment', 'container']),
  resource_id: schema.id(),
  attribute: schema.text(),
  before: Type.Unsafe({ description: 'Null if there was no value, or if the resource did not exist.' }),
  after: Type.Unsafe({}),
})

export const change: ResourceKind<ChangeReading> = {
  type: 'change',
  attributes: {
    recorded_at: schema.instant(),
    cause: schema.oneOf(entryKinds, {
      description:
        '`look`: a carrier was polled. `heard`: data came without a poll: a message, the position of a ship, or a statement of a person ' +
        '(earlier versions: `vessel_arrival` and `user_action`). `timer`: a time limit ended, or a prediction had not changed for long enough. ' +
        '`reprojected`: the rules of Landfall were corrected.',
    }),
    action: schema.textOrNull({ description: 'What a user did: `stop_tracking`, `update_shipment` …' }),
    reason: schema.textOrNull({ description: 'If Landfall itself was corrected: what was corrected.' }),
    rules: schema.text({ description: 'The merge rules by which this change was computed: `rules/2`.' }),
    served_by_rules: schema.textOrNull({
      description:
        'The older merge rules that were valid at that time, if they no longer exist. The values that were shown then may have been different.',
    }),
    made_by: schema.anyOf([
      schema.object({
        kind: schema.text({
          description: '`shipping_line`, `ais`, `user`, `api_key`, `oauth_client`, `system`.',
        }),
        id: schema.textOrNull({
          description: 'SCAC of the line, id of the user or key, version of the rules.',
        }),
      }),
      schema.nothing({ description: 'Null: only time passed.' }),
    ]),
    snapshot_id: schema.textOrNull({ description: 'The answer that was read.' }),
    ledger_position: Type.Integer(),
    changes: schema.list(valueChange),
    events: schema.list(
      schema.object({
        id: schema.id(),
        name: schema.text(),
        sequence: schema.integerOrNull({ description: 'The `sequence` of the event in the feed.' }),
      }),
      { description: 'The events that were sent for it.' },
    ),
  },
  relations: {},
  write: (reading) => ({
    recorded_at: reading.recordedAt,
    cause: reading.cause,
    action: reading.action,
    reason: reading.reason,
    rules: `rules/${reading.rules}`,
    served_by_rules: reading.servedByRules === null ? null : `rules/${reading.servedByRules}`,
    made_by: reading.by,
    snapshot_id: reading.snapshotId,
    ledger_position: reading.position,
    changes: reading.changes.map(({ type, id, attribute, before, after }) => ({
      resource_type: type,
      resource_id: id,
      attribute,
      before,
      after,
    })),
    events: reading.events.map(({ id, name, sequence }) => ({ id, name, sequence })),
  }),
  link: () => ({}),
}
