/**
 * Which words of a page's own text a person can see. The page is drawn with its text and without: a word is visible
 * when this changes the pixels in its rectangle enough to be read. So the method by which a word was hidden does not
 * matter: white on white, under a picture, outside the page, too small, transparent, or drawn invisibly as under a
 * scan.
 */

import type { Rectangle } from '../document.ts'
import type { PrintedWord } from './group-words.ts'
import { drawPage, type PdfiumModule, type PdfPage, type Pixels } from './pdfium.ts'

export interface VisibleWords {
  readonly visible: readonly PrintedWord[]
  readonly invisible: number
}

const dpi = 110
/** A pixel counts when one of its colours changes by so much of 255. Paler text is for no reader. */
const contrastMin = 60
/** Share of a word's rectangle. Thin print changes about a tenth of it. */
const inkMin = 0.02
/** Smallest height of letters in points. Print for readers has three points and more. */
const heightPointsMin = 1.5
/** When the rectangles of two words share this much of the smaller one, one word may be hidden under the other. */
const overlapMax = 0.5
/** Text objects that are drawn alone, to distinguish words at one place. Beyond them such words count as invisible. */
const soloMax = 60

/** Null when the page is too large to be drawn. */
export function findVisible(pdfium: PdfiumModule, page: PdfPage, words: readonly PrintedWord[]): VisibleWords | null {
  if (words.length === 0) return { visible: [], invisible: 0 }
  const full = drawPage(pdfium, page, dpi)
  const bare = drawWithoutText(pdfium, objectsOf(words), () => drawPage(pdfium, page, dpi))
  if (full === null || bare === null) return null
  const inked = words.filter((word) => isTall(page, word) && inkOf({ full, bare }, word.box) >= inkMin)
  const atOnePlace = findOverlapping(inked)
  let solos = 0
  const visible = inked.filter((word) => {
    if (!atOnePlace.has(word)) return true
    solos += 1
    if (solos > soloMax) return false
    const less = drawWithoutText(pdfium, word.objects, () => drawPage(pdfium, page, dpi))
    return less !== null && inkOf({ full, bare: less }, word.box) >= inkMin
  })
  return { visible, invisible: words.length - visible.length }
}

export function objectsOf(words: readonly PrintedWord[]): readonly number[] {
  return [...new Set(words.flatMap(({ objects }) => objects))].filter((object) => object !== 0)
}

export function drawWithoutText<T>(pdfium: PdfiumModule, objects: readonly number[], draw: () => T): T {
  for (const object of objects) pdfium._FPDFPageObj_SetIsActive(object, 0)
  const drawn = draw()
  for (const object of objects) pdfium._FPDFPageObj_SetIsActive(object, 1)
  return drawn
}

/** Lines of print may run in any direction: the shorter side of a word is the height of its print. */
function isTall({ width, height }: PdfPage, { text, box: { left, top, right, bottom } }: PrintedWord): boolean {
  const sides = [(right - left) * width, (bottom - top) * height]
  const print = text.length > 1 ? Math.min(...sides) : Math.max(...sides)
  return print >= heightPointsMin && left < 1 && right > 0 && top < 1 && bottom > 0
}

/** Share of the pixels in the rectangle that differ. */
function inkOf(of: { readonly full: Pixels; readonly bare: Pixels }, rectangle: Rectangle): number {
  const { width, height, bytes } = of.full
  const [left, right] = [Math.floor(rectangle.left * width), Math.ceil(rectangle.right * width)]
  const [top, bottom] = [Math.floor(rectangle.top * height), Math.ceil(rectangle.bottom * height)]
  const other = of.bare.bytes
  let changed = 0
  for (let y = Math.max(0, top); y < Math.min(height, bottom); y += 1)
    for (let x = Math.max(0, left); x < Math.min(width, right); x += 1) {
      const at = (y * width + x) * 4
      const change = (place: number): number => Math.abs((bytes[at + place] ?? 0) - (other[at + place] ?? 0))
      if (Math.max(change(0), change(1), change(2)) >= contrastMin) changed += 1
    }
  return changed / Math.max(1, (right - left) * (bottom - top))
}

/** Words whose rectangle is mostly covered by a word of other objects. */
function findOverlapping(words: readonly PrintedWord[]): ReadonlySet<PrintedWord> {
  const found = new Set<PrintedWord>()
  const byTop = [...words].sort((one, other) => one.box.top - other.box.top)
  for (const [place, word] of byTop.entries())
    for (let next = place + 1; next < byTop.length; next += 1) {
      const other = byTop[next]
      if (other === undefined || other.box.top >= word.box.bottom) break
      if (computeOverlap(word.box, other.box) < overlapMax) continue
      found.add(word).add(other)
    }
  return found
}

function computeOverlap(one: Rectangle, other: Rectangle): number {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left)
  const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
  if (across <= 0 || down <= 0) return 0
  return (across * down) / Math.max(1e-12, Math.min(areaOf(one), areaOf(other)))
}

export function areaOf({ left, top, right, bottom }: Rectangle): number {
  return Math.max(0, right - left) * Math.max(0, bottom - top)
}
