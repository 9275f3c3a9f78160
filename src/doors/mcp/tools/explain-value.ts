/**
 * `explain_value`: which source a value of a shipment or container is from, why it is believed, and which sources
 * disagree.
 */

import { Type } from 'typebox'
import { explainValue as explain } from '../../../service/proving/explain/explain-value.ts'
import type { Said } from '../../../service/proving/explain/said.ts'
import type { Paper } from '../../../service/proving/papers/find-papers.ts'
import { closed, id, oneOf } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { list, numberOrNull, object, orNull, text, textOrNull } from '../tool/schema.ts'
import { result, tool } from '../tool/tool.ts'
import { fence, fenceUnlessCode } from '../words/fence.ts'
import { writeInstant } from '../words/local-time.ts'

const said = {
  source: text,
  value: textOrNull,
  classifier: textOrNull,
  words: textOrNull,
  stated_at: textOrNull,
  read_at: textOrNull,
  document: orNull(
    object({ id: text, name: textOrNull, page: numberOrNull, how: textOrNull, written_on: textOrNull }),
  ),
}

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
      value: Type.Optional(Type.String({ description: 'One of its values; all when left out' })),
      as_of: Type.Optional(Type.String({ description: 'A time (ISO 8601)' })),
    },
    closed,
  ),
  output: object({
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
  run: async ({ service, context }, input) => {
    const explained = await explain(service, context, {
      of: { type: input.type, id: input.id },
      value: input.value ?? null,
      asOf: input.as_of ?? null,
    })
    return result(
      {
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

function writeSaid(each: Said) {
  const at = (instant: string | null) => (instant === null ? null : writeInstant(instant, null))
  return {
    source: writeSpeaker(each.source),
    value: writeValue(each.value),
    classifier: each.classifier,
    words: fence(each.words),
    stated_at: at(each.statedAt),
    read_at: at(each.readAt),
    document: each.paper === null ? null : writePaper(each.paper),
  }
}

function writePaper({ id, name, page, how, writtenOn }: Paper) {
  return { id, name: fence(name), page, how, written_on: fenceUnlessCode(writtenOn) }
}

function writeSpeaker({ kind, code }: Said['source']): string {
  return code === null ? kind : `${kind} ${fenceUnlessCode(code)}`
}

/** Writes any value that a source may have stated, as data on one line. */
function writeValue(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return fenceUnlessCode(typeof value === 'string' ? value : JSON.stringify(value))
}
