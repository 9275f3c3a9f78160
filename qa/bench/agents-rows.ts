/** What lists of containers and shipments are asked for, and how their answers are read. */

import type { Agent, Json } from './agents-client.ts'
import { counted, listAt, NothingToAsk } from './agents-grade.ts'
import type { TrueBox } from './agents-record.ts'
import type { AgentsWorld } from './agents-world.ts'

export type Filters = Readonly<Record<string, unknown>>
export const all = { include_stopped_tracking: true }

export const allBoxes = ({ shipments }: AgentsWorld) => shipments.flatMap(({ boxes }) => boxes)

export const isOnQuay = ({ status }: TrueBox): boolean => ['grounded', 'available', 'not_available'].includes(status)

/** The first five as one text: any other order is another answer. */
export const inOrder = (days: readonly string[]) => days.toSorted().slice(0, 5).join(' > ')

/** For how many rows the list says that it does not know; zero when it says so of none. */
export const unknownIn = (answer: Json): unknown =>
  listAt(answer, 'unknown').reduce((sum, { count }) => sum + Number(count), 0)

/** The value that most have. */
export function most<T>(among: readonly T[], readValue: (each: T) => string | null): string {
  const counts = Object.entries(counted(among.flatMap((each) => readValue(each) ?? [])))
  const [found] = counts.toSorted(([, a], [, b]) => Number(b) - Number(a))[0] ?? []
  if (found === undefined) throw new NothingToAsk('none has a value')
  return found
}

export const counts = async (agent: Agent, tool: string, by: string) =>
  Object.fromEntries(
    listAt(await agent.ask(tool, { count_by: by, ...all }), 'counts').map(({ value, count }) => [String(value), count]),
  )
