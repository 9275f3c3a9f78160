/**
 * The syntax of ANSI X12: converts bytes into segments, each with its position, one after the other, so that memory
 * does not grow with the delivery. Faults of the syntax are reported with their position, and everything readable is
 * read.
 */

import { isAscii, isUtf8 } from 'node:buffer'
import { quoteValue, type SourceIssue } from '../source-issue.ts'
import { findHeaderTag, readHeader, type Separators } from './separators.ts'

export interface Segment {
  readonly kind: 'segment'
  readonly tag: string
  /** From 1, as in the standard's `B4-03`; 0 is the tag. Blanks at both ends are removed. */
  readonly elements: readonly string[]
  /** Its number in the delivery, from 1. */
  readonly number: number
  /** Its bytes in the delivery, with its terminator: `from` included, `to` not. */
  readonly from: number
  readonly to: number
  readonly separators: Separators
}

export interface SyntaxFault extends Pick<SourceIssue, 'kind' | 'lost' | 'path' | 'detail'> {
  readonly isFault: true
}

/** No segment of a status message reaches a tenth of these limits. */
const segmentBytesMax = 16_384
const elementsMax = 100
/** Maximum of one element; the longest that is read has 80. The rest is cut off here, and stays in the stored body. */
const charactersMax = 300

/** Empty for an element that is left out. */
export function elementOf(segment: Segment, element: number): string {
  return segment.elements[element] ?? ''
}

export function isFault(item: object): item is SyntaxFault {
  return 'isFault' in item
}

/**
 * The segments of a delivery, however it is cut into chunks. Never throws; holds one chunk and one segment in memory.
 */
export function* readSegments(chunks: Iterable<Uint8Array>): Generator<Segment | SyntaxFault> {
  const scanner = new Scanner()
  for (const chunk of chunks) {
    scanner.take(chunk)
    yield* scanner.scan(false)
  }
  yield* scanner.scan(true)
}

const blanks: ReadonlySet<number | undefined> = new Set([0, 9, 10, 13, 26, 32])
const byteOrderMark = [0xef, 0xbb, 0xbf]

/** `more`: more bytes are needed to decide; `on`: something was skipped. */
type ScanStep = Segment | SyntaxFault | 'more' | 'on'

class Scanner {
  #bytes: Buffer = Buffer.alloc(0)
  /** Offset in the delivery of the first byte in `#bytes`. */
  #base = 0
  #at = 0
  /** The terminator is not in `#bytes` before this offset. */
  #searched = 0
  /** Null between interchanges. */
  #separators: Separators | null = null
  #isTooLong = false
  /** Offset in the delivery where bytes begin that belong to no interchange. */
  #strayFrom: number | null = null
  #number = 0

  take(chunk: Uint8Array): void {
    const rest = this.#bytes.subarray(this.#at)
    this.#base += this.#at
    this.#searched -= this.#at
    this.#at = 0
    const incoming = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    this.#bytes = rest.length === 0 ? incoming : Buffer.concat([rest, incoming])
  }

  *scan(isLast: boolean): Generator<Segment | SyntaxFault> {
    for (;;) {
      if (!this.#isTooLong) this.#skipBlanks()
      if (this.#at >= this.#bytes.length) break
      const step = this.#separators === null ? this.#seek(isLast) : this.#read(this.#separators, isLast)
      if (step === 'more') break
      if (step !== 'on') yield step
    }
    if (!isLast) return
    if (this.#strayFrom !== null) yield this.#stray(this.#strayFrom)
    else if (this.#number === 0) yield makeFault('empty_answer', 'answer', '', 'the body is empty')
  }

  #skipBlanks(): void {
    const isStart = this.#base + this.#at === 0
    if (isStart && byteOrderMark.every((byte, index) => this.#bytes[index] === byte)) this.#at = 3
    while (this.#at < this.#bytes.length && blanks.has(this.#bytes[this.#at])) this.#at += 1
  }

  /** Between interchanges: reads the header of the next one, or skips bytes that are no header. */
  #seek(isLast: boolean): ScanStep {
    const bytes = this.#bytes
    if (!isLast && bytes.length - this.#at < 4) return 'more'
    const tag = findHeaderTag(bytes, this.#at)
    const isHeader = tag === 'ISA' || (tag !== null && this.#strayFrom === null)
    const header = isHeader ? readHeader(bytes, this.#at, { tag, isLast }) : ({ kind: 'none' } as const)
    if (header.kind === 'more') return 'more'
    if (header.kind === 'read') {
      if (this.#strayFrom !== null) return this.#stray(this.#strayFrom)
      this.#separators = header.separators
      return this.#segment(header.separators, this.#at + header.length - header.separators.terminator.length)
    }
    this.#strayFrom ??= this.#base + this.#at
    this.#at = this.#findIsa(this.#at + 1) ?? (isLast ? bytes.length : bytes.length - 3)
    return 'on'
  }

  #findIsa(from: number): number | null {
    let at = this.#bytes.indexOf('ISA', from)
    while (at >= 0 && findHeaderTag(this.#bytes, at) === null) at = this.#bytes.indexOf('ISA', at + 1)
    return at < 0 ? null : at
  }

  #stray(from: number): SyntaxFault {
    this.#strayFrom = null
    if (this.#number === 0 && this.#at >= this.#bytes.length)
      return makeFault('not_edi', 'answer', '', 'the body has no interchange')
    const detail = `the text at byte ${from} belongs to no interchange`
    return makeFault('broken_syntax', 'nothing', `/${this.#number + 1}`, detail)
  }

  #read(separators: Separators, isLast: boolean): ScanStep {
    const from = this.#at
    if (!isLast && this.#bytes.length - from < 4) return 'more'
    if (!this.#isTooLong && findHeaderTag(this.#bytes, from) === 'ISA') {
      this.#separators = null
      return 'on'
    }
    const { terminator } = separators
    const end = this.#bytes.indexOf(terminator, Math.max(from, this.#searched))
    if (end < 0) return this.#readOpenEnd(terminator, isLast)
    if (!this.#isTooLong && end - from <= segmentBytesMax) return this.#segment(separators, end)
    const isReported = this.#isTooLong
    this.#isTooLong = false
    this.#at = end + terminator.length
    return isReported ? 'on' : this.#tooLong()
  }

  /** The bytes so far have no terminator: it comes with the next chunk, or never. */
  #readOpenEnd(terminator: Buffer, isLast: boolean): ScanStep {
    const { length } = this.#bytes
    const isNews = !this.#isTooLong && (isLast || length - this.#at > segmentBytesMax)
    this.#searched = Math.max(this.#at, length - terminator.length + 1)
    if (!isLast && !isNews && !this.#isTooLong) return 'more'
    this.#at = isLast ? length : this.#searched
    this.#isTooLong = !isLast
    if (!isNews) return 'more'
    if (!isLast) return this.#tooLong()
    this.#number += 1
    return makeFault('broken_syntax', 'nothing', `/${this.#number}`, 'the body ends in the middle of a segment')
  }

  #tooLong(): SyntaxFault {
    this.#number += 1
    const detail = `the segment has more than ${segmentBytesMax} bytes`
    return makeFault('broken_syntax', 'field', `/${this.#number}`, detail)
  }

  #segment(separators: Separators, end: number): ScanStep {
    const bytes = this.#bytes.subarray(this.#at, end)
    const elements = readElements(bytes, separators)
    const from = this.#base + this.#at
    this.#at = end + separators.terminator.length
    this.#searched = this.#at
    // An empty line, or a duplicate terminator.
    if (elements.length === 1 && elements[0] === '') return 'on'
    this.#number += 1
    const [tag = ''] = elements
    const [path, number] = [`/${this.#number}`, this.#number]
    if (!/^[A-Z][A-Z0-9]{1,2}$/.test(tag))
      return makeFault('broken_syntax', 'field', path, `${quoteValue(tag)} is not a segment tag`)
    if (elements.length > elementsMax + 1)
      return makeFault('broken_syntax', 'field', path, `the segment has more than ${elementsMax} elements`)
    // After the end of an interchange only another interchange may follow.
    if (tag === 'IEA') this.#separators = null
    return { kind: 'segment', tag, elements, number, from, to: this.#base + this.#at, separators }
  }
}

/**
 * Transports wrap lines, so a line end within a segment is not data. Senders use UTF-8 or Latin-1: bytes that are not
 * valid UTF-8 are read as Latin-1.
 */
function readElements(bytes: Buffer, { element }: Separators): readonly string[] {
  const isLatin = element > 127 || (!isAscii(bytes) && !isUtf8(bytes))
  const text = bytes.toString(isLatin ? 'latin1' : 'utf8')
  const elements = text.split(String.fromCharCode(element), elementsMax + 2)
  const hasControls = /\p{Cc}/u.test(text)
  return elements.map((each) => {
    const readable = hasControls ? each.replace(/\p{Cc}/gu, '') : each
    return (readable.length > charactersMax ? readable.slice(0, charactersMax).toWellFormed() : readable).trim()
  })
}

function makeFault(kind: SyntaxFault['kind'], lost: SyntaxFault['lost'], path: string, detail: string): SyntaxFault {
  return { isFault: true, kind, lost, path, detail }
}
