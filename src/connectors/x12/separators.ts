/**
 * The separators of an X12 interchange. ISA shows them by their position. The position is found by counting element
 * separators, not bytes, because many senders do not pad ISA to its 106 bytes. A message without ISA, as printed in
 * guides, still shows them in its first segment.
 */

export interface Separators {
  readonly element: number
  /** Null where the version has none (before 00402) or the header does not show it. */
  readonly component: number | null
  readonly repetition: number | null
  /** One byte, or one UTF-8 character. */
  readonly terminator: Buffer
}

export type HeaderReading =
  /** `length`: of the header with its terminator. */
  | { readonly kind: 'read'; readonly separators: Separators; readonly length: number }
  /** The bytes end before all separators are known. */
  | { readonly kind: 'more' }
  | { readonly kind: 'none' }

/** The standard ISA has 106 bytes, GS and ST have fewer; anything longer than this is not a header. */
export const headerBytesMax = 400

const [carriageReturn, lineFeed] = [13, 10]
const none = { kind: 'none' } as const
const more = { kind: 'more' } as const

const headerTags = [
  { tag: 'ISA', bytes: Buffer.from('ISA') },
  { tag: 'GS', bytes: Buffer.from('GS') },
  { tag: 'ST', bytes: Buffer.from('ST') },
] as const

/**
 * The tag of the header that begins at this offset, if a separator follows the tag. Null where no header begins, or the
 * bytes end before that is known.
 */
export function findHeaderTag(bytes: Buffer, at: number): 'ISA' | 'GS' | 'ST' | null {
  for (const header of headerTags) {
    const mark = bytes[at + header.tag.length]
    const isTag = header.bytes.every((byte, index) => bytes[at + index] === byte)
    if (isTag && mark !== undefined && isSeparatorByte(mark)) return header.tag
  }
  return null
}

export function isSeparatorByte(byte: number): boolean {
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
  const reading = tag === 'ISA' ? readIsa(bytes, window) : readHeaderWithoutIsa(bytes, window, tag === 'GS' ? 8 : 2)
  return reading.kind === 'none' && isTooShort ? more : reading
}

interface HeaderWindow {
  readonly at: number
  readonly end: number
  /** True when no more bytes will come. */
  readonly isWhole: boolean
}

/**
 * The longest UTF-8 character has 4 bytes; this many bytes also suffice to distinguish a terminator from the following
 * bytes.
 */
const terminatorBytes = 4

function readIsa(bytes: Buffer, { at, end, isWhole }: HeaderWindow): HeaderReading {
  const element = bytes[at + 3]
  if (element === undefined) return none
  const marks: number[] = []
  for (let index = at + 3; index < end && marks.length < 16; index += 1) {
    if (bytes[index] === element) marks.push(index)
  }
  const [first = at] = marks
  const [fifteenth, last] = [marks[14], marks[15]]
  if (fifteenth === undefined) return none
  // ISA15 is one character: if there are more, ISA16 was omitted together with its separator.
  const isCut = last === undefined || last - fifteenth > 2
  const componentAt = isCut ? null : last + 1
  const terminatorAt = isCut ? fifteenth + 2 : findTerminatorAt(bytes, last + 1)
  if (terminatorAt + terminatorBytes > end && !isWhole) return none
  const terminator = readTerminator(bytes.subarray(0, end), terminatorAt)
  if (terminator === null || first !== at + 3) return none
  const hasComponent = componentAt !== null && terminatorAt === componentAt + 1
  const eleventh = bytes[(marks[10] ?? at) + 1]
  const repetition = eleventh !== undefined && isSeparatorByte(eleventh) && eleventh !== element ? eleventh : null
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

/**
 * ISA16 may be empty: then the terminator is in its place, followed by the next segment or a line end. Some senders
 * write blanks or tabs before the terminator.
 */
function findTerminatorAt(bytes: Buffer, componentAt: number): number {
  const [component, next] = [bytes[componentAt], bytes[componentAt + 1]]
  if (component === lineFeed || component === carriageReturn) return componentAt
  const tag = bytes.toString('latin1', componentAt + 1, componentAt + 3)
  if (next !== undefined && !isSeparatorByte(next) && (tag === 'GS' || tag === 'TA')) return componentAt
  let at = componentAt + 1
  while (bytes[at] === 9 || bytes[at] === 32) at += 1
  // Before a segment the last of them is the terminator itself.
  const isAtSegment = /[A-Z]/.test(String.fromCharCode(bytes[at] ?? 0))
  return isAtSegment && at > componentAt + 1 ? at - 1 : at
}

/**
 * The header of a message without ISA: after its elements, the first mark that is not the element separator is the
 * terminator.
 */
function readHeaderWithoutIsa(bytes: Buffer, { at, end, isWhole }: HeaderWindow, elements: number): HeaderReading {
  const element = bytes[at + 2]
  if (element === undefined) return none
  let count = 0
  for (let index = at + 2; index < end; index += 1) {
    const byte = bytes[index] ?? 0
    if (byte === element) count += 1
    else if (count >= elements && !isNameByte(byte)) {
      const terminator = readTerminator(bytes.subarray(0, end), index)
      if (terminator === null || (index + terminatorBytes > end && !isWhole)) return none
      const separators = { element, component: null, repetition: null, terminator }
      return { kind: 'read', separators, length: index + terminator.length - at }
    }
  }
  return none
}

function isNameByte(byte: number): boolean {
  return byte === 32 || byte === 45 || byte === 46 || byte === 95 || !(isSeparatorByte(byte) || byte < 32)
}

/** The terminator of CR LF is LF: the CR before it is no data and is removed later anyway. */
function readTerminator(bytes: Buffer, at: number): Buffer | null {
  const byte = bytes[at]
  if (byte === undefined) return null
  if (byte === carriageReturn && bytes[at + 1] === lineFeed) return Buffer.of(lineFeed)
  const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1
  const character = bytes.subarray(at, at + length)
  const isCharacter = character.length === length && character.subarray(1).every((each) => each >= 0x80 && each < 0xc0)
  return Buffer.from(isCharacter ? character : bytes.subarray(at, at + 1))
}
