/** One NMEA 0183 line of AIS (IEC 61162-1 `AIVDM`, IEC 61162-450 tag block): its checksum, part number and payload. */

import type { AisIssueKind } from './report.ts'

export interface Sentence {
  readonly parts: number
  /** From 1. */
  readonly part: number
  /** Together with the channel, the id that connects the parts of one message; empty for a message of one part. */
  readonly group: string
  readonly channel: string
  readonly payload: string
  /** Time in the tag block (`c:`), ms since 1970; null where the line has none. */
  readonly statedAtMs: number | null
}

export type SentenceReading =
  | { readonly kind: 'sentence'; readonly sentence: Sentence }
  /** A comment, or a sentence of another instrument. */
  | { readonly kind: 'other' }
  | { readonly kind: 'issue'; readonly issue: AisIssueKind }

const pattern = /^!([A-Z]{2}VD[MO]),([1-9]),([1-9]),(\d?),([AB12]?),([0-W`-w]*),([0-5])$/

/** Never throws, whatever the line. */
export function readSentence(line: string): SentenceReading {
  const { tag, rest } = cutTag(line.trim())
  if (rest === '' || rest.startsWith('#') || rest.startsWith('$')) return { kind: 'other' }
  const star = rest.lastIndexOf('*')
  const body = star < 0 ? '' : rest.slice(0, star)
  const sum = rest.slice(star + 1)
  if (!body.startsWith('!') || !/^[0-9a-f]{2}$/i.test(sum)) return { kind: 'issue', issue: 'garbage' }
  if (checksumOf(body.slice(1)) !== Number.parseInt(sum, 16)) return { kind: 'issue', issue: 'checksum' }
  const [, , parts = '', part = '', group = '', channel = '', payload = ''] = pattern.exec(body) ?? []
  if (parts === '' || Number(part) > Number(parts)) return { kind: 'issue', issue: 'garbage' }
  return {
    kind: 'sentence',
    sentence: {
      parts: Number(parts),
      part: Number(part),
      group,
      channel,
      payload,
      statedAtMs: tag === null ? null : timeOfTag(tag),
    },
  }
}

/** Exclusive or of the characters between `!` and `*`. */
export function checksumOf(text: string): number {
  let sum = 0
  for (let index = 0; index < text.length; index += 1) sum ^= text.charCodeAt(index)
  return sum
}

function cutTag(line: string): { readonly tag: string | null; readonly rest: string } {
  const end = line.startsWith('\\') ? line.indexOf('\\', 1) : -1
  return end < 0 ? { tag: null, rest: line } : { tag: line.slice(1, end), rest: line.slice(end + 1) }
}

/**
 * `c:` is a UNIX time, in seconds or, with some receivers, in milliseconds. A tag block with a wrong checksum is
 * ignored.
 */
function timeOfTag(tag: string): number | null {
  const [body = '', sum = ''] = tag.split('*')
  if (checksumOf(body) !== Number.parseInt(sum, 16)) return null
  const digits = /(?:^|,)c:(\d{10}|\d{13})(?:,|$)/.exec(body)?.[1]
  if (digits === undefined) return null
  return digits.length === 13 ? Number(digits) : Number(digits) * 1_000
}
