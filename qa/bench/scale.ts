/**
 * `npm run qa -- bench scale`: how long each list, single resource, include and search takes with 10 thousand, 100 thousand
 * and 1 million containers of one account, beside a large second account. Asked through the whole API, each size in
 * turn, with a bare read of one row after it.
 */

import { statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createApiKey } from '../../src/modules/api-keys/create-api-key.ts'
import { createApiApp } from '../../src/server/app.ts'
import { openInstallation } from './installation.ts'
import { median, percentile, progress } from './measure.ts'
import { describeMachine, type Run, row, writeCircumstances } from './report.ts'
import { askAll, asked, type Place, type Rounds, samples } from './scale-ask.ts'
import { fillToScale } from './scale-fill.ts'

/** The largest size may take as many times as long as the smallest. */
const ratioMax = 1.5
/** Disk that a container takes with all that belongs to it, and the other account beside it. */
const bytesEach = 16_000

const help = `Usage: npm run qa -- bench scale [<containers> …] [--only <text>] [--write]

Fills an installation for each number of containers (10000 100000 1000000) by SQL, asks all of them the same questions in
turn, and prints p50 and p99, and whether the largest takes at most ${ratioMax} times as long as the smallest. A million takes
16 GB below the folder for temporary files, and ten minutes. A size for which there is no room is left out. With
LANDFALL_TEST_DISTRIBUTED=1 the rows are divided among the nodes of LANDFALL_TEST_CITUS_URL.

  --only     asks only the questions that contain this text; can be repeated
  --write    writes docs/scale.md as well; only with all questions`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true, default: [] },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const sizes = positionals.length > 0 ? positionals.map(Number) : [10_000, 100_000, 1_000_000]
const questions =
  values.only.length === 0 ? asked : asked.filter((path) => values.only.some((text) => path.includes(text)))
if (values.help) process.stdout.write(`${help}\n`)
else if (!sizes.every((size) => Number.isInteger(size) && size >= 10_000)) {
  process.stderr.write(`Containers are counted from 10000.\n\n${help}\n`)
  process.exitCode = 2
} else if (questions.length === 0 || (values.write && questions.length < asked.length)) {
  process.stderr.write(`--only has to choose a question, and --write writes all of them.\n\n${help}\n`)
  process.exitCode = 2
} else await run()

interface OpenPlace extends Place {
  readonly postgres: string
  readonly close: () => Promise<void>
}

async function run(): Promise<void> {
  const startedAt = Date.now()
  const machine = describeMachine()
  const places: OpenPlace[] = []
  const filled: number[] = []
  const left: string[] = []
  try {
    for (const size of sizes) {
      const lacking = roomLackingFor(size)
      if (lacking === null) {
        places.push(await openPlace(size))
        filled.push(size)
      } else left.push(lacking)
    }
    if (places.length === 0) throw new Error(left.join(' '))
    const table = [writeTable(filled, await askAll(places, questions)), ...left].join('\n\n')
    process.stdout.write(`${table}\n`)
    const done: Run = {
      at: new Date(startedAt).toISOString(),
      command: ['npm run qa -- bench scale', ...process.argv.slice(2)].join(' '),
      machine,
      node: process.version,
      postgres: places[0]?.postgres ?? '',
      seconds: Math.round((Date.now() - startedAt) / 1_000),
    }
    if (!values.write) return
    const path = join(import.meta.dirname, '..', '..', 'docs', 'scale.md')
    writeFileSync(path, writePage(done, { filled, table }))
    progress(`${path} is written.`)
  } finally {
    for (const { close } of places) await close()
  }
}

/** Null when there is room. */
function roomLackingFor(size: number): string | null {
  const { bavail, bsize } = statfsSync(tmpdir())
  const [needed, free] = [size * bytesEach, bavail * bsize].map((bytes) => `${Math.round(bytes / 1e9)} GB`)
  if (size * bytesEach <= bavail * bsize) return null
  return `${size.toLocaleString('en-US')} containers were not measured: they need ${needed} of disk, and ${free} were free.`
}

async function openPlace(containers: number): Promise<OpenPlace> {
  const installation = await openInstallation({ isDividedLater: true })
  const app = await createApiApp(installation.service)
  const close = async (): Promise<void> => {
    await app.close()
    await installation.close()
  }
  try {
    const [context, neighbour] = [await installation.newAccount(), await installation.newAccount()]
    const accountId = context.account.id
    const startedAt = performance.now()
    await fillToScale(installation, [
      { accountId, containers },
      { accountId: neighbour.account.id, containers: Math.min(containers, 200_000) },
    ])
    await installation.divide()
    progress(`  filled in ${Math.round((performance.now() - startedAt) / 1_000)} s`)
    const { service } = installation
    const { key } = await createApiKey(service, { accountId, name: 'Benchmark', scopes: ['read'] })
    return { app, pool: service.pool, key, accountId, postgres: installation.postgres, close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * One line for each question: p50 and p99 at each size, then the largest size compared with the smallest, and with a
 * bare read.
 */
function writeTable(filled: readonly number[], took: ReadonlyMap<string, readonly Rounds[]>): string {
  const head = filled.map((size) => size.toLocaleString('en-US'))
  const above: Record<'p50' | 'p99', string[]> = { p50: [], p99: [] }
  const rows = [...took].map(([path, rounds]) => {
    const [p50, p99] = [0.5, 0.99].map((part) => rounds.map(({ asked }) => percentile(asked, part)))
    const ratios = { p50: growth(p50), p99: growth(p99) }
    for (const part of ['p50', 'p99'] as const)
      if (ratios[part] > ratioMax) above[part].push(`\`${path}\` (${ratios[part].toFixed(2)})`)
    const bare = (p50?.at(-1) ?? Number.NaN) / median(rounds.at(-1)?.bare ?? [])
    return row([
      `\`${path}\``,
      ...rounds.map((_, place) => `${p50?.[place]?.toFixed(1)} / ${p99?.[place]?.toFixed(1)}`),
      ratios.p50.toFixed(2),
      ratios.p99.toFixed(2),
      bare.toFixed(0),
    ])
  })
  const bare = filled.map((_, place) => median([...took.values()].flatMap((rounds) => rounds[place]?.bare ?? [])))
  const limits = (['p50', 'p99'] as const).map(
    (part) =>
      `- ${part} of ${took.size - above[part].length} of ${took.size} questions. Above it: ${above[part].join(', ') || 'none'}.`,
  )
  return `${row(['GET /v2/…', ...head, 'p50, last to first', 'p99, last to first', 'bare reads'])}
|---|${'---:|'.repeat(filled.length + 3)}
${rows.join('\n')}

From ${head[0]} to ${head.at(-1)} containers, within the limit of ${ratioMax} times:

${limits.join('\n')}

A bare read: ${bare.map((ms) => ms.toFixed(2)).join(', ')} ms.`
}

/** The last value divided by the first. */
function growth(values: readonly number[] = []): number {
  return (values.at(-1) ?? Number.NaN) / (values[0] ?? Number.NaN)
}

function sizesText(filled: readonly number[]): string {
  const texts = filled.map((size) => size.toLocaleString('en-US'))
  return [texts.slice(0, -1).join(', '), texts.at(-1)].filter(Boolean).join(' or ')
}

function writePage(
  done: Run,
  { filled, table }: { readonly filled: readonly number[]; readonly table: string },
): string {
  return `# Lists and gets by size

For operators with many containers: how long a list or a single read takes. To measure it yourself:

\`\`\`sh
npm run qa -- bench scale
\`\`\`

Written by \`npm run qa -- bench scale --write\`; that command printed every number below. The figures are milliseconds, p50 / p99, through
the whole API (without the network), for an account with ${sizesText(filled)} containers, half as many shipments and requests, as many
events and notifications, and another account with up to 200,000 containers. The sizes are measured in turn, each time with other rows.
After each question the program reads one row by its primary key: the last column is the ratio of the two times.
Other work on the machine affects all sizes alike, but single slow answers make p99 uncertain: of ${samples} answers, it is the
${Math.round(samples / 100) + 1}rd slowest.

\`npm run qa -- bench scale 10000 10000000\` measures ten million containers, for which ${Math.round((10_000_000 * bytesEach) / 1e9)} GB of disk must be free.

A list by a tag or a reference number is read along labels, which are in the order of the list
([decision 0044](decisions/0044-labels.md)): \`blue\` is a tag of every fiftieth shipment, 20,000 containers of a million.
A search shows up to 25 hits. At 10,000 containers \`PO-{n}\` has one hit, at 1,000,000 it has 111. \`PO-23\` is part of more than
10,000 references, all of them old: then the search reads the newest 50,000 rows of a kind.

${writeCircumstances(done)}

${table}
`
}
