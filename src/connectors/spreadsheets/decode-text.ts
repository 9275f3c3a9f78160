/**
 * Decodes the bytes of a text file: by the byte order mark; without one as UTF-16 if every second byte is zero, else as
 * UTF-8, else as Windows-1252.
 */

import { TableFault } from './table.ts'

export interface DecodedText {
  readonly text: string
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'
}

const marks: readonly (readonly [bytes: readonly number[], encoding: DecodedText['encoding']])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

/**
 * Latin-1 is read as Windows-1252, the superset that Windows programs write. It accepts any bytes, so it is tried last.
 */
export function decodeText(bytes: Buffer): DecodedText {
  const marked = marks.find(([mark]) => mark.every((byte, at) => bytes[at] === byte))
  const encoding = marked?.[1] ?? guessWide(bytes)
  if (encoding !== null) return refuseBinaryText({ text: decodeBytes(bytes, encoding), encoding })
  if (bytes.includes(0)) throw makeBinaryDataFault()
  try {
    return refuseBinaryText({ text: decodeBytes(bytes, 'utf-8'), encoding: 'utf-8' })
  } catch {
    return refuseBinaryText({ text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' })
  }
}

/** Western letters in UTF-16 have a zero in every second byte; a text with one byte for each letter has no zeros. */
function guessWide(bytes: Buffer): 'utf-16le' | 'utf-16be' | null {
  const sample = bytes.subarray(0, 1_024)
  if (sample.length < 4 || !sample.includes(0)) return null
  let [even, odd] = [0, 0]
  for (const [at, byte] of sample.entries()) {
    if (byte !== 0) continue
    if (at % 2 === 0) even += 1
    else odd += 1
  }
  const enough = sample.length / 4
  if (odd > enough && even < odd / 8) return 'utf-16le'
  return even > enough && odd < even / 8 ? 'utf-16be' : null
}

function decodeBytes(bytes: Buffer, encoding: DecodedText['encoding']): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new TableFault(
      `The file begins as ${encoding.toUpperCase()}, but a later part has another encoding. Save it again in one encoding.`,
    )
  }
}

function refuseBinaryText(decoded: DecodedText): DecodedText {
  if (decoded.text.includes('\0')) throw makeBinaryDataFault()
  return decoded
}

function makeBinaryDataFault(): TableFault {
  return new TableFault('This is not a text file: it has binary data.')
}
