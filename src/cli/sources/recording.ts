/**
 * A recording: a redacted answer of a carrier, how it was read, and what a person expects. `npm test -- recordings` reads
 * each again with the reader and the profile of today.
 */

import { isDeepStrictEqual } from 'node:util'
import { findLineAccess } from '../../connectors/line-access.ts'
import { readPages, writePages } from '../../connectors/pages.ts'
import type { NumberKind, RawSnapshot } from '../../connectors/source.ts'
import { findSource } from '../../connectors/source-registry.ts'
import { isObject } from '../../domain/values/json-value.ts'
import {
  type AnswerReading,
  type PastedAccess,
  pastedAccessOf,
  projectAnswer,
} from '../../modules/sources/read-answer.ts'
import { defaultRules } from '../../pipeline/ledger/rules.ts'
import { type Difference, type Expectation, findDifference, listValues } from './recorded-values.ts'

const format = 1

/** Stored as JSON: its members do not change within a format. */
export interface Recording {
  readonly format: number
  readonly line: string
  /** The language of the answer. */
  readonly source: string
  readonly reader_version: number
  /** Members of the operator's profile that decide how an answer is read and differ from those that ship. */
  readonly profile: Readonly<Record<string, unknown>>
  readonly number: { readonly kind: NumberKind; readonly value: string }
  readonly answer: {
    readonly fetched_at: string
    readonly is_complete: boolean
    readonly headers: Readonly<Record<string, string>>
    readonly pages: readonly {
      readonly status: number
      readonly content_type: string | null
      readonly body: unknown
    }[]
  }
  readonly read: RecordedReading
  /** Empty: what was read is right, and is to stay so. */
  readonly expected: readonly Expectation[]
}

type RecordedReading = ReturnType<typeof describeReading>

/** What decides how an answer is read; everything else of a profile is about access. */
const readingMembers = [
  'body',
  'zoneFallback',
  'hasDayOnlyTimes',
  'enumAliases',
  'notFound',
  'isFullPicture',
  'mayLack',
  'restatesTransport',
  'refusalPhrases',
  'stripPrefixes',
]

export function makeRecording(of: {
  readonly reading: AnswerReading
  /** Null: that which ships for the line. */
  readonly access: PastedAccess | null
  readonly snapshot: RawSnapshot
  readonly headers: Readonly<Record<string, string>>
  readonly expected: readonly Expectation[]
}): Recording {
  const { reading, snapshot, headers, expected } = of
  const { scac: line, kind, number } = reading.asked
  const access = of.access ?? shippedAccess(line, null)
  const shipped = shippedAccess(line, access.source).profile
  const changed = readingMembers.filter(
    (name) => name in access.profile && !isDeepStrictEqual(access.profile[name], shipped[name]),
  )
  const { pages, complete } = readPages(snapshot)
  return {
    format,
    line,
    source: access.source,
    reader_version: findSource(access.source)?.version ?? 0,
    profile: Object.fromEntries(changed.map((name) => [name, access.profile[name]])),
    number: { kind, value: number },
    answer: {
      fetched_at: snapshot.fetchedAt,
      is_complete: complete,
      headers,
      pages: pages.map(({ status, contentType, body }) => ({
        status,
        content_type: contentType,
        body: JSON.parse(body.toString()),
      })),
    },
    read: describeReading(reading),
    expected,
  }
}

function describeReading({ verdict, counts, said: lines, issues, shipment, containers }: AnswerReading) {
  return {
    verdict,
    counts,
    lines,
    issues: issues.map(({ kind, page, path, lost }) => ({ kind, page, path, lost })),
    shipment,
    containers,
  }
}

/** The source is that of the line when `source` is null. */
function shippedAccess(line: string, source: string | null): PastedAccess {
  const known = findLineAccess(line)
  return known !== null && known.source === (source ?? known.source) ? known : pastedAccessOf(line)
}

/** Throws a sentence for a text that is no recording. */
export function parseRecording(text: string): Recording {
  const value: unknown = JSON.parse(text)
  if (!isObject(value) || value['format'] !== format) throw new Error(`This is not a recording of format ${format}.`)
  // The command wrote it; a member that is wrong fails the test that reads it.
  return value as unknown as Recording
}

/** Reads the recorded answer as an answer of today. */
export function replayRecording(recording: Recording): ReturnType<typeof projectAnswer> {
  const { line, number, answer } = recording
  const shipped = shippedAccess(line, recording.source)
  const pages = answer.pages.map(({ status, content_type: contentType, body }) => ({
    status,
    contentType,
    body: Buffer.from(JSON.stringify(body)),
    truncated: false,
  }))
  const snapshot = writePages({ pages, complete: answer.is_complete }, answer.fetched_at)
  return projectAnswer(defaultRules, {
    scac: line,
    kind: number.kind,
    number: number.value,
    body: snapshot.body,
    at: snapshot.fetchedAt,
    answered: snapshot,
    access: { source: shipped.source, profile: { ...shipped.profile, ...recording.profile } },
  })
}

/** What is read otherwise than the recording expects. */
export function checkRecording(recording: Recording): readonly Difference[] {
  const { reading, projection } = replayRecording(recording)
  if (recording.expected.length > 0) {
    const values = listValues(projection)
    return recording.expected.flatMap((each) => findDifference(each, values) ?? [])
  }
  return compareReadings(recording.read, describeReading(reading))
}

function compareReadings(before: RecordedReading, now: RecordedReading): readonly Difference[] {
  const compare = (container: string | null, name: string, value: string | null = null, read: string | null = null) =>
    value === read ? [] : [{ container, name, place: null, value, read }]
  const numbers = [...new Set([...before.containers, ...now.containers].map(({ number }) => number))]
  return [
    ...compare(null, 'verdict', before.verdict, now.verdict),
    ...Object.entries(now.shipment).flatMap(([name, read]) =>
      compare(null, name, before.shipment[name as keyof typeof now.shipment], read),
    ),
    ...numbers.flatMap((number) => {
      const [old, read] = [before, now].map(({ containers }) => containers.find((each) => each.number === number))
      const [gone, added] = [[old, read] as const, [read, old] as const].map(([has, lacks]) =>
        (has?.milestones ?? []).filter((milestone) => lacks?.milestones.includes(milestone) !== true),
      )
      return [
        ...compare(number, 'current_status', old?.status, read?.status),
        ...(gone ?? []).flatMap((milestone) => compare(number, 'milestone', milestone)),
        ...(added ?? []).flatMap((milestone) => compare(number, 'milestone', null, milestone)),
      ]
    }),
  ]
}

export function writeDifference({ container, name, place, value, read }: Difference): string {
  const what = `${container ?? 'shipment'} ${name}${place === null ? '' : `@${place}`}`
  return `${what}: expected ${value ?? 'nothing'}, read ${read ?? 'nothing'}`
}
