/**
 * What agents get done: tasks as users put them, in several languages, played by a scripted client over real HTTP in
 * the sandbox's world. What is true comes from the sandbox's own record, and never from the server that answers.
 * Counted are calls, the bytes that a model has to read, and whether the answer is right or misleads.
 */

import { openTestMcp } from '../../test/support/mcp.ts'
import { accountTasks, actTasks } from './agents-account.ts'
import { boxTasks } from './agents-boxes.ts'
import { Agent } from './agents-client.ts'
import { draftTasks } from './agents-drafts.ts'
import { type Grade, grades, judge, NothingToAsk, type Said, type Task } from './agents-grade.ts'
import { listTasks } from './agents-lists.ts'
import { plantFaults } from './agents-mutants.ts'
import { quayTasks } from './agents-quay.ts'
import { shipmentTasks } from './agents-shipments.ts'
import { Words } from './agents-words.ts'
import { type AgentsWorld, openAgentsWorld } from './agents-world.ts'
import { type Figure, median, progress } from './measure.ts'

const seed = 1
const size = { seed, days: 8, journeys: 60 }
/** Those that change something come last. */
export const agentTasks: readonly Task[] = [
  ...boxTasks,
  ...shipmentTasks,
  ...listTasks,
  ...quayTasks,
  ...draftTasks,
  ...accountTasks,
  ...actTasks,
]
const notRightMax = 6
const misleadingMax = 1
const callsMax = 1.5
const bytesMax = 2_560

interface Asked {
  readonly task: Task
  readonly wording: string
  readonly said: Said
  readonly truth: unknown
}

export interface Played {
  readonly name: string
  readonly wording: string
  readonly grade: Grade
  readonly calls: number
  readonly bytes: number
  readonly told: unknown
  readonly truth: unknown
}

export async function benchAgents(): Promise<readonly Figure[]> {
  const world = await openAgentsWorld(size)
  const mcp = await openTestMcp(world.api)
  const agent = await Agent.connect(mcp.url, world.key)
  try {
    const isChange = ({ task }: Asked): boolean => task.after !== undefined
    const asked = askAll(agentTasks, world)
    const read = asked.filter((each) => !isChange(each))
    const played = await playAll(read, agent, world, tell)
    const bytes = [...agent.bytes]
    const mutants = process.argv.includes('--mutants') ? await findFaults(read, played, agent, world) : null
    agent.bytes.length = 0
    played.push(...(await playAll(asked.filter(isChange), agent, world, tell)))
    bytes.push(...agent.bytes)
    return figuresOf(played, { bytes, mutants, agent, world })
  } finally {
    await agent.close()
    await mcp.close()
    await world.close()
  }
}

/** What each task asks in this world; a task for which it has nothing is left out. */
export function askAll(tasks: readonly Task[], world: AgentsWorld): readonly Asked[] {
  const words = new Words(seed)
  return tasks.flatMap((task) => {
    try {
      const [said, truth] = task.of(world, words)
      return [{ task, wording: words.fill(task.asks, said), said, truth }]
    } catch (error) {
      if (!(error instanceof NothingToAsk)) throw error
      progress(`  not asked: ${task.name} (${error.message})`)
      return []
    }
  })
}

export async function playAll(
  asked: readonly Asked[],
  agent: Agent,
  world: AgentsWorld,
  say: (played: Played) => void = () => undefined,
): Promise<Played[]> {
  const all: Played[] = []
  for (const { task, wording, said, truth: before } of asked) {
    const from = agent.bytes.length
    const answer = await task.play(agent, said).then(
      (told) => ({ told, isRefused: false }),
      (error: unknown) => ({ told: error instanceof Error ? error.message : error, isRefused: true }),
    )
    if (task.after !== undefined) await world.settle()
    const truth = task.after === undefined ? before : task.after(world, before)
    const sizes = agent.bytes.slice(from)
    const played = {
      name: task.name,
      wording,
      grade: answer.isRefused ? 'not possible' : judgeByAnyName(answer.told, truth, world),
      calls: sizes.length,
      bytes: sizes.reduce((sum, each) => sum + each, 0),
      told: answer.told,
      truth,
    } as const
    say(played)
    all.push(played)
  }
  return all
}

/** A shipment that is tracked by a container may be named by it or by its bill. */
function judgeByAnyName(told: unknown, truth: unknown, { shipments }: AgentsWorld): Grade {
  const grade = judge(told, truth)
  if (grade === 'right') return grade
  const text = shipments.reduce(
    (all, { paper, asked, isByBox }) => (isByBox ? all.replaceAll(`"${paper}`, `"${asked}`) : all),
    JSON.stringify(told ?? null),
  )
  return judge(JSON.parse(text), truth)
}

/** Of each planted fault the tasks that it turns from right into something else. */
export async function findFaults(
  asked: readonly Asked[],
  played: readonly Played[],
  agent: Agent,
  world: AgentsWorld,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  const right = asked.filter((_, nth) => played[nth]?.grade === 'right')
  for (const [fault, spoil] of Object.entries(plantFaults(world))) {
    agent.spoil = spoil
    const worse = (await playAll(right, agent, world)).filter(({ grade }) => grade !== 'right')
    found.set(
      fault,
      worse.map(({ name }) => name),
    )
    progress(
      `  ${worse.length === 0 ? 'NOT FOUND' : 'found'}: ${fault}: ${worse.map(({ name, grade }) => `${name} (${grade})`).join('; ')}`,
    )
  }
  agent.spoil = (_, answer) => answer
  return found
}

function tell({ name, wording, grade, calls, bytes, told, truth }: Played): void {
  progress(`  ${grade.padEnd(12)} ${calls} calls ${String(bytes).padStart(7)} bytes  ${name}: ${wording.slice(0, 100)}`)
  if (grade === 'right') return
  const [lacks, adds] = [difference(truth, told), difference(told, truth)]
  progress(`        told ${inShort(adds ?? told)}\n        true ${inShort(lacks ?? truth)}`)
}

/** What the first list has and the other one has not. */
function difference(of: unknown, other: unknown): readonly unknown[] | null {
  return Array.isArray(of) && Array.isArray(other) ? of.filter((each) => !other.includes(each)) : null
}

function inShort(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 500)
}

function figuresOf(
  played: readonly Played[],
  of: {
    readonly bytes: readonly number[]
    readonly mutants: ReadonlyMap<string, readonly string[]> | null
    readonly agent: Agent
    readonly world: AgentsWorld
  },
): readonly Figure[] {
  const { world, agent, bytes, mutants } = of
  const count = (grade: Grade): number => played.filter((each) => each.grade === grade).length
  const graded = grades.map((grade) => `${count(grade)} ${grade}`).join(', ')
  const note = `seed ${seed}: ${world.shipments.length} shipments, ${world.boxes.length} containers of the sandbox; ${graded}`
  const common = { bench: 'agents', limit: null, ratio: null, postgres: null, note }
  const all = played.length
  const calls = played.reduce((sum, each) => sum + each.calls, 0) / all
  const each = median(bytes)
  const [rightMin, misleading] = [all - notRightMax, count('misleading')]
  return [
    {
      ...common,
      what: `Tasks answered right, of ${all}`,
      unit: 'tasks',
      figure: count('right'),
      aim: `at least ${rightMin}`,
      isMet: count('right') >= rightMin,
      parts: played.map((one) => ({ ...one })),
    },
    {
      ...common,
      what: `Tasks whose answer misleads, of ${all}`,
      unit: 'tasks',
      figure: misleading,
      aim: `at most ${misleadingMax}`,
      isMet: misleading <= misleadingMax,
    },
    {
      ...common,
      what: 'Calls of tools for a task',
      unit: 'calls',
      figure: calls,
      aim: `at most ${callsMax}`,
      isMet: calls <= callsMax,
    },
    {
      ...common,
      what: 'Bytes of an answer that the model reads, in the median',
      unit: 'bytes',
      figure: each,
      aim: `at most ${bytesMax}`,
      isMet: each <= bytesMax,
      note: `${note}; the list of tools is ${agent.listBytes} bytes more`,
    },
    ...(mutants === null
      ? []
      : [
          {
            ...common,
            what: `Planted faults that a task finds, of ${mutants.size}`,
            unit: 'faults',
            figure: [...mutants.values()].filter((found) => found.length > 0).length,
            aim: 'all',
            isMet: [...mutants.values()].every((found) => found.length > 0),
            parts: [...mutants].map(([fault, foundBy]) => ({ fault, foundBy })),
          },
        ]),
  ]
}
