/** A picture in shades of grey, and its first mending: even light and full contrast. */

/** Rows from the top, one byte a pixel, 0 black. */
export interface Grey {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** Side of the squares whose lightest shade is taken for the paper; wider than the strokes of letters. */
const square = 32
/** Under this the ground is no paper in a shadow but something dark, and stays it. */
const paperMin = 60

/**
 * Divides by the shade of the paper round about, so that a shadow on a photo is no darker than the rest, and stretches
 * what is left from black to white.
 */
export function evenLight(picture: Grey): Grey {
  const { width, height, data } = picture
  const columns = Math.ceil(width / square)
  const rows = Math.ceil(height / square)
  const paper = smooth(papersOf(picture, { columns, rows }), { columns, rows })
  const made = new Uint8Array(width * height)
  for (let y = 0; y < height; y += 1) {
    const row = Math.max(0, Math.min(rows - 1, y / square - 0.5))
    const above = Math.floor(row) * columns
    const below = Math.min(rows - 1, Math.floor(row) + 1) * columns
    const partBelow = row - Math.floor(row)
    for (let x = 0; x < width; x += 1) {
      const column = Math.max(0, Math.min(columns - 1, x / square - 0.5))
      const left = Math.floor(column)
      const right = Math.min(columns - 1, left + 1)
      const partRight = column - left
      const high = at(paper, above + left) * (1 - partRight) + at(paper, above + right) * partRight
      const low = at(paper, below + left) * (1 - partRight) + at(paper, below + right) * partRight
      const shade = (at(data, y * width + x) * 255) / (high * (1 - partBelow) + low * partBelow)
      made[y * width + x] = Math.min(shade, 255)
    }
  }
  return stretch({ width, height, data: made })
}

function papersOf(
  { width, height, data }: Grey,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): Uint8Array {
  const papers = new Uint8Array(columns * rows)
  const counts = new Uint32Array(256)
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      counts.fill(0)
      let seen = 0
      for (let y = row * square, last = Math.min(height, y + square); y < last; y += 2)
        for (let x = column * square, end = Math.min(width, x + square); x < end; x += 2) {
          const shade = at(data, y * width + x)
          counts[shade] = at(counts, shade) + 1
          seen += 1
        }
      // Not the very lightest: a speck of noise is not the paper.
      papers[row * columns + column] = Math.max(paperMin, shadeAbove(counts, seen * 0.1))
    }
  return papers
}

/** The shade that so many pixels are lighter than. */
function shadeAbove(counts: Uint32Array, count: number): number {
  let seen = 0
  for (let shade = 255; shade > 0; shade -= 1) {
    seen += at(counts, shade)
    if (seen > count) return shade
  }
  return 0
}

/** The lightest of each and its neighbours: a picture or a black bar is no paper. */
function smooth(
  papers: Uint8Array,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): Uint8Array {
  return papers.map((_, index) => {
    const [row, column] = [Math.floor(index / columns), index % columns]
    let lightest = 0
    for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y += 1)
      for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x += 1)
        lightest = Math.max(lightest, at(papers, y * columns + x))
    return lightest
  })
}

/** From the darkest hundredth to white. */
function stretch({ width, height, data }: Grey): Grey {
  const counts = countShades(data)
  let seen = 0
  let black = 0
  while (black < 128 && seen + at(counts, black) < data.length / 100) {
    seen += at(counts, black)
    black += 1
  }
  const stretched = byTable(data, (shade) => Math.max(0, ((shade - black) * 255) / (255 - black)))
  return { width, height, data: stretched }
}

export function countShades(data: Uint8Array): Uint32Array {
  const counts = new Uint32Array(256)
  // By index: with `of` and `map`, a page took four times as long.
  for (let index = 0; index < data.length; index += 1) {
    const shade = at(data, index)
    counts[shade] = at(counts, shade) + 1
  }
  return counts
}

/** Puts another shade in the place of each. */
export function byTable(data: Uint8Array, shadeFor: (shade: number) => number): Uint8Array {
  const table = Uint8Array.from({ length: 256 }, (_, shade) => shadeFor(shade))
  const made = new Uint8Array(data.length)
  for (let index = 0; index < data.length; index += 1) made[index] = at(table, at(data, index))
  return made
}

/** Typed arrays have a value at each index below their length, which the compiler cannot know. */
export function at(values: Uint8Array | Uint32Array | Float64Array | Int32Array, index: number): number {
  return values[index] ?? 0
}
