/** Which event of a container is overdue, or is overdue no longer, and what that rests on. */

import { identifierOrNull, type ResourceKind, toOne } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { sourceStates } from '../../domain/view/expectation.ts'
import type { OwnEventReading } from '../events/domain-event-resource.ts'
import { expectationAttributes } from './expectation-resource.ts'
import { endings } from './overdue-event.ts'

const names = Object.keys(expectationAttributes)

export const containerOverdueEvent: ResourceKind<OwnEventReading<'container_overdue_event'>> = {
  type: 'container_overdue_event',
  attributes: {
    timestamp: schema.instant(),
    ...expectationAttributes,
    source_state: schema.oneOfOrNull(sourceStates, {
      description:
        'Whether the line still answered then; `silent`: not for 48 hours, so it may be silence and no delay. Null when it has ended.',
    }),
    source_answered_at: schema.instantOrNull({ description: 'When the line had answered last. Null: unknown.' }),
    ended_by: schema.oneOfOrNull(endings, {
      description:
        '`reported`: the event or a later one was reported. `changed`: the estimate or the event before changed. `not_tracked`: tracking has stopped. Null for the start.',
    }),
  },
  relations: { container: toOne('container'), shipment: toOne('shipment') },
  write: ({ event: { payload } }) => ({
    timestamp: payload['timestamp'],
    ...Object.fromEntries(names.map((name) => [name, payload[name]])),
    source_state: payload['source_state'],
    source_answered_at: payload['source_answered_at'],
    ended_by: payload['ended_by'],
  }),
  link: ({ event }) => ({
    container: identifierOrNull('container', event.containerId),
    shipment: identifierOrNull('shipment', event.shipmentId),
  }),
}
