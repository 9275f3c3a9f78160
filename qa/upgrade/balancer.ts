/**
 * What stands before several servers of one installation: it asks each whether it is ready, sends requests only to those
 * that are, and sends one again that got no answer. It keeps what became of every request.
 */

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

export interface Target {
  readonly name: string
  readonly url: string
  isReady: boolean
  /** When it was told to stop; from then on it may refuse and cut. */
  stoppedAtMs: number | null
}

/** One sending of a request. `status` 0: no answer came. */
interface Sending {
  readonly target: Target
  readonly phase: string
  readonly what: string
  readonly status: number
  readonly atMs: number
  readonly tookMs: number
  readonly error: string
}

export interface Answer {
  readonly status: number
  readonly body: unknown
}

const probeEveryMs = 200
/** While nobody is ready, a request waits without an end: `nobodyReadyMs` says how long that is. */
const answeredWithinMs = 60_000
/** A client that waits longer has given up. */
const patienceMs = 45_000

export class Balancer {
  readonly targets: Target[] = []
  readonly sendings: Sending[] = []
  /** How long nobody was ready, in all, and what those said who were not. */
  nobodyReadyMs = 0
  readonly notReady: string[] = []
  phase = ''
  readonly #ended = new AbortController()
  readonly #probing: Promise<void>
  #turn = 0

  constructor() {
    this.#probing = this.#probe()
  }

  add(name: string, url: string): Target {
    const target: Target = { name, url, isReady: false, stoppedAtMs: null }
    this.targets.push(target)
    return target
  }

  remove(target: Target): void {
    this.targets.splice(this.targets.indexOf(target), 1)
  }

  async close(): Promise<void> {
    this.#ended.abort()
    await this.#probing
  }

  /** A repeated POST bears the same key, so that it does nothing twice. */
  async send(key: string, method: 'GET' | 'POST' | 'PATCH', path: string, sent?: unknown): Promise<Answer> {
    const headers = {
      authorization: `Token ${key}`,
      ...(sent === undefined ? {} : { 'content-type': 'application/vnd.api+json' }),
      ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
    }
    const init = { method, headers, ...(sent === undefined ? {} : { body: JSON.stringify(sent) }) }
    const what = `${method} ${path.replace(/\?.*/, '').replaceAll(/[0-9a-f-]{36}/g, ':id')}`
    for (let triedMs = 0; triedMs < answeredWithinMs && !this.#ended.signal.aborted; await pause(50)) {
      const target = this.#next()
      if (target === null) continue
      const beganMs = performance.now()
      const answer = await this.#sendTo(target, { path, init, what })
      if (answer !== null) return answer
      triedMs += performance.now() - beganMs
    }
    throw new Error(`${what} was not answered within ${answeredWithinMs / 1_000} s.`)
  }

  /** Null when it has to be sent again. */
  async #sendTo(
    target: Target,
    { path, init, what }: { readonly path: string; readonly init: RequestInit; readonly what: string },
  ): Promise<Answer | null> {
    const atMs = performance.now()
    const { phase } = this
    const note = (status: number, error: string): void =>
      void this.sendings.push({ target, phase, what, status, error, atMs, tookMs: performance.now() - atMs })
    try {
      const response = await fetch(target.url + path, { ...init, signal: AbortSignal.timeout(patienceMs) })
      const text = await response.text()
      note(response.status, response.status >= 500 ? text.slice(0, 300) : '')
      if (response.status >= 500 || response.status === 429) return null
      return { status: response.status, body: text === '' ? null : JSON.parse(text) }
    } catch (error) {
      target.isReady = false
      note(0, String(error instanceof Error ? (error.cause ?? error) : error))
      return null
    }
  }

  #next(): Target | null {
    const ready = this.targets.filter(({ isReady }) => isReady)
    this.#turn += 1
    return ready[this.#turn % ready.length] ?? null
  }

  async #probe(): Promise<void> {
    const { signal } = this.#ended
    for (let before = performance.now(); !signal.aborted; ) {
      await Promise.all(
        this.targets.map(async (target) => {
          const refusal = await findRefusal(target.url)
          target.isReady = refusal === null
          if (refusal !== null) this.notReady.push(`${this.phase}: ${target.name}: ${refusal}`)
        }),
      )
      await pause(probeEveryMs, undefined, { signal }).catch(() => {})
      const now = performance.now()
      if (!this.targets.some(({ isReady: is }) => is)) this.nobodyReadyMs += now - before
      before = now
    }
  }
}

/** Null when it is ready. */
async function findRefusal(url: string): Promise<string | null> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) })
    const said = await response.text()
    return response.ok ? null : said
  } catch (error) {
    return String(error)
  }
}
