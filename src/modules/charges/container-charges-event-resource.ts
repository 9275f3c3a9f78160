/** What changed in the charges of a container: for each terms that changed, the values before and after. */

import { identifierOrNull, type ResourceKind, toOne } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { missingReasons } from '../../domain/charges/evidence.ts'
import { tallyPhases } from '../../domain/charges/tally.ts'
import { changeCauses, chargeChanges } from '../../domain/charges/tally-changes.ts'
import { chargeKinds, chargers } from '../../domain/charges/terms.ts'
import { Type } from '../../platform/json-schema.ts'
import type { OwnEventReading } from '../events/domain-event-resource.ts'
import { moneyOrNull, sumSchema } from './charge-parts-resource.ts'

const terms = schema.object({
  change: schema.oneOf(chargeChanges),
  causes: schema.list(schema.oneOf(changeCauses), {
    description: 'What differs from the forecast; empty if only the first charged day began.',
  }),
  code: schema.text(),
  version: Type.Integer({ minimum: 1 }),
  kind: schema.oneOf(chargeKinds),
  charged_by: schema.oneOf(chargers),
  counts: Type.Boolean({ description: 'False: these terms no longer apply to the container.' }),
  phase: schema.oneOf(tallyPhases),
  missing: schema.oneOfOrNull(missingReasons, { description: 'Why no day can be counted.' }),
  last_free_day_before: schema.dayOrNull(),
  last_free_day: schema.dayOrNull(),
  first_charged_day: schema.dayOrNull(),
  stopped_on: schema.dayOrNull(),
  rate: moneyOrNull,
  owed: sumSchema,
  sentence: schema.textOrNull({ description: 'The reason for the last day that has begun.' }),
  claim_ids: schema.texts({ description: 'Statements of sources on which this is based.' }),
})

export const containerChargesEvent: ResourceKind<OwnEventReading<'container_charges_event'>> = {
  type: 'container_charges_event',
  attributes: { timestamp: schema.instant(), terms: schema.list(terms) },
  relations: { container: toOne('container'), shipment: toOne('shipment') },
  write: ({ event }) => ({ timestamp: event.payload['timestamp'], terms: event.payload['terms'] }),
  link: ({ event }) => ({
    container: identifierOrNull('container', event.containerId),
    shipment: identifierOrNull('shipment', event.shipmentId),
  }),
}
