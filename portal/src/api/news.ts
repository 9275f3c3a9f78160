/**
 * The stream of events, from which the app learns that something has changed. It reads again after an event, but slowly
 * enough to leave the rate limit to the account's programs.
 */

import type { Connection } from './connection.ts'

const readAtMostEveryMs = 15_000
const reconnectMs = 15_000

/** Calls `heard` when something has happened. Returns a function that ends the stream. */
export function followNews(connection: Connection, heard: () => void): () => void {
  const ending = new AbortController()
  const tell = paced(heard)
  void keepFollowing(connection, tell, ending.signal)
  return () => ending.abort()
}

/** At once for the first event, and then at most once in a while, the last event included. */
function paced(heard: () => void): () => void {
  let lastAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  return () => {
    if (timer !== undefined) return
    const waitMs = Math.max(0, lastAt + readAtMostEveryMs - Date.now())
    timer = setTimeout(() => {
      timer = undefined
      lastAt = Date.now()
      heard()
    }, waitMs)
  }
}

async function keepFollowing(connection: Connection, heard: () => void, signal: AbortSignal): Promise<void> {
  let after: number | null = null
  while (!signal.aborted) {
    // The stream may break or be refused. It is opened again, and polls of the pages go on meanwhile.
    after = await follow(connection, after, heard, signal).catch(() => after)
    await pause(reconnectMs, signal)
  }
}

async function follow(
  connection: Connection,
  after: number | null,
  heard: () => void,
  signal: AbortSignal,
): Promise<number | null> {
  let sequence = after ?? (await newest(connection))
  if (sequence === null) return null
  const answer = await fetch(`/v2/events?after=${sequence}`, {
    headers: connection.headers('text/event-stream'),
    cache: 'no-store',
    signal,
  })
  if (!answer.ok || answer.body === null) return sequence
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const id = /^id: (\d+)$/.exec(line)?.[1]
      if (id !== undefined) sequence = Number(id)
      if (line.startsWith('data:')) heard()
    }
  }
  return sequence
}

async function newest(connection: Connection): Promise<number | null> {
  const answer = (await connection.ask('GET', '/v2/events?limit=1')) as { meta?: { last_sequence?: unknown } }
  const last = answer.meta?.last_sequence
  return typeof last === 'number' ? last : null
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
