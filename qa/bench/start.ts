/**
 * What a start takes: processor time and loaded files until the program serves, or until a command has ended. The limit
 * is an empty Fastify that has asked PostgreSQL once, on the same Node. BENCH_TREE names the folder of another checkout,
 * of older code perhaps: then its start is the limit.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startCluster } from '../../src/platform/postgres-cluster.ts'
import { openDataFolder } from '../../test/e2e/prepared-folder.ts'
import { freePorts, makeDataFolder, root, settingsKnownIn, startProgram } from '../../test/e2e/program.ts'
import { readProcess } from '../../tools/test/processes.ts'
import { type Figure, median, progress, spread } from './measure.ts'

const rounds = 5

interface Start {
  readonly what: string
  /** A file of the checkout, and its arguments. */
  readonly command: readonly [file: string, ...args: string[]]
  readonly env?: Readonly<Record<string, string>>
  /** The most that it may take, as a multiple of the empty server; null: it is that server. */
  readonly most: number | null
}

const program = ['src/main.ts'] as const
const commandLine = 'src/cli/landfall.ts'
const alone = { LANDFALL_SANDBOX: 'off' }
const starts: readonly Start[] = [
  { what: 'the program on a kept folder, with database and sandbox', command: program, most: 6 },
  { what: 'the API alone', command: program, env: { ...alone, LANDFALL_ROLE: 'api' }, most: 5 },
  { what: 'a worker alone', command: program, env: { ...alone, LANDFALL_ROLE: 'worker' }, most: 4 },
  { what: 'landfall --help', command: [commandLine, '--help'], most: 0.5 },
  { what: 'landfall shipments', command: [commandLine, 'shipments', '--json'], most: 1 },
]
const empty: Start = { what: 'an empty Fastify with pg', command: ['qa/bench/empty-server.ts'], most: null }

export async function benchStart(): Promise<readonly Figure[]> {
  const data = await openDataFolder()
  // The database of the empty server, and the server that commands ask.
  const served = startProgram({ dataFolder: data.path, ports: await freePorts() })
  const own = makeDataFolder()
  const cluster = await startCluster({ dataDir: own.path })
  const env = {
    LANDFALL_API_URL: served.apiUrl,
    LANDFALL_API_KEY: await served.up,
    BENCH_DATABASE_URL: cluster.url,
  }
  try {
    const figures: Figure[] = []
    for (const start of starts) figures.push(await compare(start, env))
    return figures
  } finally {
    await cluster.stop()
    await own.remove()
    await data.remove()
  }
}

async function compare(start: Start, env: Environment): Promise<Figure> {
  const other = process.env['BENCH_TREE'] ?? null
  const limit = other === null ? empty : start
  const folders = { ours: await openDataFolder(), limit: await openDataFolder() }
  const atOurs = { tree: root, dataFolder: folders.ours.path, env }
  const atLimit = { tree: other ?? root, dataFolder: folders.limit.path, env }
  const ours: Took[] = []
  const least: Took[] = []
  try {
    // The first round fills the cache of compiled code, and counts for nothing.
    for (let round = 0; round <= rounds; round += 1) {
      const took = await measure(start, atOurs)
      const tookLeast = await measure(limit, atLimit)
      progress(`  ${start.what}: ${took.processorMs} ms of processor, limit ${tookLeast.processorMs}`)
      if (round > 0) ours.push(took)
      if (round > 0) least.push(tookLeast)
    }
    const loads = await countLoads(start, atOurs)
    return writeFigure(start, other, { ours, least, loads })
  } finally {
    await folders.ours.remove()
    await folders.limit.remove()
  }
}

type Environment = Readonly<Record<string, string>>

interface At {
  readonly tree: string
  readonly dataFolder: string
  readonly env: Environment
}

interface Took {
  readonly processorMs: number
  readonly seconds: number
}

/** `loaders`: what Node loads before the program. */
async function measure(start: Start, at: At, loaders: readonly string[] = []): Promise<Took> {
  const { api, sandbox } = await freePorts()
  const given = {
    LANDFALL_DATA: at.dataFolder,
    LANDFALL_PORT: String(api),
    LANDFALL_SANDBOX_PORT: String(sandbox),
    LANDFALL_MCP_PORT: '0',
    ...start.env,
  }
  const [file, ...args] = start.command
  const startedAt = performance.now()
  const child = spawn(
    process.execPath,
    [...loaders.flatMap((each) => ['--import', each]), '--import', noteAtExit, join(at.tree, file), ...args],
    {
      cwd: at.tree,
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: join(at.dataFolder, 'compiled'),
        ...at.env,
        ...(start.most === null ? { DATABASE_URL: at.env['BENCH_DATABASE_URL'] } : settingsKnownIn(at.tree, given)),
        NOTE_IN: join(at.dataFolder, 'took'),
        NOTE_LOADS_IN: join(at.dataFolder, 'loads'),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  const ended = once(child, 'close')
  let said = ''
  const isUp = new Promise<true>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (/^Landfall is up\.$/m.test(said)) resolve(true)
    })
  })
  if ((await Promise.race([isUp, ended])) === true) {
    const took = {
      processorMs: readProcess(child.pid ?? 0)?.ownMs ?? 0,
      seconds: (performance.now() - startedAt) / 1_000,
    }
    child.kill('SIGTERM')
    await ended
    return took
  }
  const [code] = (await ended) as [number]
  if (code !== 0) throw new Error(`${start.what} ended with ${code}: ${said}`)
  const seconds = (performance.now() - startedAt) / 1_000
  return { processorMs: Number(readFileSync(join(at.dataFolder, 'took'), 'utf8')), seconds }
}

/** A command has ended before anybody can ask the system what it took. */
const noteAtExit = `data:text/javascript,${encodeURIComponent(`
import { writeFileSync } from 'node:fs'
process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  writeFileSync(process.env.NOTE_IN, String(Math.round((user + system) / 1000)))
})`)}`

/** Counted in a start of its own, because counting takes time. What is loaded while it stops is not much. */
async function countLoads(start: Start, at: At): Promise<{ readonly ours: number; readonly packages: number }> {
  rmSync(join(at.dataFolder, 'loads'), { force: true })
  await measure(start, at, [join(root, 'test/support/note-loads.mjs')])
  const urls = readFileSync(join(at.dataFolder, 'loads'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly url: string }).url)
  const packages = urls.filter((url) => url.includes('/node_modules/')).length
  return { ours: urls.length - packages, packages }
}

function writeFigure(
  { what, most }: Start,
  other: string | null,
  {
    ours,
    least,
    loads,
  }: {
    readonly ours: readonly Took[]
    readonly least: readonly Took[]
    readonly loads: { readonly ours: number; readonly packages: number }
  },
): Figure {
  const processor = (all: readonly Took[]): number => median(all.map(({ processorMs }) => processorMs))
  const seconds = ours.map((each) => each.seconds)
  const ratio = processor(ours) / processor(least)
  const isBounded = other === null && most !== null
  return {
    bench: 'start',
    what,
    unit: 'ms of processor',
    figure: processor(ours),
    limit: { what: other === null ? empty.what : `the same of ${other}`, value: processor(least) },
    ratio,
    aim: isBounded ? `at most ${most} times the empty server` : 'none: two checkouts are compared',
    isMet: !isBounded || ratio <= most,
    note:
      `median of ${rounds} starts with compiled code kept, threads included, PostgreSQL and sandbox not; ` +
      `${median(seconds).toFixed(2)} s (${spread(seconds)}) by the clock; ` +
      `${loads.ours} files of ours loaded and ${loads.packages} of packages`,
    postgres: null,
  }
}
