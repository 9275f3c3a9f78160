/**
 * The reports of several runs of Node's test runner as that of one: what closes each of them is added up and comes once,
 * at the end. A failure is told at once as well, because the runner keeps what a worker reports until those before it
 * have ended.
 */

import { PassThrough } from 'node:stream'
import type { TestEvent } from 'node:test/reporters'

export interface Counts {
  readonly pass: number
  readonly fail: number
  readonly skipped: number
}

const closing = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo', 'duration_ms'] as const

export function openReport(tell: (line: string) => void) {
  const events = new PassThrough({ objectMode: true, highWaterMark: 1_000_000 })
  const sums = new Map<string, number>()
  const told = new Set<string>()
  let summary: Extract<TestEvent, { type: 'test:summary' }> | null = null
  return {
    events,
    /**
     * Resolves when the run has ended, with what failed: the names of its outermost suites, which are test files, and how
     * many of their tests failed. A second run of files is printed, but not counted.
     */
    add: async (run: AsyncIterable<TestEvent>, isSecond = false): Promise<ReadonlyMap<string, number>> => {
      const failed = new Map<string, number>()
      let inFile = 0
      for await (const event of run) {
        const closed = readClosing(event)
        const isSummary = event.type === 'test:summary' && event.data.file === undefined
        if (closed === null && !isSummary) events.write(event)
        else if (!isSecond) {
          if (closed !== null) sums.set(closed.name, (sums.get(closed.name) ?? 0) + closed.value)
          else if (event.type === 'test:summary') summary = summary === null ? event : addSummary(summary, event)
        }
        if (event.type === 'test:fail' && (event.data.todo === undefined || event.data.todo === false)) {
          if (event.data.details.type !== 'suite') inFile += 1
          if (event.data.nesting === 0) failed.set(event.data.name, inFile)
        }
        if ((event.type === 'test:fail' || event.type === 'test:pass') && event.data.nesting === 0) inFile = 0
        const line = findFailure(event)
        if (line !== null && !told.has(line)) tell(line)
        if (line !== null) told.add(line)
      }
      return failed
    },
    end: (): Counts => {
      for (const name of closing)
        events.write({
          type: 'test:diagnostic',
          data: { message: `${name} ${sums.get(name) ?? 0}`, nesting: 0, level: 'info' },
        })
      if (summary !== null) events.write(summary)
      events.end()
      const count = (name: string): number => sums.get(name) ?? 0
      return {
        pass: count('pass'),
        fail: count('fail') + count('cancelled'),
        skipped: count('skipped') + count('todo'),
      }
    },
  }
}

type Summary = Extract<TestEvent, { type: 'test:summary' }>

function addSummary(one: Summary, other: Summary): Summary {
  const counts = Object.entries(one.data.counts).map(([name, count]) => [
    name,
    count + (other.data.counts[name as keyof typeof other.data.counts] ?? 0),
  ])
  return {
    ...one,
    data: {
      ...one.data,
      counts: Object.fromEntries(counts) as Summary['data']['counts'],
      success: one.data.success && other.data.success,
      duration_ms: one.data.duration_ms + other.data.duration_ms,
    },
  }
}

function readClosing({ type, data }: TestEvent): { readonly name: string; readonly value: number } | null {
  if (type !== 'test:diagnostic' || data.nesting !== 0 || data.file !== undefined) return null
  const [name = '', value] = data.message.split(' ')
  return closing.some((each) => each === name) ? { name, value: Number(value) } : null
}

/** A test that has just failed, but not the suite around it. */
function findFailure({ type, data }: TestEvent): string | null {
  if (type !== 'test:complete' || data.details.passed) return null
  if (data.todo !== undefined && data.todo !== false) return null
  const { error } = data.details as { readonly error?: Error & { readonly failureType?: string } }
  if (error === undefined || /^(subtestsFailed|cancelledByParent)$/.test(error.failureType ?? '')) return null
  const why = error.cause instanceof Error ? error.cause.message : error.message
  return `✖ ${data.file ?? ''}: ${data.name}: ${why.split('\n', 1)[0]}`
}
