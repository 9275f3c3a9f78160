/**
 * The marks of an X12 interchange. ISA says them by where they stand, and they are found by counting element
 * separators, not bytes, for many senders do not pad ISA to its 106. A message that comes without ISA, as printed in
 * guides, still shows them in its first segment.
 */

export interface Separators {
  readonly element: number
  /** Null where the version knows none (before 00402) or the header does not say. */
  readonly component: number | null
  readonly repetition: number | null
  /** A byte, or one character of UTF-8. */
  readonly terminator: Buffer
}

export type HeaderReading =
  /** `length`: of the header with its terminator. */
  | { readonly kind: 'read'; readonly separators: Separators; readonly length: number }
  /** The bytes end before the marks are known. */
  | { readonly kind: 'more' }
  | { readonly kind: 'none' }

/** ISA has 106 bytes as the standard has it, GS and ST less; what is longer than this is none of them. */
export const headerBytesMax = 400

const [carriageReturn, lineFeed] = [13, 10]
const none = { kind: 'none' } as const
const more = { kind: 'more' } as const

const headerTags = [
  { tag: 'ISA', bytes: Buffer.from('ISA') },
  { tag: 'GS', bytes: Buffer.from('GS') },
  { tag: 'ST', bytes: Buffer.from('ST') },
] as const

/** The header that begins there: its tag and a mark behind it. Null where none does, or the bytes end before. */
export function findHeaderTag(bytes: Buffer, at: number): 'ISA' | 'GS' | 'ST' | null {
  for (const header of headerTags) {
    const mark = bytes[at + header.tag.length]
    const isTag = header.bytes.every((byte, index) => bytes[at + index] === byte)
    if (isTag && mark !== undefined && isMark(mark)) return header.tag
  }
  return null
}

export function isMark(byte: number): boolean {
  const isDigit = byte >= 48 && byte <= 57
  const isLetter = (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122)
  const isBlank = byte === 32 || byte === lineFeed || byte === carriageReturn
  return !isDigit && !isLetter && !isBlank
}

export function readHeader(
  bytes: Buffer,
  at: number,
  { tag, isLast }: { readonly tag: 'ISA' | 'GS' | 'ST'; readonly isLast: boolean },
): HeaderReading {
  const end = Math.min(bytes.length, at + headerBytesMax)
  const isTooShort = !isLast && end < at + headerBytesMax
  const window = { at, end, isWhole: isLast && end === bytes.length }
  const reading = tag === 'ISA' ? readIsa(bytes, window) : readBare(bytes, window, tag === 'GS' ? 8 : 2)
  return reading.kind === 'none' && isTooShort ? more : reading
}

interface Window {
  readonly at: number
  readonly end: number
  /** Nothing more will come behind its end. */
  readonly isWhole: boolean
}

/** The longest character of UTF-8, and as far as must be seen to tell a terminator from what follows. */
const terminatorBytes = 4

function readIsa(bytes: Buffer, { at, end, isWhole }: Window): HeaderReading {
  const element = bytes[at + 3]
  if (element === undefined) return none
  const marks: number[] = []
  for (let index = at + 3; index < end && marks.length < 16; index += 1) {
    if (bytes[index] === element) marks.push(index)
  }
  const [first = at] = marks
  const [fifteenth, last] = [marks[14], marks[15]]
  if (fifteenth === undefined) return none
  // ISA15 is one character: where more stands there, ISA16 was left out with its separator.
  const isCut = last === undefined || last - fifteenth > 2
  const componentAt = isCut ? null : last + 1
  const terminatorAt = isCut ? fifteenth + 2 : findTerminatorAt(bytes, last + 1)
  if (terminatorAt + terminatorBytes > end && !isWhole) return none
  const terminator = readTerminator(bytes.subarray(0, end), terminatorAt)
  if (terminator === null || first !== at + 3) return none
  const hasComponent = componentAt !== null && terminatorAt === componentAt + 1
  const eleventh = bytes[(marks[10] ?? at) + 1]
  const repetition = eleventh !== undefined && isMark(eleventh) && eleventh !== element ? eleventh : null
  return {
    kind: 'read',
    separators: {
      element,
      component: hasComponent ? (bytes[componentAt] ?? null) : null,
      repetition,
      terminator,
    },
    length: terminatorAt + terminator.length - at,
  }
}

/** ISA16 may be empty: then its terminator stands in its place, with the next segment or a line's end behind it. */
function findTerminatorAt(bytes: Buffer, componentAt: number): number {
  const [component, next] = [bytes[componentAt], bytes[componentAt + 1]]
  if (component === lineFeed || component === carriageReturn) return componentAt
  const tag = bytes.toString('latin1', componentAt + 1, componentAt + 3)
  return next !== undefined && !isMark(next) && (tag === 'GS' || tag === 'TA') ? componentAt : componentAt + 1
}

/** The header of a message without ISA: after its elements, the first mark that does not part elements ends it. */
function readBare(bytes: Buffer, { at, end, isWhole }: Window, elements: number): HeaderReading {
  const element = bytes[at + 2]
  if (element === undefined) return none
  let count = 0
  for (let index = at + 2; index < end; index += 1) {
    const byte = bytes[index] ?? 0
    if (byte === element) count += 1
    else if (count >= elements && !isInName(byte)) {
      const terminator = readTerminator(bytes.subarray(0, end), index)
      if (terminator === null || (index + terminatorBytes > end && !isWhole)) return none
      const separators = { element, component: null, repetition: null, terminator }
      return { kind: 'read', separators, length: index + terminator.length - at }
    }
  }
  return none
}

function isInName(byte: number): boolean {
  return byte === 32 || byte === 45 || byte === 46 || byte === 95 || !(isMark(byte) || byte < 32)
}

/** Of CR LF the LF: what is between a segment and its terminator and no data is left out anyway. */
function readTerminator(bytes: Buffer, at: number): Buffer | null {
  const byte = bytes[at]
  if (byte === undefined) return null
  if (byte === carriageReturn && bytes[at + 1] === lineFeed) return Buffer.of(lineFeed)
  const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1
  const character = bytes.subarray(at, at + length)
  const isCharacter =
    character.length === length && character.subarray(1).every((each) => each >= 0x80 && each < 0xc0)
  return Buffer.from(isCharacter ? character : bytes.subarray(at, at + 1))
}
