/** Reads the outcome of a sandbox scenario: handwritten beside the script, explained in `sandbox/README.md`. */

import { readdirSync, readFileSync } from 'node:fs'

export interface Milestone {
  /** The code of the contract, with the prefix `estimated.` for future events. */
  readonly name: string
  readonly unlocode: string
  /** As written: `2026-01-08T07:45Z`, without `Z` if the line gave no zone, `2026-01-08` if it gave a day. */
  readonly time: string
}

export interface BoxOutcome {
  readonly number: string
  /** The line's valid statements: actuals, then estimates of future events. */
  readonly said: readonly Statement[]
  readonly milestones: readonly Milestone[]
  readonly status: string
}

export interface Statement {
  readonly classifier: string
  readonly code: string
  readonly unlocode: string
  readonly time: string
}

export interface Outcome {
  readonly name: string
  readonly scac: string
  readonly kind: 'bill_of_lading' | 'booking' | 'container'
  readonly number: string
  readonly epoch: string
  /** The sandbox times of the polls, and whether the line knows the number then. */
  readonly questions: readonly { readonly at: string; readonly isFound: boolean }[]
  readonly boxes: readonly BoxOutcome[]
  /** If no container results from it: the state of the tracking request. */
  readonly request: { readonly status: string; readonly failedReason: string } | null
}

const folder = new URL('../../sandbox/scenarios/', import.meta.url)

export function readOutcomes(): readonly Outcome[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.txt'))
    .toSorted()
    .map((file) => readOutcome(file.replace('.txt', ''), readFileSync(new URL(file, folder), 'utf8')))
}

function readOutcome(name: string, text: string): Outcome {
  const rows = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => line.trim().split(/\s+/))
  const one = (word: string): readonly string[] => rows.find(([first]) => first === word)?.slice(1) ?? []
  const [scac = '', kind = '', number = ''] = one('ask')
  const [status = '', failedReason = ''] = one('tracking_request')
  if (kind !== 'bill_of_lading' && kind !== 'booking' && kind !== 'container')
    throw new Error(`${name}: "${kind}" is no kind of number`)
  return {
    name,
    scac,
    kind,
    number,
    epoch: one('epoch')[0] ?? '',
    questions: rows
      .filter(([first]) => first === 'at')
      .map(([, at = '', found]) => ({ at, isFound: found !== 'not_found' })),
    boxes: readBoxes(name, rows),
    request: status === '' ? null : { status, failedReason },
  }
}

function readBoxes(name: string, rows: readonly (readonly string[])[]): readonly BoxOutcome[] {
  const boxes: { number: string; said: Statement[]; milestones: Milestone[]; status: string }[] = []
  const headers = new Set(['ask', 'epoch', 'at', 'tracking_request', 'milestones'])
  for (const [first = '', second = '', third = '', fourth = '', fifth = ''] of rows) {
    const box = boxes.at(-1)
    if (headers.has(first)) continue
    if (first === 'box') boxes.push({ number: second, said: [], milestones: [], status: '' })
    else if (box === undefined) throw new Error(`${name}: "${first}" stands before any box`)
    else if (first === 'current_status') box.status = second
    else if (first === 'ACT' || first === 'EST')
      box.said.push({ classifier: first, code: second, unlocode: fourth, time: fifth })
    else box.milestones.push({ name: first, unlocode: second, time: third })
  }
  return boxes
}
