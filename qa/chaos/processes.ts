/**
 * The API and two workers as separate processes on one data folder. They are killed and started again, and the times
 * are recorded.
 */

import { type Ports, type Program, startProgram } from '../../test/e2e/program.ts'
import { eventually } from '../../test/support/eventually.ts'
import { killNode } from '../kill/nodes.ts'
import { stopDatabase } from './database.ts'

export const workers = ['worker', 'other worker'] as const
export type Role = 'api' | (typeof workers)[number]

/** The moment when a process or the database was killed. An answer from just before may not have been stored. */
export interface Interruption {
  readonly atMs: number
  readonly what: string
}

/** A start needs five seconds of a processor, of which the others leave it little where a divided database is on two cores. */
const upWithinMs = 180_000

export class Processes {
  readonly interruptions: Interruption[] = []
  readonly #running = new Map<Role, Program>()
  readonly #started: { readonly role: Role; readonly program: Program }[] = []
  readonly #options: {
    readonly dataFolder: string
    readonly ports: Ports
    readonly env: Readonly<Record<string, string>>
    /** The database, where it is divided among nodes. */
    readonly divided: { readonly url: string } | null
  }

  constructor(options: {
    readonly dataFolder: string
    readonly ports: Ports
    readonly env: Readonly<Record<string, string>>
    readonly divided: { readonly url: string } | null
  }) {
    this.#options = options
  }

  /** `env`: settings for this process only. */
  start(role: Role, env: Readonly<Record<string, string>> = {}): Program {
    const { dataFolder, ports } = this.#options
    const program = startProgram({
      dataFolder,
      ports,
      env: { ...this.#options.env, LANDFALL_ROLE: role === 'api' ? 'api' : 'worker', ...env },
    })
    this.#running.set(role, program)
    this.#started.push({ role, program })
    return program
  }

  get(role: Role): Program {
    const program = this.#running.get(role)
    if (program === undefined) throw new Error(`no ${role} runs`)
    return program
  }

  async up(role: Role): Promise<void> {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => late.reject(new Error(`The ${role} is not up within ${upWithinMs / 1_000} s:\n${this.get(role).stderr()}`)),
      upWithinMs,
    )
    try {
      await Promise.race([this.get(role).up, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Kills with SIGKILL and starts no replacement. */
  async kill(role: Role): Promise<void> {
    this.interruptions.push({ atMs: Date.now(), what: role })
    await this.#running.get(role)?.kill('SIGKILL')
  }

  /**
   * Stops the database that all processes use. One of them must start it again, and all must reconnect by themselves. Of a
   * divided one, a node is killed.
   */
  async stopDatabase(): Promise<string> {
    this.interruptions.push({ atMs: Date.now(), what: 'database' })
    if (this.#options.divided !== null) return killNode(this.#options.divided.url)
    const startedMs = Date.now()
    const pid = await stopDatabase(this.#options.dataFolder)
    const url = this.get('api').apiUrl
    const live = await statusOf(`${url}/healthz`)
    const ready = await statusOf(`${url}/readyz`)
    if (live !== 200) throw new Error(`Without a database the API is live ${live}, not 200.`)
    await eventually(async () => ((await statusOf(`${url}/readyz`)) === 200 ? true : null), {
      withinMs: 30_000,
      late: () => 'The API did not find its way back to the database within 30 s.',
    })
    return `database server ${pid} stopped; live ${live}, ready ${ready}; started again by those who use it, and the API was ready after ${Date.now() - startedMs} ms`
  }

  logEnd(): string {
    return [...this.#running].map(([role, { stdout }]) => `${role}: ${stdout().slice(-1_500)}`).join('\n')
  }

  /** What all of them, also those that were killed, wrote about a notification. */
  logOf(notificationId: string): readonly string[] {
    return this.#started.flatMap(({ role, program }) =>
      program
        .stdout()
        .split('\n')
        .filter((line) => line.includes(notificationId))
        .map((line) => `${role} ${program.pid}: ${line}`),
    )
  }

  async end(): Promise<void> {
    for (const program of this.#running.values()) await program.kill('SIGKILL')
  }
}

async function statusOf(url: string): Promise<number> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) })
    await response.body?.cancel()
    return response.status
  } catch {
    // No process listens.
    return 0
  }
}
