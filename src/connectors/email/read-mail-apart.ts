/** Parses an e-mail in its own process, which can do nothing else (`platform/jail.ts`). */

import { fileURLToPath } from 'node:url'
import { type JailBounds, runJailed } from '../../platform/jail.ts'
import type { MailAttachment, MailReading, ParsedMail } from './mail.ts'

const program = fileURLToPath(new URL('./mail-process.ts', import.meta.url))
/** Attachments become smaller when they are decoded, and nothing else becomes larger than a few kilobytes. */
const bounds: JailBounds = {
  timeoutMs: 20_000,
  heapMb: 512,
  residentMb: 1_024,
  answerBytes: 256 * 1_048_576,
}

/** Rejects only when no process can be started. */
export async function readMailInJail(bytes: Buffer): Promise<MailReading> {
  const end = await runJailed(program, [], bytes, bounds)
  return end.kind === 'answered' ? readAnswer(end.answer) : exhausted
}

const exhausted: MailReading = {
  ok: false,
  detail: 'The e-mail cannot be parsed: it is damaged, or takes too much time or memory.',
}

type MailDescription = Omit<ParsedMail, 'parts'> & {
  readonly parts: readonly (Omit<MailAttachment, 'bytes'> & { readonly size: number })[]
}

function readAnswer(answer: Buffer): MailReading {
  const end = answer.indexOf('\n')
  if (end < 0) return exhausted
  const { head, body, parts: attachments } = JSON.parse(answer.toString('utf8', 0, end)) as MailDescription
  let at = end + 1
  const whole = attachments.map(({ size, ...rest }): MailAttachment => {
    at += size
    return { ...rest, bytes: answer.subarray(at - size, at) }
  })
  return at === answer.length ? { ok: true, mail: { head, body, parts: whole } } : exhausted
}
