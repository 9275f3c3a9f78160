/** Makes every request of the page to the API, and stores each one for display to developers. */
import { eventReader } from './news.js'

/** @typedef {import('./reading.js').Document} Document */
/** @typedef {import('./reading.js').Fault} Fault */
/**
 * @typedef {{readonly method: string, readonly path: string, readonly body: string | null, readonly status: number,
 *   readonly durationMs: number, readonly answer: unknown}} Call
 * @typedef {{readonly ok: true, readonly status: number, readonly document: Document}
 *   | {readonly ok: false, readonly status: number, readonly errors: readonly Fault[]}} Answer
 */

export class Api {
  /** The latest call of each kind since the view changed, by method and path. @type {Map<string, Call>} */
  calls = new Map()
  #key
  #session
  /** No request before this time, because the API answered 429 or 503. */
  #restsUntil = 0
  /** Number of the newest event that was received. @type {number | null} */
  #sequence = null

  /** @param {{readonly key: string} | {readonly session: string}} by */
  constructor(by) {
    this.#key = 'key' in by ? by.key : null
    this.#session = 'session' in by ? by.session : ''
  }

  get isResting() {
    return Date.now() < this.#restsUntil
  }

  /** @param {string} path */
  get(path) {
    return this.#ask('GET', path, null)
  }

  /** @param {string} path */
  patch(path) {
    return this.#ask('PATCH', path, null)
  }

  /**
   * @param {string} path
   * @param {unknown} body
   */
  post(path, body) {
    return this.#ask('POST', path, JSON.stringify(body))
  }

  /**
   * Calls `heard` when something happens, until the signal is aborted or the stream ends.
   * @param {() => void} heard
   * @param {AbortSignal} signal
   */
  async follow(heard, signal) {
    try {
      if (this.#sequence === null) {
        const newest = await this.get('/v2/events?limit=1')
        const meta = newest.ok
          ? /** @type {{meta?: {last_sequence?: unknown}}} */ (newest.document).meta
          : null
        if (typeof meta?.last_sequence !== 'number') return
        this.#sequence = meta.last_sequence
      }
      const headers = this.#headers('text/event-stream')
      const path = `/v2/events?after=${this.#sequence}`
      const response = await fetch(path, { cache: 'no-store', headers, signal })
      this.#noteRest(response)
      if (!response.ok || response.body === null) return
      const read = eventReader()
      const words = new TextDecoder()
      const reader = response.body.getReader()
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        const { lastId, hasNews } = read(words.decode(part.value, { stream: true }))
        this.#sequence = lastId ?? this.#sequence
        if (hasNews) heard()
      }
    } catch {
      // The stream broke or was aborted. The caller connects again if it still needs events.
    }
  }

  /** @param {string} accept */
  #headers(accept) {
    if (this.#key === null) return { accept, 'x-landfall-session': this.#session }
    return { accept, authorization: `Token ${this.#key}` }
  }

  /** @param {Response} response */
  #noteRest(response) {
    if (response.status !== 429 && response.status !== 503) return
    const restS = Number(response.headers.get('retry-after') ?? 0)
    this.#restsUntil = Date.now() + Math.max(1, restS) * 1_000
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {string | null} body
   * @returns {Promise<Answer>}
   */
  async #ask(method, path, body) {
    const startedAt = performance.now()
    let status = 0
    /** @type {unknown} */
    let answer = null
    try {
      const response = await fetch(path, {
        method,
        body,
        cache: 'no-store',
        headers: {
          ...this.#headers('application/vnd.api+json'),
          ...(body === null ? {} : { 'content-type': 'application/vnd.api+json' }),
        },
      })
      status = response.status
      this.#noteRest(response)
      answer = await response.json()
    } catch {
      answer ??= { errors: [{ status: '0', detail: 'The service cannot be reached.' }] }
    }
    const durationMs = Math.round(performance.now() - startedAt)
    this.calls.set(`${method} ${path}`, { method, path, body, status, durationMs, answer })
    if (status >= 200 && status < 300) return { ok: true, status, document: /** @type {Document} */ (answer) }
    return { ok: false, status, errors: errorsOf(answer, status) }
  }
}

/**
 * @param {unknown} answer
 * @param {number} status
 * @returns {readonly Fault[]}
 */
function errorsOf(answer, status) {
  const errors = /** @type {{readonly errors?: unknown} | null} */ (answer)?.errors
  if (Array.isArray(errors) && errors.length > 0) return errors
  return [{ status: String(status), detail: `The answer was ${status} and no sentence.` }]
}

/** @param {readonly Fault[]} errors */
export function sentence(errors) {
  return errors.map(({ detail, title }) => detail ?? title ?? 'Refused.').join(' ')
}
