/**
 * Takes an e-mail apart: its head, its text and its attachments in their order, also those of e-mails within it. Runs in
 * a process of its own, see `read-mail-apart.ts`.
 */

import { once } from 'node:events'
import { type AttachmentStream, type Headers, MailParser, type MessageText } from 'mailparser'
import { cutText } from './cut-text.ts'
import { tidyFileName } from './file-name.ts'
import { type MailApart, type MailHead, type MailPart, mailBounds } from './mail.ts'
import { readHead } from './mail-head.ts'

/** The text of an e-mail comes after all its parts, so those that are not looked at are passed over, but not any number. */
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

export async function takeMailApart(bytes: Buffer): Promise<MailApart> {
  const { head, body, parts } = await takeOne(bytes, { depth: 0, room: mailBounds.parts + 1 })
  if (parts.length <= mailBounds.parts) return { head, body, parts }
  const cut = `This e-mail has more than ${mailBounds.parts} parts. The others were not looked at.`
  return { head, body, parts: [...parts.slice(0, mailBounds.parts), refused(cut)] }
}

interface Level {
  readonly depth: number
  /** Parts that may still be found. */
  readonly room: number
}

async function takeOne(bytes: Buffer, { depth, room }: Level): Promise<MailApart> {
  const parser = new MailParser(parsing)
  const parts: MailPart[] = []
  const heads: MailHead[] = []
  const texts: MessageText[] = []
  const related: { readonly place: number; readonly cid: string }[] = []
  let headers: Headers = new Map()
  parser.on('headers', (found) => {
    headers = found
  })
  parser.on('headerLines', (lines) => void heads.push(readHead(headers, lines)))
  let taken: Promise<void> = Promise.resolve()
  parser.on('data', (item: AttachmentStream | MessageText) => {
    if (item.type === 'text') {
      texts.push(item)
      return
    }
    taken = taken.then(async () => {
      const found = await takePart(item, { depth, room: room - parts.length })
      if (item.cid !== undefined && found.length === 1) related.push({ place: parts.length, cid: item.cid })
      parts.push(...found)
    })
  })
  parser.end(bytes)
  try {
    await once(parser, 'end')
    await taken
  } catch {
    // How far it came depends on the time that it took, so nothing of it counts: each reading must give the same.
    taken.catch(() => {})
    const why = 'This e-mail is damaged, or has far too many parts. Its parts were not looked at.'
    return { head: heads[0] ?? readHead(new Map(), []), body: null, parts: [refused(why)] }
  }
  const [text] = texts
  markThoseInText(parts, related, text?.html ?? '')
  const body = depth === 0 ? await bodyOf(text) : null
  return { head: heads[0] ?? readHead(new Map(), []), body, parts }
}

async function takePart(attachment: AttachmentStream, { depth, room }: Level): Promise<readonly MailPart[]> {
  const chunks: Buffer[] = []
  for await (const chunk of attachment.content) chunks.push(chunk as Buffer)
  attachment.release?.()
  const level = depth + (attachment.partId ?? '').split('.').length
  if (room <= 0) return []
  if (level > mailBounds.depth)
    return [refused(`It is nested more than ${mailBounds.depth} levels deep.`, attachment)]
  const bytes = Buffer.concat(chunks)
  if (attachment.contentType === 'message/rfc822') return (await takeOne(bytes, { depth: level, room })).parts
  const fileName = tidyFileName(attachment.filename)
  const contentType = attachment.contentType.slice(0, 200)
  return [{ fileName, contentType, bytes, isInText: false, refusal: null }]
}

function refused(refusal: string, of?: AttachmentStream): MailPart {
  const fileName = tidyFileName(of?.filename)
  return {
    fileName,
    contentType: of?.contentType.slice(0, 200) ?? null,
    bytes: Buffer.alloc(0),
    isInText: false,
    refusal,
  }
}

function markThoseInText(
  parts: MailPart[],
  related: readonly { readonly place: number; readonly cid: string }[],
  html: string,
): void {
  for (const { place, cid } of related) {
    const part = parts[place]
    if (part !== undefined && html.includes(`cid:${cid}`)) parts[place] = { ...part, isInText: true }
  }
}

async function bodyOf(text: MessageText | undefined): Promise<string | null> {
  const isHtmlAlone = (text?.text ?? '').trim() === '' && text?.html !== undefined
  const words = isHtmlAlone ? await textOfHtml(text.html ?? '') : (text?.text ?? '')
  // PostgreSQL keeps no NUL.
  const whole = words.replaceAll('\0', '').toWellFormed().trim()
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
