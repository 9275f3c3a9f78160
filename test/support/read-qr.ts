/**
 * Reads a QR code out of an SVG as a camera would, by ISO/IEC 18004 and not with the library that drew it: format,
 * mask, placement, blocks, byte mode. Versions 1 to 10 at level L. The picture is complete, so nothing is corrected.
 */

import assert from 'node:assert/strict'

/** Centres of the alignment patterns, by version from 2 on (Annex E). */
const centres = [[18], [22], [26], [30], [34], [22, 38], [24, 42], [26, 46], [28, 50]] as const
/** Number of codewords, correction codewords of a block, and number of blocks, at level L (Table 9). */
const blocksOf = [
  [26, 7, 1],
  [44, 10, 1],
  [70, 15, 1],
  [100, 20, 1],
  [134, 26, 1],
  [172, 18, 2],
  [196, 20, 2],
  [242, 24, 2],
  [292, 30, 2],
  [346, 18, 4],
] as const
/** Table 10; column x, row y. */
const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

export function readQr(svg: string): string {
  const { isDark, width } = readModules(svg)
  const version = (width - 17) / 4
  assert.ok(Number.isInteger(version) && version >= 1 && version <= 10, `version ${version}`)
  const mask = readMask(isDark)
  const isFunction = functionModules(width, version)
  const bits: boolean[] = []
  for (let right = width - 1; right >= 1; right -= 2) {
    // Skips the column of the timing pattern.
    if (right === 6) right = 5
    const goesUp = ((right + 1) & 2) === 0
    for (let step = 0; step < width; step += 1) {
      const y = goesUp ? width - 1 - step : step
      for (const x of [right, right - 1]) if (!isFunction(x, y)) bits.push(isDark(x, y) !== mask(x, y))
    }
  }
  return readBytes(joinBlocks(toCodewords(bits), version), version)
}

type At = (x: number, y: number) => boolean

function readModules(svg: string): { readonly isDark: At; readonly width: number } {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1])
  const dark = new Set([...svg.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x} ${y}`))
  assert.ok(dark.size > 0, 'no modules')
  const all = [...dark].map((key) => key.split(' ').map(Number))
  const border = Math.min(...all.flat())
  assert.ok(border >= 4, `a quiet zone of ${border}`)
  return { isDark: (x, y) => dark.has(`${x + border} ${y + border}`), width: size - 2 * border }
}

/** Read from the format information around the upper left finder (7.9). */
function readMask(isDark: At): At {
  const places = [
    ...[0, 1, 2, 3, 4, 5, 7, 8].map((x) => [x, 8] as const),
    ...[7, 5, 4, 3, 2, 1, 0].map((y) => [8, y] as const),
  ]
  const read = places.reduce((value, [x, y]) => value * 2 + Number(isDark(x, y)), 0)
  const format = read ^ 0b101010000010010
  assert.equal(format >> 13, 0b01, 'level L')
  const mask = masks[(format >> 10) & 7]
  assert.ok(mask)
  return mask
}

function functionModules(width: number, version: number): At {
  const [first = 0, ...more] = version === 1 ? [] : [6, ...(centres[version - 2] ?? [])]
  const lines = version === 1 ? [] : [first, ...more]
  const last = lines.at(-1)
  const patterns = lines.flatMap((x) => lines.map((y) => [x, y] as const))
  const alignments = patterns.filter(
    ([x, y]) => !((x === 6 && y === 6) || (x === 6 && y === last) || (x === last && y === 6)),
  )
  return (x, y) => {
    const isFinder = (x < 9 && y < 9) || (x >= width - 8 && y < 9) || (x < 9 && y >= width - 8)
    const isVersion = version >= 7 && ((x < 6 && y >= width - 11) || (y < 6 && x >= width - 11))
    const isAlignment = alignments.some(([cx, cy]) => Math.abs(x - cx) <= 2 && Math.abs(y - cy) <= 2)
    return isFinder || isVersion || isAlignment || x === 6 || y === 6
  }
}

function toCodewords(bits: readonly boolean[]): readonly number[] {
  return Array.from({ length: Math.floor(bits.length / 8) }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((value, bit) => value * 2 + Number(bit), 0),
  )
}

/** The data of the blocks, one block after the other. In the code they are interleaved (7.6). */
function joinBlocks(codewords: readonly number[], version: number): readonly number[] {
  const [total, correction, count] = blocksOf[version - 1] ?? [0, 0, 0]
  assert.equal(codewords.length, total)
  const short = Math.floor(total / count) - correction
  const lengths = Array.from({ length: count }, (_, block) => short + Number(block >= count - (total % count)))
  const blocks: number[][] = lengths.map(() => [])
  let at = 0
  for (let place = 0; place <= short; place += 1)
    for (const [block, length] of lengths.entries())
      if (place < length) {
        blocks[block]?.push(codewords[at] ?? 0)
        at += 1
      }
  return blocks.flat()
}

/** Reads byte mode only (7.4.5). */
function readBytes(data: readonly number[], version: number): string {
  const bits = data.map((byte) => byte.toString(2).padStart(8, '0')).join('')
  assert.equal(bits.slice(0, 4), '0100', 'byte mode')
  const countBits = version < 10 ? 8 : 16
  const count = Number.parseInt(bits.slice(4, 4 + countBits), 2)
  const start = 4 + countBits
  const bytes = Array.from({ length: count }, (_, at) =>
    Number.parseInt(bits.slice(start + at * 8, start + at * 8 + 8), 2),
  )
  return Buffer.from(bytes).toString('utf8')
}
