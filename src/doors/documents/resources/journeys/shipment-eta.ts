/** `shipment_eta`: one predicted arrival of a shipment, stated by a source or estimated by us. */

import { sourceKinds } from '../../../../core/statements/observation.ts'
import { instantOf } from '../../../../core/values/time.ts'
import type { ShipmentEtaReading } from '../../../../store/read/shipment-etas.ts'
import type { ResourceKind } from '../../shape/resource.ts'
import * as schema from '../../shape/schema.ts'
import { etaMadeOf } from './own-eta.ts'

const { instantOrNull, numberOrNull, textOrNull } = schema

export const shipmentEta: ResourceKind<ShipmentEtaReading> = {
  type: 'shipment_eta',
  attributes: {
    eta_at: schema.instant({ description: 'Midnight at the port where the source gave but a day.' }),
    heard_at: schema.instant({ description: 'When we heard it, or estimated it.' }),
    stated_at: instantOrNull({ description: 'When the source says that it said so.' }),
    said_by: schema.oneOf([...sourceKinds, 'landfall'], {
      description: '`landfall`: our own estimate, from where the ship was heard and what the line says.',
    }),
    source_code: schema.text({ description: 'SCAC of a line, code of a terminal, `landfall`.' }),
    classifier: schema.oneOf(['planned', 'estimated']),
    port_of_discharge_locode: schema.text(),
    vessel_imo: textOrNull(),
    vessel_name: textOrNull(),
    voyage_number: textOrNull(),
    container_numbers: schema.texts({
      description: 'Of which containers it was said; empty when of the whole shipment.',
    }),
    current: { type: 'boolean', description: 'Nobody has taken it back or said otherwise since.' },
    earliest_at: instantOrNull({ description: 'Of our own estimates: one ship in ten comes earlier.' }),
    latest_at: instantOrNull({ description: 'Of our own estimates: one ship in ten comes later.' }),
    position_heard_at: instantOrNull(),
    remaining_nautical_miles: numberOrNull(),
    speed_knots: numberOrNull({ description: 'Made good lately, ports left out.' }),
    made_of: schema.anyOf([
      etaMadeOf.schema(),
      schema.nothing({ description: 'Of what others said, and of estimates made before it was kept.' }),
    ]),
  },
  relations: {},
  write: (reading) => ({
    eta_at: instantOf(reading.time, reading.timeZone).at,
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
