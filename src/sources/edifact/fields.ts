/** Values of a segment as texts that every store can keep: no control characters, no blanks around them. */

import type { Segment } from './segments.ts'

/** The value of a component as it was written; empty when it is left out. */
export function componentOf(segment: Pick<Segment, 'elements'>, element: number, component = 0): string {
  return segment.elements[element]?.[component] ?? ''
}

/** No more than any element holds (FTX, 512). */
const textLengthMax = 512

export function textOf(segment: Pick<Segment, 'elements'>, element: number, component = 0): string {
  const text = componentOf(segment, element, component)
  if (/^[\x21-\x7e]*$/.test(text) && text.length <= textLengthMax) return text
  return text
    .slice(0, 2 * textLengthMax)
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, textLengthMax)
    .toWellFormed()
}

/** Codes are written in any case. */
export function codeOf(segment: Pick<Segment, 'elements'>, element: number, component = 0): string {
  return textOf(segment, element, component).toUpperCase()
}

/** Null when it is left out. */
export function wordOf(segment: Pick<Segment, 'elements'>, element: number, component = 0): string | null {
  return textOf(segment, element, component) || null
}

/** A number of a bill, a booking or a box without blanks, upper case; null when it is left out or only stands for nothing. */
export function numberOf(segment: Pick<Segment, 'elements'>, element: number, component = 0): string | null {
  return codeOf(segment, element, component).replace(/\s+/g, '') || null
}

/** Those of one tag whose first component is one of the qualifiers; all of the tag when none is given. */
export function segmentsOf(
  segments: readonly Segment[],
  tag: string,
  qualifiers?: readonly string[],
): readonly Segment[] {
  return segments.filter(
    (each) => each.tag === tag && (qualifiers === undefined || qualifiers.includes(codeOf(each, 0))),
  )
}

/** The number of the segment and of its element as an issue names them (`/12/3`); the tag is none. */
export function pathTo({ number }: Segment, element?: number): string {
  return element === undefined ? `/${number}` : `/${number}/${element + 1}`
}
