/** `expectation`: what should happen next to a container, and until when. */

import { type ResourceKind, toOne } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { legs } from '../../domain/view/expected-steps.ts'
import { milestoneNames } from '../../domain/view/projection.ts'
import { Type } from '../../platform/json-schema.ts'
import type { ExpectationReading } from './list-expectations.ts'
import { writeExpectation } from './overdue-event.ts'

export const expectationAttributes = {
  leg: schema.oneOf(legs),
  expected: schema.oneOf(milestoneNames, { description: 'The next event. A later one counts as well.' }),
  after: schema.oneOf(milestoneNames, { description: 'The last event.' }),
  after_at: schema.instant(),
  estimate_at: schema.instantOrNull({
    description: "The line's estimate of the arrival, from which the time is counted. Null: from the last event.",
  }),
  due_at: schema.instant({ description: 'Later than this, it is overdue.' }),
  usual_hours: Type.Integer({
    description: 'Half of the earlier cases took at most so long until they were reported.',
  }),
  limit_hours: Type.Integer({ description: '95 of 100 took at most so long.' }),
  by: schema.oneOf(['own', 'prior'], {
    description: '`own`: by earlier containers of the account with this line. `prior`: by simulated journeys.',
  }),
  cases: Type.Integer({ minimum: 1, description: 'How many earlier cases.' }),
  sentence: schema.text({ description: 'The same in words.' }),
}

export const expectation: ResourceKind<ExpectationReading> = {
  type: 'expectation',
  attributes: {
    ...expectationAttributes,
    overdue_since: schema.instantOrNull({ description: 'Null: it is not overdue.' }),
  },
  relations: { container: toOne('container'), shipment: toOne('shipment') },
  write: ({ expected, overdueAt, now }) => ({ ...writeExpectation(expected, now), overdue_since: overdueAt }),
  link: ({ id, shipmentId }) => ({
    container: { type: 'container', id },
    shipment: { type: 'shipment', id: shipmentId },
  }),
}
