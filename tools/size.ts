/**
 * `npm run -s qa -- size <commit>…`: how large the code was at each of these commits, as Markdown. It reads what git stores,
 * so the working tree does not matter.
 */

import { execFileSync, spawnSync } from 'node:child_process'

/** `bench` is where benches were before `qa`. */
const folders = ['src', 'portal/src', 'sandbox', 'test', 'tools', 'bench', 'qa'] as const

interface Size {
  readonly lines: number
  /** Without blank lines and lines of comments. */
  readonly code: number
  readonly files: number
}

interface SizesOfCommit {
  readonly commit: string
  readonly subject: string
  readonly files: ReadonlyMap<string, Size>
  readonly docs: Docs
}

/** Pages of docs/ that people write: without decisions, and without those that a command writes. */
interface Docs {
  readonly pages: number
  readonly words: number
}

const commits = process.argv.slice(2)
if (commits.length === 0 || commits.some((each) => each.startsWith('-'))) {
  console.error(
    'Usage: npm run -s qa -- size <commit>…\n\nPrints lines and files of TypeScript by folder, as Markdown.',
  )
  process.exitCode = 2
} else {
  const unknown = commits.find(
    (each) => spawnSync('git', ['rev-parse', '-q', '--verify', `${each}^{commit}`]).status !== 0,
  )
  if (unknown === undefined) console.log(writePage(commits.map(measure)))
  else {
    console.error(`There is no commit ${unknown} here.`)
    process.exitCode = 2
  }
}

function git(args: readonly string[], input?: string): Buffer {
  return execFileSync('git', args, { input, maxBuffer: 1 << 30 })
}

function measure(commit: string): SizesOfCommit {
  const names = git(['ls-tree', '-r', '--name-only', commit, ...folders])
    .toString()
    .split('\n')
    .filter((name) => /\.tsx?$/.test(name))
  const bodies = readAll(commit, names)
  return {
    commit: git(['rev-parse', '--short', commit]).toString().trim(),
    subject: git(['log', '-1', '--format=%s', commit]).toString().trim(),
    files: new Map(names.map((name, place) => [name, sizeOf(bodies[place] ?? '')])),
    docs: countDocs(commit),
  }
}

function countDocs(commit: string): Docs {
  const names = git(['ls-tree', '--name-only', commit, 'docs/']).toString().split('\n')
  const pages = readAll(
    commit,
    names.filter((name) => name.endsWith('.md') && name !== 'docs/errors.md'),
  ).filter((page) => !/^Written by/m.test(page))
  const words = pages.reduce((sum, page) => sum + page.split(/\s+/).filter(Boolean).length, 0)
  return { pages: pages.length, words }
}

function readAll(commit: string, names: readonly string[]): readonly string[] {
  return splitBatch(git(['cat-file', '--batch'], names.map((name) => `${commit}:${name}`).join('\n')))
}

/** The contents in the output of `git cat-file --batch`: each after a line that ends with its length. */
function splitBatch(output: Buffer): readonly string[] {
  const bodies: string[] = []
  for (let at = 0; at < output.length; ) {
    const start = output.indexOf('\n', at) + 1
    const length = Number(output.toString('utf8', at, start).trim().split(' ').at(-1))
    bodies.push(output.toString('utf8', start, start + length))
    at = start + length + 1
  }
  return bodies
}

function sizeOf(text: string): Size {
  const lines = text.split('\n').slice(0, -1)
  let isComment = false
  let code = 0
  for (const line of lines.map((each) => each.trim())) {
    if (line.startsWith('/*')) isComment = true
    if (!isComment && line !== '' && !line.startsWith('//')) code += 1
    if (line.endsWith('*/')) isComment = false
  }
  return { lines: lines.length, code, files: 1 }
}

function sumIn(folder: string, { files }: SizesOfCommit): Size {
  const within = [...files].flatMap(([name, size]) => (name.startsWith(`${folder}/`) ? [size] : []))
  const sum = (of: keyof Size) => within.reduce((total, size) => total + size[of], 0)
  return { lines: sum('lines'), code: sum('code'), files: sum('files') }
}

function writePage(measured: readonly SizesOfCommit[]): string {
  const shown = (count: number) => count.toLocaleString('en')
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const steps = measured.map((each) => {
    const src = sumIn('src', each)
    const others = folders.slice(1).map((folder) => shown(sumIn(folder, each).lines))
    const docs = [each.docs.pages, each.docs.words].map(shown)
    return row([
      `\`${each.commit}\` ${each.subject}`,
      ...[src.lines, src.code, src.files].map(shown),
      ...others,
      ...docs,
    ])
  })
  const [first, last] = [measured[0], measured.at(-1)]
  const parts = new Set(
    measured.flatMap(({ files }) => [...files.keys()].flatMap((name) => /^src\/[^/]+(?=\/)/.exec(name) ?? [])),
  )
  const byFolder = [...parts].toSorted().map((folder) => {
    const sizes = [first, last].flatMap((each) => (each === undefined ? [] : [sumIn(folder, each)]))
    return row([folder, ...sizes.flatMap(({ lines, code, files }) => [lines, code, files].map(shown))])
  })
  return `# Size

For contributors: lines and files of TypeScript, and pages and words of documentation. "Code" is without blank lines and lines of comments. The documentation is without decisions, errors and pages that a command writes. By:

\`\`\`sh
npm run -s qa -- size ${measured.map(({ commit }) => commit).join(' ')}
\`\`\`

| After | src | its code | its files | ${folders.slice(1).join(' | ')} | pages | words |
|---|${'---:|'.repeat(folders.length + 4)}
${steps.join('\n')}

The folders of \`src/\`, after the first and the last of these:

| Folder | lines | code | files | lines now | code now | files now |
|---|${'---:|'.repeat(6)}
${byFolder.join('\n')}`
}
