/** The kind of an attached file, by its first bytes, and by its name and type where the bytes do not decide. */

import { type EdiSender, findEdiSender } from './edi-sender.ts'
import type { MailAttachment } from './mail.ts'

export type AttachmentKind =
  | { readonly kind: 'document'; readonly contentType: string | null }
  | { readonly kind: 'table' }
  | { readonly kind: 'edi'; readonly sender: EdiSender }
  | { readonly kind: 'ignored'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string }

const hasTextAt = (bytes: Buffer, at: number, text: string): boolean =>
  bytes.toString('latin1', at, at + text.length) === text

/** In the order in which they are tried. */
const images: readonly (readonly [type: string, isOne: (bytes: Buffer) => boolean])[] = [
  ['image/jpeg', (bytes) => hasTextAt(bytes, 0, '\u00ff\u00d8\u00ff')],
  ['image/png', (bytes) => hasTextAt(bytes, 0, '\u0089PNG\r\n\u001a\n')],
  ['image/tiff', (bytes) => hasTextAt(bytes, 0, 'II*\u0000') || hasTextAt(bytes, 0, 'MM\u0000*')],
  ['image/webp', (bytes) => hasTextAt(bytes, 0, 'RIFF') && hasTextAt(bytes, 8, 'WEBP')],
  ['image/gif', (bytes) => hasTextAt(bytes, 0, 'GIF8')],
]

/** Logos and lines in the text of an e-mail are smaller, photographs of documents larger. */
const logoBytesMax = 64 * 1_024
/** Readers of PDF look for its signature in this many bytes. */
const pdfMarkWithin = 1_024

const makeIgnored = (reason: string): AttachmentKind => ({ kind: 'ignored', reason })
const makeRefused = (reason: string): AttachmentKind => ({ kind: 'refused', reason })

export function classifyAttachment(attachment: MailAttachment): AttachmentKind {
  const { bytes, isInText, refusal } = attachment
  if (refusal !== null) return makeRefused(refusal)
  if (bytes.length === 0) return makeRefused('The file is empty.')
  const type = attachment.contentType ?? ''
  const image = images.find(([, isOne]) => isOne(bytes))?.[0] ?? null
  if ((image !== null || type.startsWith('image/')) && isInText && bytes.length <= logoBytesMax)
    return makeIgnored('A small picture within the text of the e-mail, such as a logo.')
  if (image !== null) return { kind: 'document', contentType: image }
  if (bytes.subarray(0, pdfMarkWithin).includes('%PDF-')) return { kind: 'document', contentType: 'application/pdf' }
  const sender = findEdiSender(bytes)
  return sender === null ? kindByName(attachment) : { kind: 'edi', sender }
}

function kindByName({ fileName, contentType, bytes }: MailAttachment): AttachmentKind {
  const ending = /\.([a-z0-9]{1,5})$/i.exec(fileName ?? '')?.[1]?.toLowerCase() ?? ''
  const type = contentType ?? ''
  const isZip = hasTextAt(bytes, 0, 'PK\u0003\u0004')
  if (isZip && (ending === 'xlsx' || type.includes('spreadsheetml'))) return { kind: 'table' }
  if (isZip && (ending === 'docx' || ending === 'pptx'))
    return makeIgnored('Documents of word processors are not read: send a PDF.')
  if (isZip || /^(zip|7z|rar|gz|tgz|tar)$/.test(ending) || /zip|compressed|x-rar|x-7z/.test(type))
    return makeIgnored('Archives are not unpacked: attach the files themselves.')
  if (/^(p7s|asc|sig|ics|vcf)$/.test(ending) || /p(kcs7|gp)-signature|text\/calendar|vcard/.test(type))
    return makeIgnored('It belongs to the e-mail itself: a signature or an invitation.')
  if (isOtherPicture(bytes)) return makeRefused('Pictures of this kind are not read: send a PDF, JPEG or PNG.')
  // A file that claims to be a PDF or a picture and is not becomes a document, which then reports this.
  if (ending === 'pdf' || type === 'application/pdf' || type.startsWith('image/'))
    return { kind: 'document', contentType }
  if (ending === 'csv' || ending === 'tsv' || type === 'text/csv') return { kind: 'table' }
  if (ending === 'dat' && hasTextAt(bytes, 0, '\u0078\u009f\u003e\u0022'))
    return makeRefused('Outlook packed its attachments into winmail.dat: send it as HTML or plain text.')
  return makeRefused('Only PDF, pictures, tables (CSV, XLSX) and EDI files are read.')
}

/** HEIC, as telephones make it, and BMP. */
function isOtherPicture(bytes: Buffer): boolean {
  const isHeic = hasTextAt(bytes, 4, 'ftyp') && /^(hei|hev|mif1|msf1)/.test(bytes.toString('latin1', 8, 12))
  return isHeic || (bytes.length > 16 && hasTextAt(bytes, 0, 'BM') && bytes.readUInt32LE(2) === bytes.length)
}
