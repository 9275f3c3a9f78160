/** `meta.own_eta` of a shipment: when Landfall itself expects it, beside what the line says and never in its place. */

import { Type } from 'typebox'
import type { ShipmentReading } from '../../../store/read/shipments.ts'
import * as schema from '../schema.ts'

const { instant, text } = schema
const number = () => Type.Number()

export const ownEta = {
  properties: {
    own_eta: schema.optional(
      schema.object(
        {
          eta_at: instant(),
          earliest_at: instant({ description: 'One ship in ten comes earlier.' }),
          latest_at: instant({ description: 'One ship in ten comes later.' }),
          estimated_at: instant(),
          port_of_discharge_locode: text(),
          vessel_imo: text(),
          position_heard_at: instant(),
          remaining_nautical_miles: number(),
          speed_knots: number(),
        },
        { description: 'Our own estimate, from the last position of the ship; absent when there is none.' },
      ),
    ),
  },
  write: ({ ownEta: eta, projection }: ShipmentReading): Readonly<Record<string, unknown>> => {
    const { ata, place } = projection.portOfDischarge
    // It was made for another port, or the ship is there: an expectation that is over.
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
      },
    }
  },
}
