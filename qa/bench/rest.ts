/**
 * What an installation that has worked is at rest: the figures that it shows, the memory of its main process, and how long
 * it takes to stop while it works. BENCH_TREE names the folder of another checkout, of older code perhaps.
 */

import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { askEverything } from '../../test/e2e/ask-everything.ts'
import { type Attributes, attributesOf, type Door, printedLines, send, track } from '../../test/e2e/newcomer.ts'
import { freePorts, makeDataFolder, type Program, startProgram } from '../../test/e2e/program.ts'
import { openReceiver } from '../../test/e2e/receiver.ts'
import type { Asked } from '../../test/e2e/truth.ts'
import { type Figure, median, progress, secondsOf, spread } from './measure.ts'

const tree = process.env['BENCH_TREE']
const numbersMax = 30
const restMs = 30_000
/** In a start it has read what is due, and streams ships' positions. */
const workMs = 10_000
const stops = 5

export async function benchRest(): Promise<readonly Figure[]> {
  const data = makeDataFolder()
  const receiver = await openReceiver()
  const ports = await freePorts()
  const start = async (): Promise<Door> => {
    const env = { LANDFALL_REFRESH_GAP_MINUTES: '0' }
    const program = startProgram({
      dataFolder: data.path,
      ports,
      env,
      ...(tree === undefined ? {} : { tree }),
    })
    return { program, key: await program.up }
  }
  try {
    let door = await start()
    await use(door, receiver.url)
    await pause(restMs)
    const page = await (await fetch(`${door.program.apiUrl}/metrics`)).text()
    const memory = residentMb(door.program)
    const heapMb = Number(/^nodejs_heap_size_used_bytes\S* (\S+)/m.exec(page)?.[1]) / 2 ** 20
    const externalMb = Number(/^nodejs_external_memory_bytes\S* (\S+)/m.exec(page)?.[1]) / 2 ** 20
    const stopped: number[] = []
    for (let round = 0; round < stops; round += 1) {
      if (round > 0) door = await start()
      await pause(workMs)
      stopped.push(await secondsOf(() => door.program.kill('SIGTERM')))
      progress(`  stop ${round + 1} of ${stops}: ${Math.round((stopped.at(-1) ?? 0) * 1_000)} ms`)
    }
    return [
      figure('bytes of /metrics', 'KB', page.length / 1_000, 60, `${page.split('\n').length} lines`),
      figure(
        'resident memory of the main process',
        'MB',
        memory,
        300,
        `${restMs / 1_000} s after the last request; ${Math.round(heapMb)} MB of it objects, ${Math.round(externalMb)} MB buffers`,
      ),
      figure('SIGTERM to end', 'ms', median(stopped) * 1_000, 700, `${stops} stops, ${spread(stopped)} s`),
    ]
  } finally {
    await receiver.close()
    await data.remove()
  }
}

/** Webhooks, shipments of the sandbox, and every operation and page. */
async function use(door: Door, url: string): Promise<void> {
  const attributes = { url, active: true, events: ['*'] }
  await send(door, 'POST', '/v2/webhooks', { data: { type: 'webhook', attributes } })
  for (const { body } of printedLines(door)) if (body !== null) await track(door, attributesOf(body))
  const numbers = (await (await fetch(`${door.program.sandboxUrl}/sandbox/numbers`)).json()) as Asked[]
  // Those of the printed lines are tracked already.
  for (const { kind, number, scac } of numbers.slice(0, numbersMax))
    await track(door, { request_type: kind, request_number: number, scac } satisfies Attributes).catch(() => {})
  await pause(workMs)
  await askEverything(door)
}

function residentMb({ pid }: Program): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
}

function figure(what: string, unit: string, value: number, most: number, note: string): Figure {
  return {
    bench: 'rest',
    what,
    unit,
    figure: value,
    limit: null,
    ratio: null,
    aim: `at most ${most} ${unit}`,
    isMet: value <= most,
    note: `sandbox on, ${numbersMax} numbers tracked, webhooks delivered, each operation and page asked; ${note}`,
    postgres: null,
  }
}
