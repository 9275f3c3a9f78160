/**
 * Forms have ruled lines around their cells. The recognition of characters reads them as letters and loses the print
 * beside them, so they are erased from a level picture before it is read.
 */

import type { GreyPicture } from './grey.ts'

/** A run of dark pixels that is longer, as a share of the longer side, does not belong to a letter. */
const lengthMin = 0.035
/** A band that is thicker is a bar or a picture; 1/300 of the longer side is a point and a bit. */
const thickMax = 0.004
const dark = 190
const white = 255

export function eraseRuledLines(picture: GreyPicture): GreyPicture {
  const { width, height, bytes } = picture
  const longer = Math.max(width, height)
  const sizes = { long: Math.round(longer * lengthMin), thick: Math.max(3, Math.round(longer * thickMax)) }
  const cleaned = Uint8Array.from(bytes)
  eraseAlong(bytes, cleaned, { ...sizes, lines: height, along: width, step: 1, across: width })
  eraseAlong(bytes, cleaned, { ...sizes, lines: width, along: height, step: width, across: 1 })
  return { width, height, bytes: cleaned }
}

interface ScanDirection {
  readonly long: number
  readonly thick: number
  /** How many rows (or columns) there are, and pixels in each. */
  readonly lines: number
  readonly along: number
  /** From one pixel to the next of the row, and to that beside it in the next row. */
  readonly step: number
  readonly across: number
}

/** A rule that slopes a little is in one row for some of its length, and in the next row for the rest. */
function eraseAlong(bytes: Uint8Array, cleaned: Uint8Array, way: ScanDirection): void {
  const { long, lines, along, step, across } = way
  for (let line = 0; line < lines; line += 1) {
    let from = 0
    for (let at = 0; at <= along; at += 1) {
      if (at < along && (bytes[line * across + at * step] ?? white) < dark) continue
      if (at - from >= long) eraseRun(bytes, cleaned, way, { line, from, to: at })
      from = at + 1
    }
  }
}

/** Where letters cross the rule it is thicker: there it stays, and so do they. */
function eraseRun(
  bytes: Uint8Array,
  cleaned: Uint8Array,
  { thick, lines, step, across }: ScanDirection,
  run: { readonly line: number; readonly from: number; readonly to: number },
): void {
  for (let at = run.from; at < run.to; at += 1) {
    const isDark = (line: number): boolean =>
      line >= 0 && line < lines && (bytes[line * across + at * step] ?? white) < dark
    let [first, last] = [run.line, run.line]
    while (last - first <= thick && isDark(first - 1)) first -= 1
    while (last - first <= thick && isDark(last + 1)) last += 1
    if (last - first > thick) continue
    // The soft edge goes with the rule.
    for (let line = Math.max(0, first - 1); line <= Math.min(lines - 1, last + 1); line += 1)
      cleaned[line * across + at * step] = white
  }
}
