/**
 * Parses an e-mail: its head, its text and its attachments in their order, also those of e-mails within it. Runs in a
 * process of its own, see `read-mail-apart.ts`.
 */

import { once } from 'node:events'
import { type AttachmentStream, type Headers, MailParser, type MessageText } from 'mailparser'
import { cutText } from './cut-text.ts'
import { normalizeFileName } from './file-name.ts'
import { type MailAttachment, type MailHead, mailBounds, type ParsedMail } from './mail.ts'
import { readHead } from './mail-head.ts'

/** The text of an e-mail comes after all its attachments, so those that are not read are skipped, up to this number. */
const passedOverMax = 20_000

const parsing = {
  maxChildNodes: passedOverMax,
  maxHeadSize: mailBounds.headerBytes,
  maxHtmlLengthToParse: 1_000_000,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
  checksumAlgo: false,
} as const

export async function parseMail(bytes: Buffer): Promise<ParsedMail> {
  const { head, body, parts: attachments } = await parseMessage(bytes, { depth: 0, capacity: mailBounds.parts + 1 })
  if (attachments.length <= mailBounds.parts) return { head, body, parts: attachments }
  const cut = `This e-mail has more than ${mailBounds.parts} parts. The others were not read.`
  return { head, body, parts: [...attachments.slice(0, mailBounds.parts), createRefusedAttachment(cut)] }
}

interface NestingLimits {
  readonly depth: number
  /** Number of attachments that may still be found. */
  readonly capacity: number
}

async function parseMessage(bytes: Buffer, { depth, capacity }: NestingLimits): Promise<ParsedMail> {
  const parser = new MailParser(parsing)
  const attachments: MailAttachment[] = []
  const heads: MailHead[] = []
  const texts: MessageText[] = []
  const related: { readonly place: number; readonly cid: string }[] = []
  let headers: Headers = new Map()
  parser.on('headers', (found) => {
    headers = found
  })
  parser.on('headerLines', (lines) => void heads.push(readHead(headers, lines)))
  let collecting: Promise<void> = Promise.resolve()
  parser.on('data', (item: AttachmentStream | MessageText) => {
    if (item.type === 'text') {
      texts.push(item)
      return
    }
    collecting = collecting.then(async () => {
      const found = await parseAttachment(item, { depth, capacity: capacity - attachments.length })
      if (item.cid !== undefined && found.length === 1) related.push({ place: attachments.length, cid: item.cid })
      attachments.push(...found)
    })
  })
  parser.end(bytes)
  try {
    await once(parser, 'end')
    await collecting
  } catch {
    // The progress depends on the available time, so no partial result counts: each reading must give the same result.
    collecting.catch(() => {})
    const why = 'This e-mail is damaged, or has far too many parts. Its parts were not read.'
    return { head: heads[0] ?? readHead(new Map(), []), body: null, parts: [createRefusedAttachment(why)] }
  }
  const [text] = texts
  markInlineAttachments(attachments, related, text?.html ?? '')
  const body = depth === 0 ? await bodyOf(text) : null
  return { head: heads[0] ?? readHead(new Map(), []), body, parts: attachments }
}

async function parseAttachment(
  attachment: AttachmentStream,
  { depth, capacity }: NestingLimits,
): Promise<readonly MailAttachment[]> {
  const chunks: Buffer[] = []
  for await (const chunk of attachment.content) chunks.push(chunk as Buffer)
  attachment.release?.()
  const level = depth + (attachment.partId ?? '').split('.').length
  if (capacity <= 0) return []
  if (level > mailBounds.depth)
    return [createRefusedAttachment(`It is nested more than ${mailBounds.depth} levels deep.`, attachment)]
  const bytes = Buffer.concat(chunks)
  if (attachment.contentType === 'message/rfc822') return (await parseMessage(bytes, { depth: level, capacity })).parts
  const fileName = normalizeFileName(attachment.filename)
  const contentType = attachment.contentType.slice(0, 200)
  return [{ fileName, contentType, bytes, isInText: false, refusal: null }]
}

function createRefusedAttachment(refusal: string, of?: AttachmentStream): MailAttachment {
  const fileName = normalizeFileName(of?.filename)
  return {
    fileName,
    contentType: of?.contentType.slice(0, 200) ?? null,
    bytes: Buffer.alloc(0),
    isInText: false,
    refusal,
  }
}

function markInlineAttachments(
  attachments: MailAttachment[],
  related: readonly { readonly place: number; readonly cid: string }[],
  html: string,
): void {
  for (const { place, cid } of related) {
    const mailAttachment = attachments[place]
    if (mailAttachment !== undefined && html.includes(`cid:${cid}`))
      attachments[place] = { ...mailAttachment, isInText: true }
  }
}

async function bodyOf(text: MessageText | undefined): Promise<string | null> {
  const isHtmlAlone = (text?.text ?? '').trim() === '' && text?.html !== undefined
  const plainText = isHtmlAlone ? await textOfHtml(text.html ?? '') : (text?.text ?? '')
  // PostgreSQL cannot store NUL.
  const whole = plainText.replaceAll('\0', '').toWellFormed().trim()
  return whole === '' ? null : cutText(whole, mailBounds.bodyCharacters)
}

/** The package makes text of HTML that is beside text, or is the whole e-mail, but not of HTML that has files beside it. */
async function textOfHtml(html: string): Promise<string> {
  const parser = new MailParser(parsing)
  let text = ''
  parser.on('data', (item: AttachmentStream | MessageText) => {
    if (item.type === 'text') text = item.text ?? ''
  })
  parser.end(`Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${html}`)
  await once(parser, 'end')
  return text
}
