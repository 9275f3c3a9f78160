/**
 * What agents get done: tasks as users put them, played by a scripted client over real HTTP in the sandbox's world, each
 * with an answer that is checked against the REST API. Counted are calls, the bytes that a model has to read, and
 * whether the answer is right.
 */

import { isDeepStrictEqual } from 'node:util'
import { openTestMcp } from '../test/support/mcp.ts'
import { acts } from './agents-acts.ts'
import { changing } from './agents-changes.ts'
import { Agent } from './agents-client.ts'
import { type Facts, readFacts } from './agents-facts.ts'
import { lists } from './agents-lists.ts'
import { lookups } from './agents-lookups.ts'
import type { Task } from './agents-tasks.ts'
import { openAgentsWorld } from './agents-world.ts'
import { type Figure, progress } from './measure.ts'

const seed = 1
/** Tasks that change something come last. */
const tasks: readonly Task[] = [...lookups, ...lists, ...changing, ...acts]
const rightAim = tasks.length - 2
/** Half of the 286 that they took when numbers were tracked one by one and changes were found by comparing. */
const callsAim = 143

interface Played {
  readonly asks: string
  readonly calls: number
  readonly bytes: number
  readonly isRight: boolean
}

export async function benchAgents(): Promise<readonly Figure[]> {
  const world = await openAgentsWorld(seed)
  const mcp = await openTestMcp(world.api)
  const agent = await Agent.connect(mcp.url, world.key)
  try {
    const facts = await readFacts(world)
    const played: Played[] = []
    for (const task of tasks) played.push(await play(task, agent, facts))
    const sum = (name: 'calls' | 'bytes') => played.reduce((total, each) => total + each[name], 0)
    const right = played.filter(({ isRight }) => isRight).length
    const common = { bench: 'agents', limit: null, ratio: null, postgres: null }
    const note = `seed ${seed}: ${facts.containers.length} containers, ${facts.shipments.length} shipments, ${facts.requests.length} requests of the sandbox`
    return [
      {
        ...common,
        what: `Tasks answered right, of ${tasks.length}`,
        unit: 'tasks',
        figure: right,
        aim: `at least ${rightAim}`,
        isMet: right >= rightAim,
        note,
        parts: played.map((each) => ({ ...each })),
      },
      {
        ...common,
        what: 'Calls of tools for all tasks',
        unit: 'calls',
        figure: sum('calls'),
        aim: `at most ${callsAim}`,
        isMet: sum('calls') <= callsAim,
        note,
      },
      {
        ...common,
        what: 'Bytes of answers that the model reads for all tasks',
        unit: 'bytes',
        figure: sum('bytes'),
        aim: 'none',
        isMet: true,
        note: `${note}; the list of tools is ${agent.listBytes} bytes more`,
      },
    ]
  } finally {
    await agent.close()
    await mcp.close()
    await world.close()
  }
}

async function play(task: Task, agent: Agent, facts: Facts): Promise<Played> {
  const [calls, bytes] = [agent.calls, agent.bytes]
  const told = await task
    .play(agent, facts)
    .catch((error: unknown) => `refused: ${error instanceof Error ? error.message : error}`)
  const cost = { calls: agent.calls - calls, bytes: agent.bytes - bytes }
  const truth: unknown = await task.truth(facts)
  const isRight = isDeepStrictEqual(plain(told), plain(truth))
  progress(
    `  ${isRight ? 'right' : 'WRONG'} ${String(cost.calls).padStart(4)} calls ${String(cost.bytes).padStart(7)} bytes  ${task.asks}`,
  )
  if (!isRight) progress(`        told ${inShort(told)}\n        true ${inShort(truth)}`)
  return { asks: task.asks, ...cost, isRight }
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null))
}

function inShort(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 300)
}
