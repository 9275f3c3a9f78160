/** The text around a code, verbatim: the segment of an interchange, or the object of a JSON answer. */

import { readSegments as readEdifact } from '../edifact/segments.ts'
import { escapePointerStep, findFirstPointerMatch, splitJsonPointer } from '../terminal-api/pointer.ts'
import { isFault, readSegments as readX12 } from '../x12/segments.ts'

const charactersMax = 300

/** Null where the place is not found. `path`: as in an issue of this language. */
export function findExcerpt(language: string, body: Buffer, path: string): string | null {
  const excerpt = language === 'x12' || language === 'edifact' ? segmentAt(language, body, path) : elementAt(body, path)
  return excerpt === null
    ? null
    : excerpt
        .replace(/\p{Cc}+/gu, ' ')
        .trim()
        .slice(0, charactersMax)
}

function segmentAt(language: 'x12' | 'edifact', body: Buffer, path: string): string | null {
  const number = Number(path.split('/')[1])
  const segments = language === 'x12' ? readX12([body]) : readEdifact([body], () => {})
  for (const segment of segments)
    if (!isFault(segment) && segment.number === number)
      return body.subarray(segment.from, segment.to).toString('latin1')
  return null
}

function elementAt(body: Buffer, path: string): string | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    const steps = splitJsonPointer(path)
    const last = steps.at(-1)
    if (last === undefined) return null
    const around = findFirstPointerMatch(
      value,
      steps
        .slice(0, -1)
        .map((step) => `/${escapePointerStep(step)}`)
        .join(''),
    )
    const inner = findFirstPointerMatch(value, path)
    if (inner === null || around === null) return null
    return JSON.stringify({ [last]: inner.value })
  } catch {
    return null
  }
}
