/**
 * `explain_value`: which source a value of a shipment or container is from, why it is believed, and which sources
 * disagree.
 */

import { Type } from '../../../platform/json-schema.ts'
import { ServiceError } from '../../../service/errors.ts'
import { explainValue as explain } from '../../../service/proving/explain/explain-value.ts'
import type { Said } from '../../../service/proving/explain/said.ts'
import { listSnapshotsOfClaim } from '../../../service/proving/snapshots/get-snapshot.ts'
import { readId } from '../lists/known-id.ts'
import { closed, id, oneOf, uuid } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { list, maybe, object, orNull, text, texts } from '../tool/schema.ts'
import { result, tool } from '../tool/tool.ts'
import { said, writeSaid } from '../words/citations.ts'

export const explainValue = tool({
  name: 'explain_value',
  title: 'Explain a value',
  about:
    'Who said a value (such as `pod_eta_at`, `current_status`), when, why it won, and what others said. `as_of`: as known then.',
  effect: 'read',
  input: Type.Object(
    {
      type: oneOf(['container', 'shipment'], 'What the id is of'),
      id,
      value: Type.Optional(Type.String({ description: 'Name of one value; all by default' })),
      claim: Type.Optional({
        ...uuid,
        description: 'Only what rests on this claim, with the answers that contain it',
      }),
      as_of: Type.Optional(Type.String({ description: 'Answer as it was known at this time (ISO 8601)' })),
    },
    closed,
  ),
  output: object({
    answers: maybe(texts),
    values: list(
      object({
        value: text,
        rule: text,
        said: orNull(object(said)),
        losers: list(object({ ...said, why: text })),
        each: list(object({ ...said, name: text })),
      }),
    ),
    _response_contract: responseContract,
  }),
  run: async ({ service, context, uriOf }, input) => {
    const of = { type: input.type, id: await readId({ service, context }, input.type, input.id) }
    const found = await explain(service, context, {
      of,
      value: input.value ?? null,
      asOf: input.as_of ?? null,
    })
    const isOf = (one: Said | null): boolean => one?.claimId === input.claim
    const explained =
      input.claim === undefined
        ? found
        : found.filter(({ said: one, losers, each = [] }) => [one, ...losers, ...each].some(isOf))
    if (input.claim !== undefined && explained.length === 0)
      throw new ServiceError('not_found', `No value of this ${of.type} rests on the claim ${input.claim}.`)
    const snapshots =
      input.claim === undefined ? [] : await listSnapshotsOfClaim(service, context, { claimId: input.claim })
    return result(
      {
        ...(input.claim === undefined
          ? {}
          : { answers: snapshots.map(({ id: snapshot }) => uriOf('snapshot', snapshot)) }),
        values: explained.map((each) => ({
          value: each.value,
          rule: each.rule,
          said: each.said === null ? null : writeSaid(each.said),
          losers: each.losers.map(({ why, ...loser }) => ({ ...writeSaid(loser), why })),
          each: (each.each ?? []).map(({ name, ...one }) => ({ ...writeSaid(one), name })),
        })),
        _response_contract: writeContract(),
      },
      {
        presentation: 'Say who said it and when, why they are believed, and who said otherwise.',
        tools: ['get_container_raw_events'],
      },
    )
  },
})
