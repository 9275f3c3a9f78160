/**
 * `meta.own_eta` of a shipment: when Landfall itself expects it. It is shown beside the line's own ETA and never
 * replaces it.
 */

import * as schema from '../../api/shape/schema.ts'
import type { EtaComponents } from '../../domain/vessels/own-eta.ts'
import { Type } from '../../platform/json-schema.ts'
import type { ShipmentReading } from './list-shipments-sql.ts'

const { instant, instantOrNull, text, textOrNull } = schema
const number = (options: { readonly description?: string } = {}) => Type.Number(options)

/**
 * The parts of our own estimate: `eta_at` is the mean of vessel_eta_at, weighted (1 - line_weight), and line_eta_at,
 * weighted line_weight.
 */
export const etaMadeOf = {
  schema: () =>
    schema.object({
      vessel_eta_at: instant({
        description: 'Estimate from the positions of the ship: way by sea, speed, stays at the ports before.',
      }),
      line_eta_at: instantOrNull({
        description:
          'Estimate of the carrier. Null if no carrier gives one, or if the ship cannot be there at that time.',
      }),
      line_eta_stated_at: instantOrNull({
        description: 'When the carrier stated it. If that is unknown: when Landfall received it.',
      }),
      line_eta_source_code: textOrNull(),
      line_weight: number({ description: 'Weight of the carrier in the estimate, from 0 to 1.' }),
      calls: schema.list(
        schema.object({
          port_locode: text(),
          stay_hours: number(),
          stay_told: Type.Boolean({
            description: 'True: the carrier stated the stay. False: it is the usual stay.',
          }),
        }),
        { description: 'Ports before the port of discharge that sources named to this account, in order.' },
      ),
      earlier_voyage_hours: schema.numberOrNull({
        description:
          'Median hours from the same point to the port on earlier voyages of the ship. Null if none is known, or if the carrier gives an estimate.',
      }),
      past_arrivals: schema.numberOrNull({
        description:
          'How many arrivals of this account, of the same carrier and as many days ahead, count in the range beside the shipped errors. Null for estimates from before this was stored.',
      }),
    }),
  write: (parts: EtaComponents | null) =>
    parts === null
      ? null
      : {
          vessel_eta_at: parts.vesselEta,
          line_eta_at: parts.line?.eta ?? null,
          line_eta_stated_at: parts.line?.saidAt ?? null,
          line_eta_source_code: parts.line?.sourceCode ?? null,
          line_weight: parts.lineWeight,
          calls: parts.calls.map(({ unlocode, stayHours, isStayTold: isStayStated }) => ({
            port_locode: unlocode,
            stay_hours: stayHours,
            stay_told: isStayStated,
          })),
          earlier_voyage_hours: parts.earlierHours ?? null,
          past_arrivals: parts.arrivals ?? null,
        },
}

export const ownEta = {
  properties: {
    own_eta: schema.optional(
      schema.object(
        {
          eta_at: instant(),
          earliest_at: instant({ description: 'One ship in ten arrives earlier than this.' }),
          latest_at: instant({ description: 'One ship in ten arrives later than this.' }),
          estimated_at: instant(),
          port_of_discharge_locode: text(),
          vessel_imo: text(),
          position_heard_at: instant(),
          remaining_nautical_miles: number(),
          speed_knots: number(),
          made_of: schema.anyOf([
            etaMadeOf.schema(),
            schema.nothing({ description: 'Null: the estimate was made before Landfall stored this.' }),
          ]),
        },
        {
          description:
            "Landfall's own estimate: a weighted mean of an estimate from the positions of the ship and the estimate of the carrier. Missing if there is none.",
        },
      ),
    ),
  },
  write: ({ ownEta: eta, projection }: ShipmentReading): Readonly<Record<string, unknown>> => {
    const { ata, place } = projection.portOfDischarge
    // The estimate is no longer valid: it was made for another port or another ship, or the ship has arrived.
    if (eta === null || ata !== null || place?.unlocode !== eta.unlocode) return {}
    if (projection.podVessel?.imo !== eta.vesselImo) return {}
    return {
      own_eta: {
        eta_at: eta.eta,
        earliest_at: eta.earliest,
        latest_at: eta.latest,
        estimated_at: eta.madeAt,
        port_of_discharge_locode: eta.unlocode,
        vessel_imo: eta.vesselImo,
        position_heard_at: eta.fixAt,
        remaining_nautical_miles: eta.remainingNm,
        speed_knots: eta.speedKnots,
        made_of: etaMadeOf.write(eta.madeOf ?? null),
      },
    }
  },
}
