/** Sends requests to one Landfall, and repeats those that failed for a moment. */

import { refusedOf, retryAfterOf, Unreachable } from './refused.ts'

export interface Connection {
  /** Where Landfall is: `https://track.example.com`. */
  readonly url: string
  /** An API key, or a function that gives a token each time (OAuth). */
  readonly key?: string
  readonly token?: () => string | Promise<string>
  /** Attempts in all, 5 when left out. */
  readonly attemptsMax?: number
  /** For each attempt, 30,000 when left out. */
  readonly timeoutMs?: number
  /** The longest wait that a `Retry-After` is followed for, 120 when left out; a longer one is refused at once. */
  readonly retryAfterMaxS?: number
  /** Instead of the global one. */
  readonly fetch?: typeof fetch
}

export interface Sent {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Blob | Uint8Array<ArrayBuffer>
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}

/** Statuses after which the same request may work: it came too early, or something on the way is down. */
const passing = new Set([408, 425, 429, 500, 502, 503, 504])
const firstPauseMs = 500

/**
 * The response if it is good, or 304. Throws `Refused` or `Unreachable`; what `signal` says when it ends the request.
 * What is sent here may be repeated: a POST bears an `Idempotency-Key`, and PATCH, PUT and DELETE say how things shall be.
 * A change with `If-Match` is sent once.
 */
export async function sendRequest(connection: Connection, sent: Sent): Promise<Response> {
  const { retryAfterMaxS = 120 } = connection
  // When the answer to a change with If-Match is lost, nobody knows whether it was made: repeated, it would be refused.
  const attemptsMax = 'if-match' in sent.headers ? 1 : (connection.attemptsMax ?? 5)
  for (let attempt = 1; ; attempt++) {
    const response = await attemptRequest(connection, sent)
    if (response instanceof Response) {
      if (response.ok || response.status === 304) return response
      const mayRepeat = passing.has(response.status) || isStillRunning(response)
      const waitS = retryAfterOf(response)
      if (!mayRepeat || attempt >= attemptsMax || (waitS ?? 0) > retryAfterMaxS) throw await refusedOf(response)
      await response.body?.cancel()
      await pause(waitS === null ? pauseMs(attempt) : waitS * 1000, sent.signal)
    } else {
      if (attempt >= attemptsMax) throw response
      await pause(pauseMs(attempt), sent.signal)
    }
  }
}

async function attemptRequest(connection: Connection, sent: Sent): Promise<Response | Unreachable> {
  const { url, timeoutMs = 30_000 } = connection
  const ended = AbortSignal.timeout(sent.timeoutMs ?? timeoutMs)
  const address = `${url.replace(/\/+$/, '')}${sent.path}`
  try {
    const send = connection.fetch ?? fetch
    return await send(address, {
      method: sent.method,
      headers: { ...sent.headers, ...(await authorization(connection)) },
      body: sent.body ?? null,
      signal: sent.signal === undefined ? ended : AbortSignal.any([sent.signal, ended]),
      redirect: 'error', // no key goes anywhere else
    })
  } catch (cause) {
    sent.signal?.throwIfAborted()
    return new Unreachable(`${address} cannot be reached.`, { cause })
  }
}

async function authorization({ key, token }: Connection): Promise<Record<string, string>> {
  if (key !== undefined) return { authorization: `Token ${key}` }
  return token === undefined ? {} : { authorization: `Bearer ${await token()}` }
}

/** The first request with this idempotency key is still at work; it says when to ask again. */
function isStillRunning(response: Response): boolean {
  return response.status === 409 && response.headers.has('retry-after')
}

/** Twice as long each time, each between half and all of it. */
function pauseMs(attempt: number): number {
  return firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)
}

export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
