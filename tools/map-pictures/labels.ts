/** Places the names on a map: beside what they name, inside the picture, and not over each other. */

export interface Label {
  readonly x: number
  readonly y: number
  readonly lines: readonly [name: string, note: string]
}

interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

const lineHeight = 17
const gap = 14

export function placeLabels(
  labels: readonly Label[],
  frame: { readonly width: number; readonly height: number; readonly top: number },
  strokes: readonly (readonly [x: number, y: number])[],
): readonly string[] {
  // The named points must not be covered either.
  const taken: Box[] = labels.map(({ x, y }) => ({ left: x - 9, top: y - 9, right: x + 9, bottom: y + 9 }))
  return labels.map((label) => {
    const boxes = placesFor(label)
    const isInside = (box: Box) =>
      box.left > 8 && box.right < frame.width - 8 && box.top > frame.top && box.bottom < frame.height
    const free = boxes.filter((each) => isInside(each) && !taken.some((other) => overlaps(each, other)))
    // Among the free places, takes the one that covers the least of the lines; if several are equal, the nearest one.
    const hidden = (each: Box) => strokes.filter(([x, y]) => isIn(each, x, y)).length
    const [best] = free.map((each) => ({ each, hides: hidden(each) })).toSorted((a, b) => a.hides - b.hides)
    const box = best?.each ?? boxes.find(isInside) ?? boxes[0]
    if (box === undefined) return ''
    taken.push(box)
    return write(label, box)
  })
}

/** Right, left, above, below, the corners, then the same places at a larger distance. */
function placesFor({ x, y, lines }: Label): readonly Box[] {
  const wide = Math.max(lines[0].length * 8.1, lines[1].length * 7) + 12
  const high = lineHeight * 2 + 6
  return [gap, gap + 34, gap + 70].flatMap((off) => {
    const [right, left] = [x + off, x - off - wide]
    const [above, below] = [y - off - high, y + off]
    const corners: readonly (readonly [number, number])[] = [
      [right, y - high / 2],
      [left, y - high / 2],
      [x - wide / 2, above],
      [x - wide / 2, below],
      [right, above],
      [left, above],
      [right, below],
      [left, below],
    ]
    return corners.map(([from, top]) => ({ left: from, top, right: from + wide, bottom: top + high }))
  })
}

function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

function isIn({ left, right, top, bottom }: Box, x: number, y: number): boolean {
  return x > left && x < right && y > top && y < bottom
}

function write({ x, y, lines }: Label, { left, top, right, bottom }: Box): string {
  const [edgeX, edgeY] = [Math.min(Math.max(x, left), right), Math.min(Math.max(y, top), bottom)]
  const isFar = Math.hypot(edgeX - x, edgeY - y) > gap * 2
  const leader = isFar
    ? `<path d="M${x.toFixed(1)} ${y.toFixed(1)}L${edgeX.toFixed(1)} ${edgeY.toFixed(1)}" stroke="#8796a3"/>`
    : ''
  return `${leader}<g><rect x="${left.toFixed(1)}" y="${top.toFixed(1)}" width="${(right - left).toFixed(1)}" height="${(bottom - top).toFixed(1)}" rx="4" fill="#ffffff" fill-opacity="0.86"/>
<text x="${(left + 6).toFixed(1)}" y="${(top + 16).toFixed(1)}" font-size="14" font-weight="bold" fill="#14293d">${escapeText(lines[0])}</text>
<text x="${(left + 6).toFixed(1)}" y="${(top + 33).toFixed(1)}" font-size="12" fill="#4a5d6e">${escapeText(lines[1])}</text></g>`
}

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
