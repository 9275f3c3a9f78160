/** The values of an answer with the source of each: a claim id that leads to the verbatim text. */

import type { ExplainTarget } from '../../modules/provenance/explain-value.ts'
import { explainValue } from '../../modules/provenance/explain-value.ts'
import type { ExplainedStatement } from '../../modules/provenance/value-explanation.ts'
import { list, object, text, textOrNull } from '../tool/schema.ts'
import type { ToolContext } from '../tool/tool.ts'
import { markForeignText, markUnlessCode } from './fence.ts'
import { writeInstant, writeTime, writeValue } from './local-time.ts'

export const statementSchema = {
  source: text,
  value: textOrNull,
  classifier: textOrNull,
  words: textOrNull,
  claim: text,
  stated_at: textOrNull,
  read_at: textOrNull,
}

export function writeStatement(each: ExplainedStatement) {
  const at = (instant: string | null) => (instant === null ? null : writeInstant(instant, null))
  const { kind, code } = each.source
  return {
    source: code === null ? kind : `${kind} ${markUnlessCode(code)}`,
    value: each.time === null ? (writeValue(each.value, null) ?? null) : writeTime(each.time.time, each.time.timeZone),
    classifier: each.classifier,
    words: markForeignText(each.rawText),
    claim: each.claimId,
    stated_at: at(each.statedAt),
    read_at: at(each.readAt),
  }
}

export const citations = list(
  object({ value: text, claim: text, said_by: text, words: textOrNull, read_at: textOrNull }),
)

/** Only values that a source stated; for the others `explain_value` has the rule. */
export async function writeCitations({ service, context }: ToolContext, of: ExplainTarget) {
  const explained = await explainValue(service, context, { of, value: null })
  return explained.flatMap(({ value, statement: one }) => {
    if (one === null) return []
    const { claim, source, words, read_at } = writeStatement(one)
    return [{ value, claim, said_by: source, words, read_at }]
  })
}
