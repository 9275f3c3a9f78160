/**
 * Turns bytes into segments, one after the other (ISO 9735), whatever the size of the chunks. At most one segment is in
 * memory. Bytes that are not a segment are reported with their position, and reading continues after the next
 * terminator.
 */

import { type Decoder, decoderOf, decodeSegment, splitSegment } from './segment-text.ts'
import {
  hasReleaseCharacter,
  readServiceAdvice,
  type ServiceCharacters,
  usualCharacters,
} from './service-characters.ts'

export interface Segment {
  /** Upper case. */
  readonly tag: string
  /** Elements after the tag, each with its components. */
  readonly elements: readonly (readonly string[])[]
  /** Its number in the file, from 1; `UNA` is not counted. */
  readonly number: number
  /** Its bytes in the file including the terminator, `to` not included. */
  readonly from: number
  readonly to: number
  readonly marks: ServiceCharacters
}

export interface SyntaxFault {
  /**
   * `syntax`: something was not read. `count`: numbers or references of the envelope are wrong, but all was read.
   * `bare`: no envelope.
   */
  readonly kind: 'syntax' | 'count' | 'bare'
  /** Number of the segment, as in `Segment`. */
  readonly number: number
  /** Byte of the file, from 0. */
  readonly offset: number
  readonly detail: string
}

/** Real segments have some hundreds of bytes; a text without terminators is not an interchange. */
const segmentBytesMax = 16_384
const elementsMax = 200
const componentsMax = 100

const [carriageReturn, lineFeed] = [13, 10]

export function* readSegments(
  chunks: Iterable<Uint8Array>,
  note: (fault: SyntaxFault) => void,
): Generator<Segment, void, undefined> {
  const reader = new SegmentReader(note)
  for (const chunk of chunks) {
    let at = 0
    while (at < chunk.length) {
      at = reader.take(chunk, at)
      const segment = reader.give()
      if (segment !== null) yield segment
    }
  }
  const last = reader.end()
  if (last !== null) yield last
}

/** Holds the segment that is being read; `take` stops behind each terminator. */
class SegmentReader {
  readonly #note: (fault: SyntaxFault) => void
  /** Starts small and grows: every message part has its own reader, and few segments are long. */
  #bytes = Buffer.alloc(512)
  #marks = usualCharacters
  #codes = codesOf(usualCharacters)
  #charset: Decoder | null = null
  readonly #wrapping = /[\r\n]+/g
  #length = 0
  #isReleased = false
  #isTooLong = false
  #isAdvice = false
  #count = 0
  #offset = 0
  #start = 0
  #done: Segment | null = null

  constructor(note: (fault: SyntaxFault) => void) {
    this.#note = note
  }

  take(chunk: Uint8Array, from: number): number {
    if (this.#length === 0) {
      const to = this.#takeWhole(chunk, from)
      if (to > from) return to
    }
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0
      this.#offset += 1
      if (this.#length === 0 && isBetween(byte)) continue
      if (this.#length === 0) this.#start = this.#offset - 1
      if (this.#length === 3) this.#lookAtTag(byte)
      if (this.#isAdvice) {
        this.#append(byte)
        if (this.#length === 9) this.#readAdvice()
        continue
      }
      if (!this.#isReleased && byte === this.#codes.terminator) {
        this.#done = this.#finish()
        return at + 1
      }
      // Transports wrap lines; no value contains a line end.
      if (byte === carriageReturn || byte === lineFeed) continue
      this.#isReleased = !this.#isReleased && byte === this.#codes.release
      this.#append(byte)
    }
    return chunk.length
  }

  /**
   * Reads a plain segment that is completely in the chunk, as nearly all are. This is many times faster than reading
   * byte by byte.
   */
  #takeWhole(chunk: Uint8Array, from: number): number {
    let start = from
    while (start < chunk.length && isBetween(chunk[start] ?? 0)) start += 1
    const { terminator, release } = this.#codes
    const end = chunk.indexOf(terminator, start)
    // Tags with U as first letter (UNA, UNB) may change the separators, so they are read byte by byte.
    const isPlain = end - start > 3 && end - start < segmentBytesMax && (chunk[start] ?? 0) % 32 !== 21
    if (!isPlain) return from
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset + start, end - start)
    if (release >= 0 && bytes.includes(release)) return from
    this.#start = this.#offset + start - from
    this.#offset += end + 1 - from
    this.#done = this.#read(bytes)
    return end + 1
  }

  give(): Segment | null {
    const segment = this.#done
    this.#done = null
    return segment
  }

  /** If a last UNT or UNZ lacks only its terminator, it is still read. */
  end(): Segment | null {
    if (this.#length === 0) return null
    const text = this.#bytes.toString('latin1', 0, Math.min(this.#length, 4))
    const isEnd = /^UN[TZ]/i.test(text) && text.charAt(3) === this.#marks.element
    const detail = isEnd
      ? 'The last segment has no terminator.'
      : this.#isReleased
        ? 'The text ends after a release character.'
        : 'The text ends in the middle of a segment.'
    this.#fault(isEnd ? 'count' : 'syntax', detail)
    return isEnd ? this.#finish() : null
  }

  #append(byte: number): void {
    if (this.#length < segmentBytesMax) {
      if (this.#length === this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], 2 * this.#length)
      this.#bytes[this.#length] = byte
      this.#length += 1
    } else if (!this.#isTooLong) {
      this.#isTooLong = true
      this.#fault('syntax', `A segment has more than ${segmentBytesMax} bytes.`)
    }
  }

  /** `UNA` names the separators of what follows. A later interchange without `UNA` uses the usual ones. */
  #lookAtTag(next: number): void {
    const tag = this.#bytes.toString('latin1', 0, 3).toUpperCase()
    this.#isAdvice = tag === 'UNA'
    const isUsual = next === codesOf(usualCharacters).element && next !== this.#codes.element
    if (tag === 'UNB' && isUsual) this.#use(usualCharacters)
  }

  #readAdvice(): void {
    const marks = readServiceAdvice(this.#bytes.toString('latin1', 0, 9))
    if (marks === null) this.#fault('syntax', 'The service characters of UNA are not valid: the usual ones are used.')
    this.#use(marks ?? usualCharacters)
    this.#begin()
  }

  #use(marks: ServiceCharacters): void {
    this.#marks = marks
    this.#codes = codesOf(marks)
  }

  #begin(): void {
    this.#length = 0
    this.#isReleased = false
    this.#isTooLong = false
    this.#isAdvice = false
  }

  #fault(kind: SyntaxFault['kind'], detail: string): void {
    this.#note({ kind, number: this.#count + 1, offset: this.#start, detail })
  }

  #finish(): Segment | null {
    const [length, isTooLong] = [this.#length, this.#isTooLong]
    this.#begin()
    return length === 0 || isTooLong ? null : this.#read(this.#bytes.subarray(0, length))
  }

  #read(bytes: Buffer): Segment | null {
    const text = decodeSegment(bytes, this.#charset).replace(this.#wrapping, '')
    const [head = [], ...elements] = splitSegment(text, this.#marks)
    const written = (head[0] ?? '').trim()
    const tag = written.toUpperCase()
    if (!/^[A-Z][A-Z0-9]{2}$/.test(tag)) {
      this.#fault('syntax', `"${written.slice(0, 20)}" is not a segment tag.`)
      return null
    }
    if (elements.length > elementsMax || elements.some(({ length: parts }) => parts > componentsMax)) {
      this.#fault('syntax', `The segment ${tag} has too many elements or components.`)
      return null
    }
    if (tag === 'UNB') this.#charset = decoderOf(elements[0]?.[0] ?? '')
    this.#count += 1
    const at = { number: this.#count, from: this.#start, to: this.#offset, marks: this.#marks }
    return new TextSegment({ tag, text, ...at }, this.#count <= cachedSegmentsMax ? elements : null)
  }
}

/**
 * The first segments of a file cache their elements. Message parts, and nearly all deliveries, have fewer segments than
 * this.
 */
const cachedSegmentsMax = 1_000

/**
 * Stores its text and cuts it into elements only on demand: the elements of all segments of a complete ship need many
 * times the memory of their bytes. Callers mostly read several elements of one segment in a row, so the elements of the
 * last segment are cached.
 */
class TextSegment implements Segment {
  static #last: { readonly of: TextSegment; readonly elements: Segment['elements'] } | null = null
  readonly tag: string
  readonly number: number
  readonly from: number
  readonly to: number
  readonly marks: ServiceCharacters
  readonly #text: string
  readonly #elements: Segment['elements'] | null

  constructor(of: Omit<Segment, 'elements'> & { readonly text: string }, elements: Segment['elements'] | null) {
    this.tag = of.tag
    this.number = of.number
    this.from = of.from
    this.to = of.to
    this.marks = of.marks
    this.#text = elements === null ? of.text : ''
    this.#elements = elements
  }

  get elements(): Segment['elements'] {
    if (this.#elements !== null) return this.#elements
    const last = TextSegment.#last
    if (last?.of === this) return last.elements
    const elements = splitSegment(this.#text, this.marks).slice(1)
    TextSegment.#last = { of: this, elements }
    return elements
  }
}

/**
 * Bytes before a tag that are skipped: blanks, line ends, other control characters, and the byte order mark (EF BB BF).
 */
function isBetween(byte: number): boolean {
  return byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf
}

interface Codes {
  readonly element: number
  readonly release: number
  readonly terminator: number
}

function codesOf(marks: ServiceCharacters): Codes {
  return {
    element: marks.element.charCodeAt(0),
    release: hasReleaseCharacter(marks) ? marks.release.charCodeAt(0) : -1,
    terminator: marks.terminator.charCodeAt(0),
  }
}
