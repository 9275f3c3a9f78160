/** An e-mail as bytes: its header fields as they are written, and what is the same however it was carried. */

import { mailBounds } from './mail.ts'

export interface RawField {
  /** In lower case. */
  readonly name: string
  /** With its name, its folds and its line end. */
  readonly bytes: Buffer
}

export interface RawMail {
  readonly fields: readonly RawField[]
  /** From the empty line on that ends the header; empty if there is no such line. */
  readonly rest: Buffer
}

/** Null when the header is longer than the bound. */
export function readRawMail(bytes: Buffer): RawMail | null {
  const fields: { name: string; from: number; to: number }[] = []
  let at = 0
  while (at < bytes.length) {
    const end = bytes.indexOf(10, at)
    const next = end < 0 ? bytes.length : end + 1
    if (next > mailBounds.headerBytes) return null
    const isEmpty = bytes[at] === 10 || (bytes[at] === 13 && bytes[at + 1] === 10)
    if (isEmpty) break
    const last = fields.at(-1)
    const isFold = bytes[at] === 32 || bytes[at] === 9
    if (isFold && last !== undefined) last.to = next
    else fields.push({ name: readFieldName(bytes.subarray(at, next)), from: at, to: next })
    at = next
  }
  return {
    fields: fields.map(({ name, from, to }) => ({ name, bytes: bytes.subarray(from, to) })),
    rest: bytes.subarray(at),
  }
}

function readFieldName(line: Buffer): string {
  const colon = line.indexOf(58)
  return colon < 0 ? '' : line.toString('latin1', 0, colon).trim().toLowerCase()
}

/** What the servers on the way write, each for itself. */
const ofTheWay =
  /^(received|return-path|delivered-to|x-original-to|envelope-to|x-envelope-to|authentication-results|received-spf|arc-.*|x-received|x-forwarded-to|x-spam-.*)$/

/** The bytes without what the servers on the way have added: the same for an e-mail that comes a second time. */
export function withoutTrace({ fields, rest }: RawMail): Buffer {
  return Buffer.concat([...fields.filter(({ name }) => !ofTheWay.test(name)).map(({ bytes }) => bytes), rest])
}

/** How many servers have passed it on. A mail that goes round in a circle has many (RFC 5321, 6.3). */
export function countHops({ fields }: RawMail): number {
  return fields.filter(({ name }) => name === 'received').length
}
