/**
 * Counts how many texts of each length a pattern allows. Knows only what the table of formats uses: literals, classes,
 * `\d`, groups with alternatives, `?`, `{n}` and `{m,n}`.
 */

type Sizes = ReadonlyMap<number, number>

/** The number of texts by length. Throws for a pattern with anything else, which would be a fault in our own table. */
export function countStrings(pattern: string): Sizes {
  const reader = { text: pattern.replace(/^\^|\$$/g, ''), at: 0 }
  const sizes = readAlternatives(reader)
  if (reader.at !== reader.text.length) throw new Error(`the pattern ${pattern} cannot be counted`)
  return sizes
}

interface PatternReader {
  readonly text: string
  at: number
}

function readAlternatives(reader: PatternReader): Sizes {
  const all = new Map<number, number>()
  for (;;) {
    for (const [length, count] of readSequence(reader)) all.set(length, (all.get(length) ?? 0) + count)
    if (reader.text[reader.at] !== '|') return all
    reader.at += 1
  }
}

function readSequence(reader: PatternReader): Sizes {
  let sizes: Sizes = new Map([[0, 1]])
  while (reader.at < reader.text.length && !'|)'.includes(reader.text.charAt(reader.at))) {
    const unit = readUnit(reader)
    const [least, most] = readQuantity(reader)
    const repeated = new Map<number, number>()
    let power: Sizes = new Map([[0, 1]])
    for (let times = 0; times <= most; times += 1) {
      if (times >= least) for (const [length, count] of power) addSize(repeated, length, count)
      power = concatenateSizes(power, unit)
    }
    sizes = concatenateSizes(sizes, repeated)
  }
  return sizes
}

function readUnit(reader: PatternReader): Sizes {
  const rest = reader.text.slice(reader.at)
  if (rest.startsWith('(?:')) {
    reader.at += 3
    const inner = readAlternatives(reader)
    if (reader.text[reader.at] !== ')') throw new Error(`a group has no end in the pattern ${reader.text}`)
    reader.at += 1
    return inner
  }
  const [unit = ''] = /^(?:\[[^\]]+\]|\\d|[A-Z0-9-])/.exec(rest) ?? []
  if (unit === '') throw new Error(`${rest} cannot be counted`)
  reader.at += unit.length
  return new Map([[1, classSize(unit)]])
}

function classSize(unit: string): number {
  if (unit === '\\d') return 10
  if (!unit.startsWith('[')) return 1
  let size = 0
  for (const [, from, to] of unit.slice(1, -1).matchAll(/(.)(?:-(.))?/g)) {
    size += to === undefined ? 1 : to.charCodeAt(0) - (from ?? to).charCodeAt(0) + 1
  }
  return size
}

function readQuantity(reader: PatternReader): readonly [number, number] {
  const rest = reader.text.slice(reader.at)
  const [text = '', least, most] = /^(?:\?|\{(\d+)(?:,(\d+))?\})/.exec(rest) ?? []
  reader.at += text.length
  if (text === '') return [1, 1]
  if (text === '?') return [0, 1]
  return [Number(least), Number(most ?? least)]
}

function concatenateSizes(one: Sizes, other: Sizes): Sizes {
  const joined = new Map<number, number>()
  for (const [a, m] of one) for (const [b, n] of other) addSize(joined, a + b, m * n)
  return joined
}

function addSize(sizes: Map<number, number>, length: number, count: number): void {
  sizes.set(length, (sizes.get(length) ?? 0) + count)
}
