/**
 * `npm run release`: makes a version of what is in the tree: checks it, moves the notes of CHANGELOG.md from Unreleased
 * to the version, and writes the version wherever it stands. docs/releases.md says what a version promises.
 */

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { moveUnreleased, readParts } from './release/changelog.ts'
import { findDisagreements, readVersion, versionFiles, writeVersions } from './release/places.ts'
import { compareVersions, parseVersion } from './release/version-order.ts'

const help = `Usage: npm run release -- <version> [--tag] [--day 2026-01-31]
       npm run release -- --check
       npm run release -- --notes [<version>]

Makes a version of the tree in front of you and prints its notes. Nothing is pushed or published.
  <version>  three numbers, greater than every released one; the files that name the version are changed
  --tag      also makes the commit and the annotated tag v<version>
  --day      the day of the version; today (UTC) when it is left out
  --check    only checks: no change is uncommitted, CHANGELOG.md has something unreleased, every file names one version
  --notes    prints the notes of a version; without one, those of the last released version
Exits with 0 when it is done or all is well, 1 when something must be mended first, 2 on wrong arguments.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    notes: { type: 'boolean', default: false },
    tag: { type: 'boolean', default: false },
    day: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    help: { type: 'boolean', default: false },
  },
})
const folder = process.cwd()
const changelog = join(folder, 'CHANGELOG.md')
const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
const [version, ...tooMany] = positionals

const fault = findWrongArguments()
if (values.help) console.log(help)
else if (fault !== null) end(2, [fault])
else if (values.notes) tellNotes()
else if (values.check) check()
else release(version ?? '')

function findWrongArguments(): string | null {
  if (tooMany.length > 0) return `One version at most is given; ${tooMany.join(' ')} is too much.`
  if (version !== undefined && parseVersion(version) === null)
    return `${version} is no version: three numbers with points between them, 1.2.3.`
  if (values.check && (version !== undefined || values.tag)) return '--check makes no version and no tag.'
  if (values.notes && values.tag) return '--notes makes no tag.'
  if (!/^\d{4}-\d{2}-\d{2}$/.test(values.day) || Number.isNaN(Date.parse(values.day)))
    return `--day ${values.day} is no day: 2026-01-31.`
  if (version === undefined && !values.check && !values.notes) return 'Which version? --help says more.'
  return null
}

function tellNotes(): void {
  const parts = readParts(readFileSync(changelog, 'utf8')).filter(({ name }) => name !== 'Unreleased')
  const part = version === undefined ? parts[0] : parts.find(({ name }) => name === version)
  if (part === undefined) end(1, [`CHANGELOG.md has no version ${version ?? 'yet'}.`])
  else console.log(part.notes)
}

function check(): void {
  const faults = findFaults()
  if (faults.length > 0) end(1, faults)
  else console.log(`All agree on ${readVersion(folder)}, and CHANGELOG.md has something to release.`)
}

function release(next: string): void {
  const faults = [...findFaults(), ...findOrderFaults(next)]
  if (faults.length > 0) {
    end(1, faults)
    return
  }
  writeFileSync(changelog, moveUnreleased(readFileSync(changelog, 'utf8'), { version: next, day: values.day }))
  writeVersions(folder, next)
  const notes = readParts(readFileSync(changelog, 'utf8')).find(({ name }) => name === next)?.notes ?? ''
  if (values.tag) {
    git('commit', '--quiet', '--message', `Release ${next}`, '--', 'CHANGELOG.md', ...versionFiles)
    git('tag', '--annotate', '--cleanup=verbatim', `v${next}`, '--message', `Landfall ${next}\n\n${notes}\n`)
  }
  console.log(notes)
  console.error(
    values.tag
      ? `Committed, and tagged v${next}. Nothing is pushed.`
      : `The files are changed; nothing is committed. Take the changes back, and call it with --tag, to have the commit and the tag v${next}.`,
  )
}

function findFaults(): readonly string[] {
  const parts = readParts(readFileSync(changelog, 'utf8'))
  const unreleased = parts[0]?.name === 'Unreleased' ? parts[0].notes : ''
  const changed = git('status', '--porcelain')
  return [
    ...(changed === '' ? [] : [`There are changes that are not committed:\n${changed}`]),
    ...(unreleased === '' ? ['CHANGELOG.md has nothing under Unreleased.'] : []),
    ...findDisagreements(folder),
  ]
}

function findOrderFaults(next: string): readonly string[] {
  const names = readParts(readFileSync(changelog, 'utf8')).map(({ name }) => name)
  const later = names.find((name) => name !== 'Unreleased' && compareVersions(name, next) >= 0)
  const present = readVersion(folder)
  return [
    ...(later === undefined ? [] : [`${later} is released already, and ${next} is not greater.`]),
    ...(compareVersions(next, present) < 0 ? [`package.json has ${present}, and ${next} is before it.`] : []),
    ...(git('tag', '--list', `v${next}`) === '' ? [] : [`There is a tag v${next} already.`]),
  ]
}

function end(code: 1 | 2, sentences: readonly string[]): void {
  for (const sentence of sentences) console.error(sentence)
  process.exitCode = code
}
