/**
 * Takes an e-mail apart in a separate process, so that a harmful one can exhaust only the memory and time of that
 * process. It has no access to ours: no environment, no files except those in the program's folder, no right to write or
 * to start anything.
 */

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { readRights } from '../../platform/program-folders.ts'
import type { MailApart, MailPart, MailReading } from './mail.ts'

const program = fileURLToPath(new URL('./mail-process.ts', import.meta.url))
const memoryMb = 512
/** Attachments become smaller when they are decoded, and nothing else becomes larger than a few kilobytes. */
const answerBytesMax = 256 * 1_048_576

/** Rejects only when no process can be started. After `timeoutMs` the process is killed. */
export function readMailApart(
  bytes: Buffer,
  { timeoutMs = 60_000 }: { readonly timeoutMs?: number } = {},
): Promise<MailReading> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [`--max-old-space-size=${memoryMb}`, '--permission', ...readRights(), program],
      { stdio: ['pipe', 'pipe', 'ignore'], env: {}, timeout: timeoutMs, killSignal: 'SIGKILL' },
    )
    const chunks: Buffer[] = []
    let size = 0
    child.on('error', reject)
    // The process ended before it had read everything. Its output, or its lack of output, says more than this error.
    child.stdin.on('error', () => {})
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > answerBytesMax) child.kill('SIGKILL')
      else chunks.push(chunk)
    })
    child.on('close', (code) => resolve(code === 0 ? readAnswer(Buffer.concat(chunks)) : exhausted))
    child.stdin.end(bytes)
  })
}

const exhausted: MailReading = {
  ok: false,
  detail: 'The e-mail cannot be taken apart: it is damaged, or takes too much time or memory.',
}

type Described = Omit<MailApart, 'parts'> & {
  readonly parts: readonly (Omit<MailPart, 'bytes'> & { readonly size: number })[]
}

function readAnswer(answer: Buffer): MailReading {
  const end = answer.indexOf('\n')
  if (end < 0) return exhausted
  const { head, body, parts } = JSON.parse(answer.toString('utf8', 0, end)) as Described
  let at = end + 1
  const whole = parts.map(({ size, ...rest }): MailPart => {
    at += size
    return { ...rest, bytes: answer.subarray(at - size, at) }
  })
  return at === answer.length ? { ok: true, mail: { head, body, parts: whole } } : exhausted
}
