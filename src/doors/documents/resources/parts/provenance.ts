/**
 * `meta.provenance`, when asked for: for each attribute who stated it, which rule decided, and which claims lost and
 * why.
 */

import { Type } from 'typebox'
import { sourceKinds } from '../../../../core/statements/observation.ts'
import type { Said, ValueExplanation } from '../../../../service/proving/explain/said.ts'
import * as schema from '../../shape/schema.ts'
import { writeIfTime } from '../../shape/whole-times.ts'
import { paper } from './paper.ts'

const said = {
  source: schema.object({ kind: schema.oneOf(sourceKinds), code: schema.text() }),
  value: Type.Unsafe({
    description:
      'Of an event its moment (UTC), of a fact its value. What the source said, before it is shown in other units.',
  }),
  classifier: schema.oneOfOrNull(['ACT', 'EST', 'PLN']),
  stated_at: schema.instantOrNull({ description: 'When the source says that it said so.' }),
  read_at: schema.instant({ description: 'When Landfall read it.' }),
  recorded_at: schema.instant(),
  claim_id: schema.id({ description: 'Of an event also the id of its `raw_event`.' }),
  snapshot_id: schema.textOrNull({ description: 'The answer of the line in which it was first said.' }),
  words: schema.textOrNull({ description: 'The source’s own words or code, verbatim.' }),
  notation: schema.text({ description: 'The claim in the journey notation.' }),
  document: paper.schema,
}

const explanation = schema.object({
  rule: schema.text({ description: 'Why this is the value: a sentence.' }),
  said: schema.anyOf([schema.object(said), schema.nothing({ description: 'No source said so.' })]),
  losers: schema.list(schema.object({ ...said, why: schema.text() })),
  each: schema.optional(
    schema.list(schema.object({ ...said, name: schema.text() }), {
      description: 'Of holds and fees, by name: the statement that decides whether it stands.',
    }),
  ),
})

export const provenance = {
  properties: {
    provenance: schema.optional(
      Type.Unsafe({
        type: 'object',
        additionalProperties: explanation,
        description: 'With `provenance=true`: by attribute, who said so, which rule won, who lost and why.',
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
  said: winner,
  losers,
  each,
}: ValueExplanation): Readonly<Record<string, unknown>> {
  return {
    rule,
    said: winner === null ? null : writeSaid(winner),
    losers: losers.map((loser) => ({ ...writeSaid(loser), why: loser.why })),
    ...(each !== undefined && { each: each.map((one) => ({ ...writeSaid(one), name: one.name })) }),
  }
}

function writeSaid(each: Said): Readonly<Record<string, unknown>> {
  return {
    source: each.source,
    value: writeIfTime(each.value),
    classifier: each.classifier,
    stated_at: each.statedAt,
    read_at: each.readAt,
    recorded_at: each.recordedAt,
    claim_id: each.claimId,
    snapshot_id: each.snapshotId,
    words: each.words,
    notation: each.notation,
    ...paper.write(each.paper),
  }
}
