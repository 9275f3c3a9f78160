/** `shipment_eta`: one predicted arrival of a shipment, stated by a source or estimated by us. */

import type { ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { sourceKinds } from '../../domain/statements/observation.ts'
import { instantOf } from '../../domain/values/time.ts'
import type { ShipmentEtaReading } from './list-etas-sql.ts'
import { etaMadeOf } from './own-eta-resource.ts'

const { instantOrNull, numberOrNull, textOrNull } = schema

export const shipmentEta: ResourceKind<ShipmentEtaReading> = {
  type: 'shipment_eta',
  attributes: {
    eta_at: schema.instant({
      description: 'If the source gave only a day: midnight of that day at the port.',
    }),
    day_only: { type: 'boolean', description: 'True: the source gave only the day.' },
    heard_at: schema.instant({ description: 'When Landfall received or computed it.' }),
    stated_at: instantOrNull({ description: 'When the source made the statement, according to the source.' }),
    said_by: schema.oneOf([...sourceKinds, 'landfall'], {
      description:
        "`landfall`: Landfall's own estimate, from the positions of the ship and the statements of the carrier.",
    }),
    source_code: schema.text({ description: 'SCAC of a line, code of a terminal, `landfall`.' }),
    classifier: schema.oneOf(['planned', 'estimated']),
    port_of_discharge_locode: schema.text(),
    vessel_imo: textOrNull(),
    vessel_name: textOrNull(),
    voyage_number: textOrNull(),
    container_numbers: schema.texts({
      description: 'The containers for which it was stated; empty if it is for the whole shipment.',
    }),
    current: { type: 'boolean', description: 'True: nobody has withdrawn or changed it since.' },
    earliest_at: instantOrNull({
      description: "Only for Landfall's own estimates: one ship in ten arrives earlier than this.",
    }),
    latest_at: instantOrNull({
      description: "Only for Landfall's own estimates: one ship in ten arrives later than this.",
    }),
    position_heard_at: instantOrNull(),
    remaining_nautical_miles: numberOrNull(),
    speed_knots: numberOrNull({ description: 'Average speed of the last days, without the time in ports.' }),
    made_of: schema.anyOf([
      etaMadeOf.schema(),
      schema.nothing({
        description:
          'Null for estimates of other sources, and for estimates that were made before Landfall stored this.',
      }),
    ]),
  },
  relations: {},
  write: (reading) => ({
    eta_at: instantOf(reading.time, reading.timeZone).at,
    day_only: reading.time.kind === 'day',
    heard_at: reading.heardAt,
    stated_at: reading.statedAt,
    said_by: reading.saidBy,
    source_code: reading.sourceCode,
    classifier: reading.classifier === 'PLN' ? 'planned' : 'estimated',
    port_of_discharge_locode: reading.unlocode,
    vessel_imo: reading.vesselImo,
    vessel_name: reading.vesselName,
    voyage_number: reading.voyage,
    container_numbers: reading.containerNumbers,
    current: reading.isStanding,
    earliest_at: reading.own?.earliest ?? null,
    latest_at: reading.own?.latest ?? null,
    position_heard_at: reading.own?.fixAt ?? null,
    remaining_nautical_miles: reading.own?.remainingNm ?? null,
    speed_knots: reading.own?.speedKnots ?? null,
    made_of: etaMadeOf.write(reading.own?.madeOf ?? null),
  }),
  link: () => ({}),
}
