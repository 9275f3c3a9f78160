/**
 * The record of changes: `test/invariants-changes.txt` has each line that went or came since the dump was first made, with
 * a reason. All changes taken back, last to first, must give that first dump again, so that nobody can write the dump
 * anew without a reason. Two branches that add to the record are merged by keeping the lines of both.
 */

import { hashOf, readDump } from './dump-text.ts'

export interface Recorded {
  /** The text of `test/invariants.txt`. */
  readonly dump: string
  /** The text of `test/invariants-changes.txt`. */
  readonly changes: string
}

/** `- <heading>: <line>` for what went, `+ …` for what came. */
export function compareDumps(before: string, after: string): readonly string[] {
  const [was, is] = [readDump(before), readDump(after)]
  return [
    ...[...was].filter((item) => !is.has(item)).map((item) => `- ${item}`),
    ...[...is].filter((item) => !was.has(item)).map((item) => `+ ${item}`),
  ]
}

/** Sentences about a record that does not hold together; none for a good one. */
export function faultsOfRecord({ dump, changes }: Recorded): readonly string[] {
  const items = new Set(readDump(dump))
  const lines = changes.split('\n')
  const faults: string[] = []
  const first = lines.findIndex((line) => /^[+-] /.test(line))
  if (first !== -1 && !lines.slice(0, first).some((line) => /^reason: ./.test(line)))
    faults.push(`There is no reason before the line: ${lines[first]}`)
  for (const line of lines.toReversed()) {
    const item = line.slice(2)
    if (line.startsWith('+ ') && !items.delete(item)) faults.push(`The dump does not have what came: ${item}`)
    if (line.startsWith('- ')) items.add(item)
  }
  const begins = lines.find((line) => line.startsWith('begins: '))
  if (faults.length === 0 && begins !== `begins: ${hashOfItems(items)}`)
    faults.push('The dump has changes that are not in test/invariants-changes.txt.')
  return faults
}

export function withChange(changes: string, reason: string, lines: readonly string[]): string {
  return `${changes.trimEnd()}\n\nreason: ${reason}\n${lines.join('\n')}\n`
}

/** The record of a dump that has not changed yet. */
export function beginRecord(dump: string): string {
  return `# What changed of test/invariants.txt, and why. Written by: npm run -s qa -- invariants --accept "<reason>"
# "begins" is a hash of the dump without all these changes. After a merge, keep the entries of both sides.
begins: ${hashOfItems(readDump(dump))}
`
}

function hashOfItems(items: ReadonlySet<string>): string {
  return hashOf([...items].sort().join('\n'))
}
