/** Reads a table in a process of its own that can do nothing else (`platform/jail.ts`). */

import { fileURLToPath } from 'node:url'
import { type JailBounds, runJailed } from '../../platform/jail.ts'
import { type TableChoice, type TableReading, tableBounds } from './table.ts'

const program = fileURLToPath(new URL('./table-process.ts', import.meta.url))
const usual: JailBounds = {
  timeoutMs: 15_000,
  heapMb: 320,
  residentMb: 640,
  answerBytes: 64 * 1_048_576,
}

/** Rejects only when no process can be started. */
export async function readTableInJail(
  bytes: Buffer,
  choice: TableChoice,
  bounds: Partial<JailBounds> = {},
): Promise<TableReading> {
  if (bytes.length > tableBounds.fileBytes)
    return { ok: false, detail: `The file is larger than ${tableBounds.fileBytes / 1_048_576} MB.` }
  const end = await runJailed(program, [JSON.stringify(choice)], bytes, { ...usual, ...bounds })
  return end.kind === 'answered' ? readAnswer(end.answer) : exhausted
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
