/** What kind of file it is, by its first bytes. Names and content types are what a sender claims, and are not asked. */

export type FileKind = 'pdf' | 'jpeg' | 'png' | 'tiff' | 'webp'

export function findFileKind(bytes: Buffer): FileKind | null {
  const starts = (text: string, at = 0) =>
    bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'))
  if (starts('\xff\xd8\xff')) return 'jpeg'
  if (starts('\x89PNG\r\n\x1a\n')) return 'png'
  if (starts('II*\0') || starts('MM\0*') || starts('II+\0') || starts('MM\0+')) return 'tiff'
  if (starts('RIFF') && starts('WEBP', 8)) return 'webp'
  // Readers of PDF accept other bytes before the header; those of our kinds of pictures were seen above.
  if (bytes.subarray(0, 1_024).includes('%PDF-')) return 'pdf'
  return null
}
