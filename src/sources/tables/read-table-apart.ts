/**
 * Reads a table in a separate process, so that a harmful file can exhaust only the memory and time of that process. The
 * process has no access to ours: no environment, no files except those in the program's folder, no right to write or to
 * start anything.
 */

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { readRights } from '../../platform/program-folders.ts'
import { type TableChoice, type TableReading, tableBounds } from './table.ts'

const program = fileURLToPath(new URL('./table-process.ts', import.meta.url))
const memoryMb = 320
const answerBytesMax = 64 * 1_048_576

/** Rejects only when no process can be started. After `timeoutMs` the process is killed. */
export function readTableApart(
  bytes: Buffer,
  choice: TableChoice,
  { timeoutMs = 15_000 }: { readonly timeoutMs?: number } = {},
): Promise<TableReading> {
  if (bytes.length > tableBounds.fileBytes)
    return Promise.resolve({
      ok: false,
      detail: `The file is larger than ${tableBounds.fileBytes / 1_048_576} MB.`,
    })
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [`--max-old-space-size=${memoryMb}`, '--permission', ...readRights(), program, JSON.stringify(choice)],
      { stdio: ['pipe', 'pipe', 'ignore'], env: {}, timeout: timeoutMs, killSignal: 'SIGKILL' },
    )
    const parts: Buffer[] = []
    let size = 0
    child.on('error', reject)
    // The process ended before it had read everything. Its output, or its lack of output, says more than this error.
    child.stdin.on('error', () => {})
    child.stdout.on('data', (part: Buffer) => {
      size += part.length
      if (size > answerBytesMax) child.kill('SIGKILL')
      else parts.push(part)
    })
    child.on('close', (code) => resolve(code === 0 ? readAnswer(Buffer.concat(parts)) : exhausted))
    child.stdin.end(bytes)
  })
}

const exhausted: TableReading = {
  ok: false,
  detail: 'The file takes too much time or memory to read. Save it again as CSV, or with fewer rows.',
}

function readAnswer(bytes: Buffer): TableReading {
  try {
    return JSON.parse(bytes.toString('utf8')) as TableReading
  } catch {
    return exhausted
  }
}
