/** Values of a segment as texts that every database can store: no control characters, no blanks at both ends. */

import type { Segment } from './segments.ts'

/** The value of a component as it was written; empty when it is left out. */
export function componentOf(segment: Pick<Segment, 'elements'>, element: number, component = 0): string {
  return segment.elements[element]?.[component] ?? ''
}

/** The longest element has no more characters (FTX, 512). */
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

/** Codes may be written in upper or lower case. */
export function codeOf(segment: Pick<Segment, 'elements'>, element: number, component = 0): string {
  return textOf(segment, element, component).toUpperCase()
}

/** Null when the component is empty. */
export function optionalTextOf(segment: Pick<Segment, 'elements'>, element: number, component = 0): string | null {
  return textOf(segment, element, component) || null
}

/** A number of a bill, a booking or a container, without blanks and in upper case; null when it is empty. */
export function numberOf(segment: Pick<Segment, 'elements'>, element: number, component = 0): string | null {
  return codeOf(segment, element, component).replace(/\s+/g, '') || null
}

/**
 * The segments with this tag, and with one of the qualifiers as first component; all of the tag when no qualifiers are
 * given.
 */
export function segmentsOf(
  segments: readonly Segment[],
  tag: string,
  qualifiers?: readonly string[],
): readonly Segment[] {
  return segments.filter(
    (each) => each.tag === tag && (qualifiers === undefined || qualifiers.includes(codeOf(each, 0))),
  )
}

/** The numbers of segment and element as an issue names them (`/12/3`); the tag does not count as an element. */
export function pathTo({ number }: Segment, element?: number): string {
  return element === undefined ? `/${number}` : `/${number}/${element + 1}`
}
