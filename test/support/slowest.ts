/** Reporter of Node's test runner (`npm test -- --slowest`): which files took longest. */

import { basename, relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

const shown = 20

export async function* slowest(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files: { readonly file: string; readonly ms: number }[] = []
  for await (const event of source) {
    const file = fileEndedBy(event)
    if (file !== null) files.push(file)
  }
  const all = files.reduce((sum, { ms }) => sum + ms, 0)
  const slow = files.toSorted((a, b) => b.ms - a.ms).slice(0, shown)
  yield `\nThe ${slow.length} slowest of ${files.length} files, which took ${seconds(all)} s one after the other:\n`
  for (const { file, ms } of slow) yield `${seconds(ms).padStart(8)} s ${file}\n`
}

/** A file is a suite of the worker that took it; one with a process of its own ends with a summary. */
function fileEndedBy({ type, data }: TestEvent): { readonly file: string; readonly ms: number } | null {
  if (type === 'test:summary')
    return data.file === undefined || isWorker(data.file)
      ? null
      : { file: relative(process.cwd(), data.file), ms: data.duration_ms }
  if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting > 0 || !isWorker(data.file)) return null
  return { file: data.name, ms: data.details.duration_ms }
}

function isWorker(file: string | undefined): boolean {
  return file !== undefined && basename(file) === 'test-worker.ts'
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1)
}
