/** `verify_answer`: which facts of a drafted answer a source said, which it did not, and what it said instead. */

import type { Verdict } from '../../modules/answers/judge-facts.ts'
import type { KnownValue } from '../../modules/answers/known-values.ts'
import { type VerifiedFact, verifyDraft } from '../../modules/answers/verify-draft.ts'
import { Type } from '../../platform/json-schema.ts'
import { currentLimit, selectShown } from '../lists/row-limit.ts'
import { statementSchema, writeStatement } from '../presenters/citations.ts'
import { markUnlessCode } from '../presenters/fence.ts'
import { writeInstant, writeTime } from '../presenters/local-time.ts'
import { closed } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { list, number, object, optional, partial, text, textOrNull, texts } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

/** The answer, without what every answer has. */
const bytesMax = 5_400
const verdicts = ['said', 'differs', 'nobody', 'calculated', 'unclear'] as const satisfies readonly Verdict[]

const statement = partial(object({ ...statementSchema, attribute: text, calculation: text }))
const fact = object({
  text,
  at: number,
  kind: text,
  verdict: text,
  of: optional(text),
  said: optional(statement),
  instead: optional(list(statement)),
  note: optional(text),
  did_you_mean: optional(text),
  claim: optional(text),
  source: optional(textOrNull),
})

export const verifyAnswer = defineTool({
  name: 'verify_answer',
  title: 'Verify an answer',
  about: 'Before you answer: checks each number, date, place, status and name of your draft. Nothing is stored.',
  effect: 'read',
  input: Type.Object(
    {
      draft: Type.String({ minLength: 1, maxLength: 8_192, description: 'The answer, as the user is to read it' }),
      shipments: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
          maxItems: 20,
          description: 'What it is about, where it names no number: ids or numbers',
        }),
      ),
    },
    closed,
  ),
  output: object({
    summary: object(Object.fromEntries(verdicts.map((each) => [each, number]))),
    facts: list(fact),
    left_off: optional(object({ facts: number, shipments: number })),
    shipments: texts,
    _response_contract: responseContract,
  }),
  run: async ({ service, context }, input) => {
    const limit = currentLimit()
    const all = limit?.kind === 'shipment' ? [limit.id] : []
    const verified = await verifyDraft(service, context, {
      draft: input.draft,
      shipments: input.shipments?.map((each) => each.trim()) ?? all,
      selectShown: (ids) => selectShown({ service, context }, ids),
    })
    const { facts, leftOff } = chooseFacts(verified.facts)
    const unread = { facts: leftOff + verified.unread.facts, shipments: verified.unread.shipments }
    const count = (verdict: Verdict) => verified.facts.filter((each) => each.verdict === verdict).length
    return makeResult(
      {
        summary: Object.fromEntries(verdicts.map((each) => [each, count(each)])),
        facts,
        ...(unread.facts + unread.shipments > 0 ? { left_off: unread } : {}),
        shipments: verified.shipments.map((each) => markUnlessCode(each)),
        _response_contract: writeContract({ now: writeInstant(verified.now, null) }),
      },
      {
        presentation:
          'Correct what `differs` to `instead`, remove or call unknown what `nobody` said, call `calculated` our calculation, and check or leave out what is `unclear`. Verify again after larger changes. Do not show this list.',
        tools: ['explain_value', 'get_container'],
      },
    )
  },
})

/** What is not confirmed first and in full; then the others, in full or short, as far as there is room. */
function chooseFacts(all: readonly VerifiedFact[]) {
  const chosen = new Map<VerifiedFact, unknown>()
  let room = bytesMax
  const add = (each: VerifiedFact, row: unknown): void => {
    const bytes = Buffer.byteLength(JSON.stringify(row)) + 1
    if (bytes > room) return
    room -= bytes
    chosen.set(each, row)
  }
  for (const each of all.filter((one) => !isConfirmed(one))) add(each, writeFact(each))
  const confirmed = all.filter(isConfirmed)
  const whole = confirmed.map(writeFact)
  const isRoom = Buffer.byteLength(JSON.stringify(whole)) <= room
  for (const [at, each] of confirmed.entries()) add(each, isRoom ? whole[at] : writeShort(each))
  return { facts: all.flatMap((each) => chosen.get(each) ?? []), leftOff: all.length - chosen.size }
}

function isConfirmed({ verdict }: VerifiedFact): boolean {
  return verdict === 'said' || verdict === 'calculated'
}

function writeBeginning({ text: written, at, kind, verdict, of }: VerifiedFact) {
  return { text: markUnlessCode(written), at, kind, verdict, ...(of === null ? {} : { of: markUnlessCode(of) }) }
}

function writeFact(each: VerifiedFact) {
  const { values, note, didYouMean } = each
  return {
    ...writeBeginning(each),
    ...(isConfirmed(each) ? Object.fromEntries(values.map((value) => ['said', writeValue(value)])) : {}),
    ...(each.verdict === 'differs' ? { instead: values.map(writeValue) } : {}),
    ...(note === null ? {} : { note }),
    ...(didYouMean === null ? {} : { did_you_mean: markUnlessCode(didYouMean) }),
  }
}

function writeShort(each: VerifiedFact) {
  const { of: _, ...beginning } = writeBeginning(each)
  const source = each.values[0]?.explain?.() ?? null
  return source === null ? beginning : { ...beginning, claim: source.claimId, source: writeStatement(source).source }
}

function writeValue({ attribute, explain, calculation, time, text: shown }: KnownValue) {
  const source = explain === null ? null : writeStatement(explain())
  const value =
    time !== null ? writeTime(time.time, time.timeZone) : shown === null ? source?.value : markUnlessCode(shown)
  const known = Object.entries({ ...source, value }).filter(([, each]) => each != null)
  return { attribute, ...Object.fromEntries(known), ...(calculation === null ? {} : { calculation }) }
}
