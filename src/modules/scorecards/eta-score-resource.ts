/**
 * `eta_score`: how good the estimates of arrival of one kind were, so many days ahead. `eta_outcome`: how one estimate
 * turned out.
 */

import { type IdentifiedReading, type ResourceKind, toOne } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { etaOutcomeKinds } from '../../domain/scorecards/eta-outcomes.ts'
import { sourceKinds } from '../../domain/statements/observation.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { Type } from '../../platform/json-schema.ts'
import { daysAheadRows, type EtaScore, type ShipmentOutcome } from './eta-scores-sql.ts'

export interface EtaScoreReading extends IdentifiedReading, EtaScore {
  readonly type: 'eta_score'
  /** Path and query of the list of its outcomes; null for figures of several accounts. */
  readonly outcomes: string | null
}

export function readEtaScore(score: EtaScore, outcomes: string | null): EtaScoreReading {
  const { scac, pol, pod, polCountry, podCountry, kind, daysAhead } = score
  const key = JSON.stringify([scac, pol, pod, polCountry, podCountry, kind, daysAhead])
  return { ...score, type: 'eta_score', id: uuidV5(LANDFALL_NAMESPACE, `eta_score:${key}`), outcomes }
}

export interface EtaOutcomeReading extends IdentifiedReading, ShipmentOutcome {
  readonly type: 'eta_outcome'
}

export function readEtaOutcome(outcome: ShipmentOutcome): EtaOutcomeReading {
  const { shipmentId, kind, sourceCode, toldAt } = outcome
  const id = uuidV5(LANDFALL_NAMESPACE, `eta_outcome:${shipmentId}:${kind}:${sourceCode}:${toldAt}`)
  return { ...outcome, type: 'eta_outcome', id }
}

const { numberOrNull, textOrNull } = schema
const number = (description: string) => Type.Number({ description })
const kind = schema.oneOf(etaOutcomeKinds, {
  description:
    "`first`: the carrier's first estimate. `line`, `terminal`: their estimates. `vessel`: from the ship's positions alone. `own`: Landfall's estimate.",
})
/** They are stored with single precision. */
const toThousandths = (value: number): number => Math.round(value * 1_000) / 1_000
const share = 'Share from 0 to 1'

export const etaScore: ResourceKind<EtaScoreReading> = {
  type: 'eta_score',
  attributes: {
    shipping_line_scac: textOrNull({ description: 'Null if it is not grouped by line.' }),
    port_of_lading_locode: textOrNull({ description: 'Null if it is not grouped by lane, or is unknown.' }),
    port_of_discharge_locode: textOrNull(),
    lading_country: textOrNull({ description: 'Null if it is not grouped by countries, or is unknown.' }),
    discharge_country: textOrNull(),
    kind,
    days_ahead_min: Type.Integer({ description: 'Days from the moment of telling to the estimate: at least.' }),
    days_ahead_max: schema.integerOrNull({ description: 'Fewer than this; null in the last row.' }),
    estimates: Type.Integer({ description: 'How many estimates were judged.' }),
    mean_error_hours: number('Mean difference of arrival and estimate, whatever its sign.'),
    median_error_hours: number('Median of the same.'),
    bias_hours: number('Mean of arrival minus estimate: positive if ships came later than told.'),
    within_day_share: number(`${share} with an error of at most 24 hours.`),
    range_held_share: numberOrNull({ description: `${share} that arrived within the told range. Null without one.` }),
    moved_share: numberOrNull({
      description: `${share} that differ from the estimate before, of the same source. Null if none had one before.`,
    }),
    mean_move_hours: numberOrNull({ description: 'By how much those moved, on average.' }),
    outcomes_path: textOrNull({
      description: 'Path of the list of these estimates with their shipments. Null for figures of several accounts.',
    }),
  },
  relations: {},
  write: (reading) => ({
    shipping_line_scac: reading.scac,
    port_of_lading_locode: reading.pol,
    port_of_discharge_locode: reading.pod,
    lading_country: reading.polCountry,
    discharge_country: reading.podCountry,
    kind: reading.kind,
    days_ahead_min: reading.daysAhead,
    days_ahead_max: daysAheadRows.find((from) => from > reading.daysAhead) ?? null,
    estimates: reading.estimates,
    mean_error_hours: reading.meanErrorHours,
    median_error_hours: reading.medianErrorHours,
    bias_hours: reading.biasHours,
    within_day_share: reading.withinDay,
    range_held_share: reading.rangeHeld,
    moved_share: reading.moved,
    mean_move_hours: reading.meanMoveHours,
    outcomes_path: reading.outcomes,
  }),
  link: () => ({}),
}

export const etaOutcome: ResourceKind<EtaOutcomeReading> = {
  type: 'eta_outcome',
  attributes: {
    kind,
    source_code: schema.text({ description: 'SCAC of a line, code of a terminal, `landfall`.' }),
    shipping_line_scac: schema.text(),
    port_of_lading_locode: textOrNull(),
    port_of_discharge_locode: schema.text(),
    told_at: schema.instant({ description: 'When Landfall received or computed the estimate.' }),
    days_ahead: number('From that moment to the estimate.'),
    arrived_at: schema.instant({
      description: 'The arrival that counts: at the berth if a source reported it, otherwise at the port.',
    }),
    arrival_reported_by: schema.oneOfOrNull(sourceKinds),
    error_hours: number('Arrival minus estimate: positive if the ship came later than told.'),
    range_held: schema.booleanOrNull({ description: 'Null for an estimate without a range.' }),
    moved_hours: numberOrNull({ description: 'Against the estimate before, of the same source.' }),
  },
  relations: { shipment: toOne('shipment') },
  write: (reading) => ({
    kind: reading.kind,
    source_code: reading.sourceCode,
    shipping_line_scac: reading.scac,
    port_of_lading_locode: reading.pol,
    port_of_discharge_locode: reading.pod,
    told_at: reading.toldAt,
    days_ahead: toThousandths(reading.daysAhead),
    arrived_at: reading.arrivedAt,
    arrival_reported_by: reading.arrivalBy,
    error_hours: toThousandths(reading.errorHours),
    range_held: reading.isWithin,
    moved_hours: reading.movedHours === null ? null : toThousandths(reading.movedHours),
  }),
  link: ({ shipmentId }) => ({ shipment: { type: 'shipment', id: shipmentId } }),
}
