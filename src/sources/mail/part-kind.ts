/** What an attached file is, by its first bytes, and by its name and type where the bytes do not say. */

import { type EdiSender, findEdiSender } from './edi-sender.ts'
import type { MailPart } from './mail.ts'

export type PartKind =
  | { readonly kind: 'document'; readonly contentType: string | null }
  | { readonly kind: 'table' }
  | { readonly kind: 'edi'; readonly sender: EdiSender }
  | { readonly kind: 'ignored'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string }

const isAt = (bytes: Buffer, at: number, text: string): boolean =>
  bytes.toString('latin1', at, at + text.length) === text

/** In the order in which they are tried. */
const images: readonly (readonly [type: string, isOne: (bytes: Buffer) => boolean])[] = [
  ['image/jpeg', (bytes) => isAt(bytes, 0, '\u00ff\u00d8\u00ff')],
  ['image/png', (bytes) => isAt(bytes, 0, '\u0089PNG\r\n\u001a\n')],
  ['image/tiff', (bytes) => isAt(bytes, 0, 'II*\u0000') || isAt(bytes, 0, 'MM\u0000*')],
  ['image/webp', (bytes) => isAt(bytes, 0, 'RIFF') && isAt(bytes, 8, 'WEBP')],
  ['image/gif', (bytes) => isAt(bytes, 0, 'GIF8')],
  ['image/bmp', (bytes) => isAt(bytes, 0, 'BM') && bytes.readUInt32LE(2) === bytes.length],
  [
    'image/heic',
    (bytes) => isAt(bytes, 4, 'ftyp') && /^(hei|hev|mif1|msf1)/.test(bytes.toString('latin1', 8, 12)),
  ],
]

/** Logos and lines in the text of an e-mail are smaller, photographs of documents larger. */
const logoBytesMax = 64 * 1_024
/** Readers of PDF look for its mark in so many bytes. */
const pdfMarkWithin = 1_024

export function kindOfPart({ fileName, contentType, bytes, isInText, refusal }: MailPart): PartKind {
  if (refusal !== null) return { kind: 'refused', reason: refusal }
  if (bytes.length === 0) return { kind: 'refused', reason: 'The file is empty.' }
  const ending = /\.([a-z0-9]{1,5})$/i.exec(fileName ?? '')?.[1]?.toLowerCase() ?? ''
  const type = contentType ?? ''
  const image = images.find(([, isOne]) => bytes.length > 16 && isOne(bytes))?.[0] ?? null
  if ((image !== null || type.startsWith('image/')) && isInText && bytes.length <= logoBytesMax)
    return { kind: 'ignored', reason: 'A small picture within the text of the e-mail, such as a logo.' }
  if (image !== null) return { kind: 'document', contentType: image }
  if (bytes.subarray(0, pdfMarkWithin).includes('%PDF-'))
    return { kind: 'document', contentType: 'application/pdf' }
  const sender = findEdiSender(bytes)
  if (sender !== null) return { kind: 'edi', sender }
  const isZip = isAt(bytes, 0, 'PK\u0003\u0004')
  if (isZip && (ending === 'xlsx' || type.includes('spreadsheetml'))) return { kind: 'table' }
  if (isZip || /^(zip|7z|rar|gz|tgz|tar)$/.test(ending) || /zip|compressed|x-rar|x-7z/.test(type))
    return {
      kind: 'ignored',
      reason:
        ending === 'docx' || ending === 'pptx'
          ? 'Documents of word processors are not read: send a PDF.'
          : 'Archives are not unpacked: attach the files themselves.',
    }
  if (ending === 'pdf' || type === 'application/pdf' || type.startsWith('image/'))
    return { kind: 'document', contentType: type === '' ? 'application/pdf' : type }
  if (isWrapping(ending, type))
    return { kind: 'ignored', reason: 'It belongs to the e-mail itself: a signature or an invitation.' }
  if (ending === 'csv' || ending === 'tsv' || type === 'text/csv') return { kind: 'table' }
  if (ending === 'dat' && isAt(bytes, 0, '\u0078\u009f\u003e\u0022'))
    return {
      kind: 'refused',
      reason: 'Outlook packed its attachments into winmail.dat: send it as HTML or plain text.',
    }
  return {
    kind: 'refused',
    reason: 'Only PDF, pictures, tables (CSV, XLSX) and EDI files are read.',
  }
}

function isWrapping(ending: string, type: string): boolean {
  return (
    /^(p7s|asc|sig|ics|vcf)$/.test(ending) || /pkcs7-signature|pgp-signature|text\/calendar|vcard/.test(type)
  )
}
