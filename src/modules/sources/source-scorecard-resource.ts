/** `source_scorecard`: how good a line, terminal or railroad was as a source, on the journeys that ended last. */

import type { IdentifiedReading, ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { sourceKinds } from '../../domain/statements/observation.ts'
import { shapeChangeKinds } from '../../domain/tracking-requests/answer-shape.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { Type } from '../../platform/json-schema.ts'
import type { LineOfAccount } from '../carriers/list-shipping-lines.ts'
import { writeProvidedData } from '../carriers/provided-data-resource.ts'
import { contradictionDays } from './list-sources.ts'
import { changeDays, type SourceScorecard } from './score-sources.ts'
import { containersMax, type FieldsOfLine } from './source-scorecard-sql.ts'

export interface SourceScorecardReading extends IdentifiedReading {
  readonly type: 'source_scorecard'
  readonly card: SourceScorecard
}

export function readSourceScorecard(card: SourceScorecard): SourceScorecardReading {
  const id = uuidV5(LANDFALL_NAMESPACE, `source-scorecard:${card.kind}:${card.code}`)
  return { type: 'source_scorecard', id, card }
}

const count = Type.Integer({ minimum: 0 })
const share = (description: string) => schema.numberOrNull({ minimum: 0, maximum: 1, description })

export const sourceScorecard: ResourceKind<SourceScorecardReading> = {
  type: 'source_scorecard',
  attributes: {
    speaker: schema.oneOf(sourceKinds),
    code: schema.text({ description: 'SCAC of a line or railroad; code of a terminal.' }),
    name: schema.text(),
    requests_this_month: schema.integerOrNull({ description: 'Null where the source is not polled by this account.' }),
    answered_share: share('Of the numbers that are polled next: the share whose last poll got a readable answer.'),
    containers: Type.Integer({
      minimum: 0,
      description: `Containers that count: of the ${containersMax} of the account that came back empty last, those of this line, or about which this terminal or railroad told anything.`,
    }),
    milestones_known: Type.Integer({
      minimum: 0,
      description: 'Milestones of these containers, at places that the source knows, that any source has told.',
    }),
    milestones_told: Type.Integer({ minimum: 0, description: 'Of these, the ones that this source has told.' }),
    told_share: share('`milestones_told` of `milestones_known`.'),
    milestones_timed: Type.Integer({
      minimum: 0,
      description: 'Told milestones that happened since the number is tracked and have a time of day.',
    }),
    told_within_12h_share: share('Of `milestones_timed`: told at most 12 hours after they happened.'),
    told_within_24h_share: share('Of `milestones_timed`: told at most 24 hours after they happened.'),
    milestones_corrected: Type.Integer({ minimum: 0, description: 'Told with more than one time.' }),
    contradicted: Type.Integer({
      minimum: 0,
      description: `Statements of the last ${contradictionDays} days that another source overruled.`,
    }),
    answer_changes: schema.list(
      schema.object({ change: schema.oneOf(shapeChangeKinds), member: schema.text(), since: schema.instant() }),
      {
        description: `What is new in the answers of this line, or missing in all of them, of the last ${changeDays} days: members with their types, and codes.`,
      },
    ),
    free_days: schema.anyOf([
      schema.object(
        { compared: count, agree: count, line_earlier: count, terminal_earlier: count },
        {
          description:
            'Containers of this line, or of this terminal, of which line and terminal have both named a last free day at the port.',
        },
      ),
      schema.nothing(),
    ]),
    provided_data: schema.anyOf([
      schema.list(
        schema.object({
          name: schema.text(),
          promised: Type.Boolean({ description: 'What `provided_data` of the shipping line says.' }),
          containers: count,
          present: Type.Integer({ minimum: 0, description: 'Containers whose line has given it.' }),
        }),
      ),
      schema.nothing(),
    ]),
  },
  relations: {},
  write: ({ card: { milestones, freeDays, fields, line, ...card } }) => ({
    speaker: card.kind,
    code: card.code,
    name: card.name,
    requests_this_month: card.asked,
    answered_share: inHundredths(card.answeredShare, 1),
    containers: milestones?.containers ?? 0,
    milestones_known: milestones?.known ?? 0,
    milestones_told: milestones?.told ?? 0,
    told_share: inHundredths(milestones?.told, milestones?.known),
    milestones_timed: milestones?.timed ?? 0,
    told_within_12h_share: inHundredths(milestones?.within12h, milestones?.timed),
    told_within_24h_share: inHundredths(milestones?.within24h, milestones?.timed),
    milestones_corrected: milestones?.corrected ?? 0,
    contradicted: card.contradicted,
    answer_changes: card.changes.map(({ kind, member, since }) => ({ change: kind, member, since })),
    free_days: freeDays && {
      compared: freeDays.compared,
      agree: freeDays.agree,
      line_earlier: freeDays.lineEarlier,
      terminal_earlier: freeDays.terminalEarlier,
    },
    provided_data: fields === null ? null : writeFields(fields, line),
  }),
  link: () => ({}),
}

/** Null where there is nothing to divide by. */
function inHundredths(part: number | null | undefined, whole: number | undefined): number | null {
  return part == null || !whole ? null : Math.round((100 * part) / whole) / 100
}

/** Beside what `provided_data` of the shipping line promises. */
function writeFields(counts: FieldsOfLine, line: LineOfAccount | null) {
  const promises = line === null ? {} : writeProvidedData(line)
  return [
    ['weight_in_lbs', counts.weight] as const,
    ['seal_number', counts.sealNumber] as const,
    ['equipment_type', counts.equipmentType] as const,
    ['departures_and_arrivals', counts.departuresAndArrivals] as const,
    ['time_of_day', counts.timeOfDay] as const,
  ].map(([name, present]) => ({ name, promised: promises[name] === true, containers: counts.containers, present }))
}
