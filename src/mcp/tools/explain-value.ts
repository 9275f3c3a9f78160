/**
 * `explain_value`: which source a value of a shipment or container is from, why it is believed, and which sources
 * disagree.
 */

import { lastMomentOf } from '../../domain/values/time.ts'
import { ServiceError } from '../../modules/errors.ts'
import { explainValue as explain } from '../../modules/provenance/explain-value.ts'
import { listSnapshotsOfClaim } from '../../modules/provenance/get-snapshot.ts'
import type { ExplainedStatement } from '../../modules/provenance/value-explanation.ts'
import { Type } from '../../platform/json-schema.ts'
import { readInstant } from '../lists/filter-values.ts'
import { bytesOf, fitRows } from '../lists/fit-rows.ts'
import { readId } from '../lists/read-id.ts'
import { statementSchema, writeStatement } from '../presenters/citations.ts'
import { closed, id, oneOf, uuid } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { list, object, optional, orNull, text, texts } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

const readAsOf = (written: string) => lastMomentOf({ at: readInstant('as_of', written), written })

export const explainValue = defineTool({
  name: 'explain_value',
  title: 'Explain a value',
  about:
    'Who said a value (such as `pod_eta_at`, `current_status`), when, why it won, and what others said. `as_of`: as known then.',
  effect: 'read',
  input: Type.Object(
    {
      type: oneOf(['container', 'shipment'], 'Type of what has this id'),
      id,
      value: Type.Optional(Type.String({ description: 'Name of one value; by default those that fit into 4 KB' })),
      claim: Type.Optional({
        ...uuid,
        description: 'Only values that use this claim, with the answers that contain it',
      }),
      as_of: Type.Optional(Type.String({ description: 'Answer as it was known at this time (ISO 8601)' })),
    },
    closed,
  ),
  output: object({
    answers: optional(texts),
    values: list(
      object({
        value: text,
        rule: text,
        said: orNull(object(statementSchema)),
        losers: list(object({ ...statementSchema, why: text })),
        each: list(object({ ...statementSchema, name: text })),
      }),
    ),
    others: optional(texts),
    _response_contract: responseContract,
  }),
  run: async ({ service, context, uriOf }, input) => {
    const of = { type: input.type, id: await readId({ service, context }, input.type, input.id) }
    const found = await explain(service, context, {
      of,
      value: input.value ?? null,
      asOf: input.as_of === undefined ? null : readAsOf(input.as_of),
    })
    const isOf = (one: ExplainedStatement | null): boolean => one?.claimId === input.claim
    const explained =
      input.claim === undefined
        ? found
        : found.filter(({ statement: one, losers, each = [] }) => [one, ...losers, ...each].some(isOf))
    if (input.claim !== undefined && explained.length === 0)
      throw new ServiceError('not_found', `No value of this ${of.type} uses the claim ${input.claim}.`)
    const snapshots =
      input.claim === undefined ? [] : await listSnapshotsOfClaim(service, context, { claimId: input.claim })
    const values = explained.map((each) => ({
      value: each.value,
      rule: each.rule,
      said: each.statement === null ? null : writeStatement(each.statement),
      losers: each.losers.map(({ why, ...loser }) => ({ ...writeStatement(loser), why })),
      each: (each.each ?? []).map(({ name, ...one }) => ({ ...writeStatement(one), name })),
    }))
    const names = values.map(({ value }) => value)
    const isWhole = input.value !== undefined || input.claim !== undefined
    const shown = isWhole ? values : fitRows(values, bytesOf(names) + 300)
    return makeResult(
      {
        ...(input.claim === undefined
          ? {}
          : { answers: snapshots.map(({ id: snapshot }) => uriOf('snapshot', snapshot)) }),
        values: shown,
        ...(isWhole ? {} : { others: names.slice(shown.length) }),
        _response_contract: writeContract(),
      },
      {
        presentation:
          'Say who said it and when, why they are believed, and who said otherwise. `others` are more values: ask for one by `value`.',
        tools: ['get_container_raw_events'],
      },
    )
  },
})
