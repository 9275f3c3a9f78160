/**
 * Which characters a person sees: those without which the picture of the page differs where they stand. This finds all
 * that hides a text, whatever the means: white on white, a render mode, a picture above it, a layer that is off, a place
 * outside the page.
 */

import type { Box } from '../../document.ts'
import type { Character } from './characters.ts'
import { findLayers } from './layers.ts'
import { sizeOf } from './open-pdf.ts'
import type { Pdfium } from './pdfium.ts'
import { type Pixels, pixelSize, renderPage } from './render.ts'

/** Of 255, in any colour. Below it print cannot be told from its ground; light grey on white differs by some 60. */
const contrastMin = 30
/** A full stop of small print is some pixels that are all but white. */
const contrastMinOfDots = 14
const dotPixels = 12
const sharePixelsMin = 0.03
/** In points, and in parts of the longer side of the page: smaller print is not read by anybody. */
const sizeMin = { points: 2.5, share: 0.003 } as const
const resolution = { dpi: 120, pixelsMax: 4_000_000 } as const

/** By the index of the character. Spaces count as visible. */
export type Visibility = readonly boolean[]

/**
 * `objects`: all that draw text on the page. Those that draw letters nobody knows are left on at the end, as if they
 * were pictures; all others are off.
 */
export function findVisible(
  pdfium: Pdfium,
  page: number,
  { characters, objects }: { readonly characters: readonly Character[]; readonly objects: readonly number[] },
): Visibility {
  const size = sizeOf(pdfium, page)
  const pixels = pixelSize(size, resolution)
  const switchAll = (isOn: (object: number) => boolean) => {
    for (const object of objects) pdfium._FPDFPageObj_SetIsActive(object, isOn(object) ? 1 : 0)
  }
  const readable = Math.min(sizeMin.points, sizeMin.share * Math.max(size.width, size.height))
  const layers = findLayers(characters)
  const isVisible = characters.map(({ isSpace }) => isSpace)
  const shown = renderPage(pdfium, page, pixels)
  const count = Math.max(1, ...[...layers.values()].map((layer) => (layer ?? -1) + 1))
  for (let layer = 0; layer < count; layer += 1) {
    switchAll((object) => layers.get(object) !== layer)
    const without = renderPage(pdfium, page, pixels)
    characters.forEach((character, index) => {
      if (character.size >= readable && layers.get(character.object) === layer && !character.isSpace)
        isVisible[index] = differs({ shown, without }, character.box)
    })
  }
  const unknown = unknownObjects(characters)
  switchAll((object) => unknown.has(object))
  return isVisible
}

/** Objects of which more letters are unknown than known: their text is known by its looks only. */
export function unknownObjects(characters: readonly Character[]): ReadonlySet<number> {
  const counts = new Map<number, number>()
  for (const { object, isUnknown, isSpace } of characters)
    if (!isSpace) counts.set(object, (counts.get(object) ?? 0) + (isUnknown ? 1 : -1))
  return new Set([...counts].filter(([, more]) => more > 0).map(([object]) => object))
}

function differs(
  { shown, without }: { readonly shown: Pixels; readonly without: Pixels },
  box: Box,
): boolean {
  const { width, height } = shown
  const left = Math.max(0, Math.floor(box.left * width))
  const top = Math.max(0, Math.floor(box.top * height))
  const right = Math.min(width, Math.ceil(box.right * width))
  const bottom = Math.min(height, Math.ceil(box.bottom * height))
  const area = (right - left) * (bottom - top)
  if (right <= left || bottom <= top) return false
  const contrast = area <= dotPixels ? contrastMinOfDots : contrastMin
  let changed = 0
  for (let y = top; y < bottom; y += 1)
    for (let at = (y * width + left) * 4, end = (y * width + right) * 4; at < end; at += 4)
      if (contrastAt(shown.data, without.data, at) >= contrast) changed += 1
  return changed >= Math.max(1, area * sharePixelsMin)
}

function contrastAt(a: Uint8Array, b: Uint8Array, at: number): number {
  return Math.max(
    Math.abs((a[at] ?? 0) - (b[at] ?? 0)),
    Math.abs((a[at + 1] ?? 0) - (b[at + 1] ?? 0)),
    Math.abs((a[at + 2] ?? 0) - (b[at + 2] ?? 0)),
  )
}
