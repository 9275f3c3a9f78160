/** Every question that the page asks of the API, and what it keeps of each to show to developers. */

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
  /** No question before this moment: the API asked for rest. */
  #restsUntil = 0

  /** @param {string} key */
  constructor(key) {
    this.#key = key
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
          accept: 'application/vnd.api+json',
          authorization: `Token ${this.#key}`,
          ...(body === null ? {} : { 'content-type': 'application/vnd.api+json' }),
        },
      })
      status = response.status
      const restS = Number(response.headers.get('retry-after') ?? 0)
      if (status === 429 || status === 503) this.#restsUntil = Date.now() + Math.max(1, restS) * 1_000
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
