/**
 * When the page reads again: after an event of the stream, but slowly enough to leave the rate limit to the account's
 * programs.
 */

/**
 * How many readings may follow each other at once, and after which time the next one is allowed. With two requests for
 * each reading, this makes at most 12 requests a minute in the long run.
 */
const burst = 2
const everyMs = 10_000
const reconnectMs = 15_000

export class Pace {
  #free = burst
  #sinceMs = 0

  /** @param {number} nowMs @returns {number} 0 when the page may read now */
  waitMs(nowMs) {
    this.#refill(nowMs)
    return this.#free > 0 ? 0 : Math.max(1, this.#sinceMs + everyMs - nowMs)
  }

  /** @param {number} nowMs */
  take(nowMs) {
    this.#refill(nowMs)
    if (this.#free === burst) this.#sinceMs = nowMs
    this.#free = Math.max(0, this.#free - 1)
  }

  /** @param {number} nowMs */
  #refill(nowMs) {
    if (nowMs < this.#sinceMs) this.#sinceMs = nowMs
    const more = Math.floor((nowMs - this.#sinceMs) / everyMs)
    if (more === 0) return
    this.#free = Math.min(burst, this.#free + more)
    this.#sinceMs += more * everyMs
  }
}

/**
 * Keeps a stream open until the signal is aborted, and opens it again when it breaks.
 * @param {import('./api.js').Api} api
 * @param {() => void} heard
 * @param {AbortSignal} signal
 */
export async function followNews(api, heard, signal) {
  while (!signal.aborted) {
    if (!api.isResting) await api.follow(heard, signal)
    await new Promise((resolve) => {
      const again = setTimeout(resolve, reconnectMs)
      signal.addEventListener('abort', () => {
        clearTimeout(again)
        resolve(undefined)
      })
    })
  }
}

/**
 * Makes a reader for the text of server-sent events.
 * @returns {(text: string) => {readonly lastId: number | null, readonly hasNews: boolean}}
 */
export function eventReader() {
  let rest = ''
  return (text) => {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    const lines = blocks.flatMap((block) => block.split('\n'))
    const ids = lines.flatMap((line) => /^id: (\d+)$/.exec(line)?.[1] ?? [])
    return {
      lastId: ids.length === 0 ? null : Number(ids.at(-1)),
      hasNews: lines.some((line) => line.startsWith('data:')),
    }
  }
}
