/**
 * Reporter of Node's test runner (`npm test -- --slowest`): which files took longest, from the start of their process.
 */

import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

const shown = 20

// biome-ignore lint/style/noDefaultExport: Node takes a reporter in no other way.
export default async function* slowest(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files: { readonly file: string; readonly ms: number; readonly tests: number }[] = []
  for await (const { type, data } of source) {
    if (type !== 'test:summary' || data.file === undefined) continue
    files.push({ file: relative(process.cwd(), data.file), ms: data.duration_ms, tests: data.counts.tests })
  }
  const all = files.reduce((sum, { ms }) => sum + ms, 0)
  const slow = files.toSorted((a, b) => b.ms - a.ms).slice(0, shown)
  yield `\nThe ${slow.length} slowest of ${files.length} files, which took ${seconds(all)} s one after the other:\n`
  for (const { file, ms, tests } of slow) yield `${seconds(ms).padStart(8)} s ${file} (${tests} tests)\n`
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1)
}
