/** Pictures in grey, one byte a pixel: what the recognition of characters works on. */

import type { Pixels } from './pdfium.ts'

export interface GreyPicture {
  readonly width: number
  readonly height: number
  /** Row by row; 0 is black. */
  readonly bytes: Uint8Array
}

export function greyOf({ width, height, bytes }: Pixels): GreyPicture {
  const grey = new Uint8Array(width * height)
  for (let at = 0; at < grey.length; at += 1) {
    const from = at * 4
    // Weights of ITU-R BT.601 for blue, green and red.
    grey[at] = (29 * (bytes[from] ?? 0) + 150 * (bytes[from + 1] ?? 0) + 77 * (bytes[from + 2] ?? 0)) >> 8
  }
  return { width, height, bytes: grey }
}

/** Side of the squares whose paper is measured, as a share of the longer side. */
const squares = 40

/**
 * Makes the paper white where a photo is darker on one side, or has a shadow. In each square of the picture the paper
 * is what most pixels are at least as bright as; between squares it changes evenly.
 */
export function normalizeLighting(picture: GreyPicture): GreyPicture {
  const { width, height, bytes } = picture
  const side = Math.max(16, Math.ceil(Math.max(width, height) / squares))
  const [across, down] = [Math.ceil(width / side), Math.ceil(height / side)]
  const paper = new Float32Array(across * down)
  for (let row = 0; row < down; row += 1)
    for (let column = 0; column < across; column += 1)
      paper[row * across + column] = measurePaperBrightness(picture, { column, row, side })
  const even = new Uint8Array(bytes.length)
  for (let y = 0; y < height; y += 1) {
    const rowAt = Math.min(down - 1, Math.max(0, y / side - 0.5))
    const row = Math.floor(rowAt)
    const next = Math.min(down - 1, row + 1)
    for (let x = 0; x < width; x += 1) {
      const columnAt = Math.min(across - 1, Math.max(0, x / side - 0.5))
      const column = Math.floor(columnAt)
      const beside = Math.min(across - 1, column + 1)
      const [right, below] = [columnAt - column, rowAt - row]
      const above = (paper[row * across + column] ?? 255) * (1 - right) + (paper[row * across + beside] ?? 255) * right
      const under =
        (paper[next * across + column] ?? 255) * (1 - right) + (paper[next * across + beside] ?? 255) * right
      const at = y * width + x
      even[at] = Math.min(255, ((bytes[at] ?? 0) * 245) / Math.max(40, above * (1 - below) + under * below))
    }
  }
  return { width, height, bytes: even }
}

/** The brightness that 80 of 100 pixels of the square do not exceed. */
function measurePaperBrightness(
  { width, height, bytes }: GreyPicture,
  of: { readonly column: number; readonly row: number; readonly side: number },
): number {
  const counts = new Uint32Array(256)
  const [fromX, fromY] = [of.column * of.side, of.row * of.side]
  let all = 0
  for (let y = fromY; y < Math.min(height, fromY + of.side); y += 2)
    for (let x = fromX; x < Math.min(width, fromX + of.side); x += 2) {
      const value = bytes[y * width + x] ?? 0
      counts[value] = (counts[value] ?? 0) + 1
      all += 1
    }
  let below = 0
  for (let value = 0; value < 256; value += 1) {
    below += counts[value] ?? 0
    if (below >= all * 0.8) return value
  }
  return 255
}

/** True when nothing darker than the paper is on it. */
export function isBlank({ bytes }: GreyPicture): boolean {
  let dark = 0
  for (let at = 0; at < bytes.length; at += 3) if ((bytes[at] ?? 255) < 160) dark += 1
  return dark * 3 < bytes.length * 0.0005
}
