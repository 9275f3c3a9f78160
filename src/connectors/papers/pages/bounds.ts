/** The limits for reading a file. A file beyond them is refused, never cut off without notice. */

export const pageBounds = {
  fileBytes: 25 * 1_048_576,
  pages: 200,
  /** Pages whose words are only pixels take seconds each. A file with more of them is refused. */
  scannedPages: 30,
  /** Of a page as pixels. A sheet of A3 at 300 dpi has 17 million. */
  pixels: 60_000_000,
  charsOfPage: 60_000,
  words: 100_000,
} as const

/** The kind of a file, by its first bytes. Its name and declared type do not count. */
export type FileKind = 'pdf' | 'image' | null

const signatures: readonly (readonly [FileKind, readonly number[]])[] = [
  ['image', [0x89, 0x50, 0x4e, 0x47]], // PNG
  ['image', [0xff, 0xd8, 0xff]], // JPEG
  ['image', [0x49, 0x49, 0x2a, 0x00]], // TIFF, little-endian
  ['image', [0x4d, 0x4d, 0x00, 0x2a]], // TIFF, big-endian
]

export function kindOfFile(bytes: Uint8Array): FileKind {
  const found = signatures.find(([, signature]) => signature.every((byte, place) => bytes[place] === byte))
  if (found !== undefined) return found[0]
  const text = (from: number, to: number): string => Buffer.from(bytes.subarray(from, to)).toString('latin1')
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'image'
  // ISO 32000 allows the header anywhere in the first 1,024 bytes.
  return text(0, 1_024).includes('%PDF-') ? 'pdf' : null
}
