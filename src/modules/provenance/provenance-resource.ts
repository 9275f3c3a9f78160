/**
 * `meta.provenance`, when requested: for each attribute who stated it, which rule decided, and which claims lost and
 * why.
 */

import * as schema from '../../api/shape/schema.ts'
import { writeIfTime } from '../../api/shape/whole-times.ts'
import { sourceKinds } from '../../domain/statements/observation.ts'
import { Type } from '../../platform/json-schema.ts'
import type { ExplainedStatement, ValueExplanation } from './value-explanation.ts'

const statementSchema = {
  source: schema.object({ kind: schema.oneOf(sourceKinds), code: schema.text() }),
  value: Type.Unsafe({
    description: 'For an event its time (UTC), for a fact its value, in the units of the source.',
  }),
  classifier: schema.oneOfOrNull(['ACT', 'EST', 'PLN']),
  stated_at: schema.instantOrNull({
    description: 'When the source made the statement, according to the source.',
  }),
  read_at: schema.instant({ description: 'When Landfall read it.' }),
  recorded_at: schema.instant(),
  claim_id: schema.id({
    description: 'Id of the statement; for an event it is also the id of its `raw_event`.',
  }),
  snapshot_id: schema.textOrNull({ description: 'The first answer of the carrier that contains it.' }),
  words: schema.textOrNull({ description: 'The source’s own words or code, verbatim.' }),
  notation: schema.text({ description: 'The statement in the journey notation.' }),
  document: schema.optional(
    schema.object(
      {
        id: schema.id({ description: 'Id of the `document`.' }),
        name: schema.text(),
        page: Type.Unsafe({
          type: ['integer', 'null'],
          description: 'Number of the page, from 1; null if a person wrote the value.',
        }),
        box: schema.anyOf([
          schema.object({
            left: Type.Number(),
            top: Type.Number(),
            right: Type.Number(),
            bottom: Type.Number(),
          }),
          schema.nothing({ description: 'Null: a person wrote the value.' }),
        ]),
        text: schema.textOrNull({ description: 'The text as it is printed.' }),
        by: schema.oneOf(['rules', 'model', 'person']),
      },
      {
        description:
          'Set if the source is a document. The box is given in fractions of the page as it is shown, from its upper left corner.',
      },
    ),
  ),
}

const explanation = schema.object({
  rule: schema.text({ description: 'A sentence that says why this is the value.' }),
  said: schema.anyOf([schema.object(statementSchema), schema.nothing({ description: 'No source stated the value.' })]),
  losers: schema.list(schema.object({ ...statementSchema, why: schema.text() })),
  each: schema.optional(
    schema.list(schema.object({ ...statementSchema, name: schema.text() }), {
      description: 'For holds and fees, by name: the statement that decides whether the hold or fee is in force.',
    }),
  ),
})

export const provenance = {
  properties: {
    provenance: schema.optional(
      Type.Unsafe({
        type: 'object',
        additionalProperties: explanation,
        description:
          'With `provenance=true`: for each attribute its source, the rule that chose it, and the values that were not chosen, with the reason.',
      }),
    ),
  },
  write: (explained: readonly ValueExplanation[] | undefined): Readonly<Record<string, unknown>> =>
    explained === undefined
      ? {}
      : { provenance: Object.fromEntries(explained.map((each) => [each.value, writeExplanation(each)])) },
} as const

function writeExplanation({
  rule,
  statement: winner,
  losers,
  each,
}: ValueExplanation): Readonly<Record<string, unknown>> {
  return {
    rule,
    said: winner === null ? null : writeStatement(winner),
    losers: losers.map((loser) => ({ ...writeStatement(loser), why: loser.why })),
    ...(each !== undefined && { each: each.map((one) => ({ ...writeStatement(one), name: one.name })) }),
  }
}

function writeStatement(each: ExplainedStatement): Readonly<Record<string, unknown>> {
  return {
    source: each.source,
    value: writeIfTime(each.value),
    classifier: each.classifier,
    stated_at: each.statedAt,
    read_at: each.readAt,
    recorded_at: each.recordedAt,
    claim_id: each.claimId,
    snapshot_id: each.snapshotId,
    words: each.rawText,
    notation: each.notation,
    ...(each.document !== undefined && { document: each.document }),
  }
}
