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

interface Taking {
  readonly parts: MailPart[]
  isCut: boolean
}

const parsing = {
  maxHeadSize: mailBounds.headerBytes,
  maxHtmlLengthToParse: 1_000_000,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
  checksumAlgo: false,
} as const

export async function takeMailApart(bytes: Buffer): Promise<MailApart> {
  const taking: Taking = { parts: [], isCut: false }
  const { head, body } = await takeOne(bytes, taking, 0)
  if (taking.isCut)
    taking.parts.push(
      refused(`This e-mail has more than ${mailBounds.parts} parts. The others were not looked at.`),
    )
  return { head, body, parts: taking.parts }
}

async function takeOne(
  bytes: Buffer,
  taking: Taking,
  depth: number,
): Promise<{ readonly head: MailHead; readonly body: string | null }> {
  const parser = new MailParser(parsing)
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
    const attachment = item
    taken = taken.then(async () => {
      const place = taking.parts.length
      await takePart(attachment, taking, depth)
      if (attachment.cid !== undefined && taking.parts.length === place + 1)
        related.push({ place, cid: attachment.cid })
    })
  })
  parser.end(bytes)
  try {
    await once(parser, 'end')
    await taken
  } catch (error) {
    // What was found before the fault counts; the part that was being read then never ends. More than a thousand parts
    // are such a fault.
    taken.catch(() => {})
    if (heads.length === 0) throw error
    taking.isCut = true
  }
  const [text] = texts
  markThoseInText(taking.parts, related, text?.html ?? '')
  return { head: heads[0] ?? readHead(new Map(), []), body: depth === 0 ? await bodyOf(text) : null }
}

async function takePart(attachment: AttachmentStream, taking: Taking, depth: number): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of attachment.content) chunks.push(chunk as Buffer)
  attachment.release?.()
  const bytes = Buffer.concat(chunks)
  const level = depth + (attachment.partId ?? '').split('.').length
  if (taking.parts.length >= mailBounds.parts) {
    taking.isCut = true
    return
  }
  if (level > mailBounds.depth) {
    taking.parts.push(refused(`It is nested more than ${mailBounds.depth} levels deep.`, attachment))
    return
  }
  if (attachment.contentType === 'message/rfc822') {
    await takeOne(bytes, taking, level).catch(() =>
      taking.parts.push(refused('This e-mail within the e-mail cannot be taken apart.', attachment)),
    )
    return
  }
  taking.parts.push({
    fileName: tidyFileName(attachment.filename),
    contentType: attachment.contentType.slice(0, 200),
    bytes,
    isInText: false,
    refusal: null,
  })
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
