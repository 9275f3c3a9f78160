/** Makes a recording that identifies nobody and is read as the answer was; otherwise it is refused, with a sentence. */

import type { RawSnapshot } from '../../connectors/source.ts'
import { isObject } from '../../domain/values/json-value.ts'
import { err, ok, type Result } from '../../domain/values/result.ts'
import type { PastedAccess, projectAnswer } from '../../modules/sources/read-answer.ts'
import { defaultRules } from '../../pipeline/ledger/rules.ts'
import { type Difference, type Expectation, findDifference, listValues, treatmentOf } from './recorded-values.ts'
import { checkRecording, makeRecording, parseRecording } from './recording.ts'
import { type RedactedReading, readOtherwise, redactReading } from './write-fixture.ts'

export interface AnswerToRecord {
  readonly snapshot: RawSnapshot
  /** Null: that which ships for the line. */
  readonly access: PastedAccess | null
  /** Those that may be in a recording. */
  readonly headers: Readonly<Record<string, string>>
  readonly read: ReturnType<typeof projectAnswer>
  readonly expected: readonly Expectation[]
  /** Every secret of the installation. */
  readonly secrets: readonly string[]
}

export interface WrittenRecording {
  readonly text: string
  /** What the test of the recording reports today. */
  readonly differences: readonly Difference[]
  /** The texts of the answer that stayed as they were, by the name of their member. */
  readonly unchanged: RedactedReading['unchanged']
}

/**
 * Days at a place depend on the season there, so that some numbers of days change what is read. Others are tried then.
 */
const triesMax = 20

export function writeRecording(answer: AnswerToRecord): Result<WrittenRecording, string> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const written = tryToWrite(answer)
    if (written !== null) return written
  }
  return err(readOtherwise)
}

/** Null: it is read otherwise. */
function tryToWrite(answer: AnswerToRecord): Result<WrittenRecording, string> | null {
  const { snapshot, access, headers, read } = answer
  const redacted = redactReading(defaultRules, { reading: read.reading, snapshot, access: access ?? undefined })
  if (!redacted.ok) return redacted
  const { again, isReadAlike, identifies, unchanged } = redacted.value
  const expected = answer.expected.map((each) => redactExpectation(each, redacted.value))
  const isMet = (each: Expectation, { projection }: typeof read): boolean =>
    findDifference(each, listValues(projection)) === null
  const isJudgedAlike = answer.expected.every((each, at) => {
    const replaced = expected[at]
    return replaced !== undefined && isMet(each, read) === isMet(replaced, again)
  })
  if (!isReadAlike || !isJudgedAlike) return null
  const recording = makeRecording({
    reading: again.reading,
    access,
    snapshot: redacted.value.snapshot,
    headers,
    expected,
  })
  const text = `${JSON.stringify(recording, null, 2)}\n`
  const { profile, answer: recorded } = recording
  if (identifies(JSON.stringify(profile)) || someText([recorded, expected], identifies))
    return err('A number or a name of the answer would remain in the recording. Redact the answer by hand.')
  if (hasSecret(text, answer.secrets)) return err('A secret would be in the recording. Nothing was written.')
  const differences = checkRecording(parseRecording(text))
  if (expected.length === 0 && differences.length > 0) return null
  return ok({ text, differences, unchanged })
}

function redactExpectation(
  { container, name, place, value }: Expectation,
  { replace }: Pick<RedactedReading, 'replace'>,
): Expectation {
  return {
    container: container === null ? null : replace('container', container),
    name,
    place,
    value: value === null ? null : replace(treatmentOf(name), value),
  }
}

function someText(value: unknown, test: (text: string) => boolean): boolean {
  if (Array.isArray(value)) return value.some((element) => someText(element, test))
  if (isObject(value)) return Object.values(value).some((member) => someText(member, test))
  return (typeof value === 'string' || typeof value === 'number') && test(String(value))
}

/** Shorter ones occur by chance. */
const secretLengthMin = 4

/** Each line of a secret, as it is and as JSON writes it. */
function hasSecret(text: string, secrets: readonly string[]): boolean {
  return secrets
    .flatMap((secret) => [secret, ...secret.split(/\r?\n/)])
    .filter((piece) => piece.trim().length >= secretLengthMin && !piece.startsWith('-----'))
    .some((piece) => text.includes(piece) || text.includes(JSON.stringify(piece).slice(1, -1)))
}
