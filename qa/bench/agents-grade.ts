/** A task of agents, and how its answer is judged. */

import type { Agent, Json } from './agents-client.ts'
import type { Words } from './agents-words.ts'
import type { AgentsWorld } from './agents-world.ts'

/** What a user says: the text of each slot of the wording, as the agent may send it on. */
export type Said = Readonly<Record<string, string>>

export interface Task {
  readonly name: string
  /** Wordings with slots, such as `Where is {box}?`. */
  readonly asks: readonly string[]
  /** What is said in the slots, and what is true, by the record; `nothing` where the world has nothing to ask about. */
  readonly of: (world: AgentsWorld, words: Words) => readonly [said: Said, truth: unknown]
  /** From what was said alone. */
  readonly play: (agent: Agent, said: Said) => Promise<unknown>
  /**
   * Changes something: it is not repeated. Then the truth is read after the answer, when all work is done. `before`: what
   * was true before.
   */
  readonly after?: (world: AgentsWorld, before: unknown) => unknown
}

export const grades = ['right', 'partly', 'misleading', 'not possible'] as const
export type Grade = (typeof grades)[number]

export class NothingToAsk extends Error {}

/** The nth of these that fit, else the last that does. */
export function choose<T>(among: readonly T[], fits: (each: T) => boolean, nth = 0): T {
  const found = among.filter(fits)
  const chosen = found[nth] ?? found.at(-1)
  if (chosen === undefined) throw new NothingToAsk(`nothing fits ${fits}`)
  return chosen
}

/**
 * `partly` lacks something, such as the hour of a day, and says nothing false. Null means unknown: to give a value, a zero or an empty list where
 * nobody has said anything is misleading, as is an empty list where there are some.
 */
export function judge(told: unknown, truth: unknown): Grade {
  if (Array.isArray(told) && Array.isArray(truth)) {
    const left = truth.map((each) => JSON.stringify(each))
    for (const each of told) {
      const at = left.indexOf(JSON.stringify(each))
      if (at < 0) return 'misleading'
      left.splice(at, 1)
    }
    return left.length === 0 ? 'right' : told.length === 0 ? 'misleading' : 'partly'
  }
  if (isObject(told) && isObject(truth)) {
    const parts = [...new Set([...Object.keys(told), ...Object.keys(truth)])].map((name) =>
      judge(told[name], truth[name]),
    )
    return parts.find((each) => each === 'misleading') ?? parts.find((each) => each === 'partly') ?? 'right'
  }
  if (JSON.stringify(told ?? null) === JSON.stringify(truth ?? null)) return 'right'
  const isDayOf = typeof told === 'string' && told.length === 10 && String(truth).startsWith(`${told}T`)
  return told === null || told === undefined || isDayOf ? 'partly' : 'misleading'
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The member at a path such as `demurrage.holds`. */
export function at(of: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), of) ?? null
}

export function listAt(of: unknown, path: string): readonly Json[] {
  const value = at(of, path)
  return Array.isArray(value) ? (value as readonly Json[]) : []
}

/** A time without its offset and zone, to the minute: as a user reads the clock at the place. */
export function localTime(value: unknown): string | null {
  return typeof value === 'string' ? value.replace(/[⟦⟧]/g, '').slice(0, 16) : null
}

export function dayIn(value: unknown): string | null {
  return localTime(value)?.slice(0, 10) ?? null
}

export function sorted(values: readonly unknown[]): readonly string[] {
  return values.map(String).toSorted()
}

/** How often each value occurs; an unknown one as `null`. */
export function counted(values: readonly unknown[]): Json {
  return Object.fromEntries(
    [...Map.groupBy(values, String)]
      .map(([value, all]) => [value, all.length] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}
