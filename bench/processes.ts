/**
 * What a second process that answers requests adds on this machine: the same question to one process and to two, in
 * turn, on one database. The load generator and PostgreSQL use the same cores, so the ratio means little on a machine
 * with fewer than four.
 */

import { availableParallelism } from 'node:os'
import { freePorts, makeDataFolder, type Program, startProgram } from '../test/e2e/program.ts'
import { alternate, type Figure, median, medianRatio, progress, spread } from './measure.ts'
import { runProgram } from './program.ts'

const rounds = 5
const load = { connections: 32, seconds: 3, requestsMax: 200_000 }
const path = '/v2/shipping_lines'
const coresEnough = 4

export async function benchProcesses(): Promise<readonly Figure[]> {
  const data = makeDataFolder()
  try {
    const start = async (count: number): Promise<Program> =>
      startProgram({
        dataFolder: data.path,
        ports: await freePorts(),
        env: {
          LANDFALL_API_PROCESSES: String(count),
          LANDFALL_ROLE: 'api',
          LANDFALL_SANDBOX: 'off',
          LANDFALL_POOL_MAX: '24',
          LANDFALL_CONNECTIONS_PER_ADDRESS: '0',
          LANDFALL_LOG_LEVEL: 'warn',
        },
      })
    const one = await start(1)
    const key = await one.up
    const two = await start(2)
    await two.up
    return [await measure({ one, two }, key)]
  } finally {
    await data.remove()
  }
}

async function measure(of: { readonly one: Program; readonly two: Program }, key: string): Promise<Figure> {
  const ask = async ({ apiUrl }: Program): Promise<number> => {
    const order = { ...load, port: Number(new URL(apiUrl).port), key, paths: [path] }
    const { perSecond } = await runProgram<{ readonly perSecond: number }>(
      new URL('./read-load.ts', import.meta.url),
      order,
    )
    return perSecond
  }
  progress(`processes: ${path}, ${load.connections} connections`)
  await ask(of.one)
  await ask(of.two)
  const sides = await alternate(rounds, { ours: () => ask(of.two), limit: () => ask(of.one) })
  const cores = availableParallelism()
  return {
    bench: 'processes',
    what: `GET ${path} of two processes that share a port`,
    unit: 'requests/s',
    figure: median(sides.ours),
    limit: { what: 'the same of one process', value: median(sides.limit) },
    ratio: medianRatio(sides),
    aim: 'none: it depends on the cores',
    isMet: true,
    note:
      `${rounds} rounds of ${load.seconds} s, ${load.connections} connections from another process; ` +
      `${spread(sides.ours)} against ${spread(sides.limit)}; ${cores} cores` +
      (cores < coresEnough ? ', which load generator and PostgreSQL share: too few to show what it adds' : ''),
    postgres: null,
  }
}
