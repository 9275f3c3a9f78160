/**
 * Open streams, and requests that wait for news. Limits how many of them an account may have at a time. Ends a stream
 * when its client goes away or reads nothing for a minute, when its key is revoked, or when the server stops.
 */

import { once } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { onBehalfOfNobody } from '../../db/account-shares.ts'
import type { Service } from '../../modules/service.ts'
import { Problem } from '../errors/problem.ts'
import { identifyCaller } from './identify-caller.ts'
import { callerOf } from './request-caller.ts'

/** A key is cached for five seconds. With this interval, the streams of a revoked key end within seven seconds. */
const checkMs = 2_000
const stalledMs = 60_000
/** When a stream ends, a client that still reads gets this long to receive what is on its way. */
const graceMs = 1_000

interface OpenStream {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly accountId: string
  readonly ending: AbortController
  stalledSince: number | null
}

export interface OpenStreams {
  /** The signal aborts when the stream must end. Throws a problem (429) when the account has the maximum open. */
  readonly open: (
    request: FastifyRequest,
    reply: FastifyReply,
  ) => { readonly signal: AbortSignal; readonly close: () => void }
  /** Ends all streams. Resolves when the last one has sent its end or was cut off. */
  readonly endAll: () => Promise<void>
}

export function createOpenStreams(
  service: Service,
  gaps: { readonly checkMs: number; readonly stalledMs: number } = { checkMs, stalledMs },
): OpenStreams {
  const all = new Set<OpenStream>()
  let checking: NodeJS.Timeout | null = null
  let isEnding = false

  // Only one check at a time: the database may need longer than the interval.
  let isChecking = false
  const checkAll = async (): Promise<void> => {
    if (isChecking) return
    isChecking = true
    await checkStreams(service, all, gaps.stalledMs)
    isChecking = false
  }
  const close = (stream: OpenStream): void => {
    all.delete(stream)
    stream.ending.abort()
    if (all.size > 0 || checking === null) return
    clearInterval(checking)
    checking = null
  }
  return {
    open: (request, reply) => {
      const accountId = callerOf(request).context.account.id
      const max = service.config.server.feedStreamsMax
      if ([...all].filter((each) => each.accountId === accountId).length >= max) throw tooManyStreamsProblem(max)
      const stream: OpenStream = {
        request,
        reply,
        accountId,
        ending: new AbortController(),
        stalledSince: null,
      }
      all.add(stream)
      reply.raw.once('close', () => close(stream))
      checking ??= onBehalfOfNobody(() => setInterval(() => void checkAll(), gaps.checkMs).unref())
      // If the client left while its key was checked, no `close` event comes any more.
      if (isEnding || reply.raw.destroyed) close(stream)
      return { signal: stream.ending.signal, close: () => close(stream) }
    },
    endAll: async () => {
      isEnding = true
      const closed = [...all].map(({ reply }) => once(reply.raw, 'close'))
      for (const stream of all) endStream(stream)
      await Promise.all(closed)
    },
  }
}

async function checkStreams(service: Service, all: ReadonlySet<OpenStream>, longestMs: number): Promise<void> {
  const now = performance.now()
  for (const stream of all) {
    stream.stalledSince = stream.reply.raw.writableNeedDrain ? (stream.stalledSince ?? now) : null
    if (stream.stalledSince !== null && now - stream.stalledSince > longestMs) stream.reply.raw.destroy()
  }
  const byCredential = Map.groupBy(all, ({ request, accountId }) => `${accountId} ${credentialOf(request)}`)
  for (const holders of byCredential.values()) {
    const [first] = holders
    if (first === undefined) continue
    try {
      if (!(await isStillAllowed(service, first))) for (const stream of holders) endStream(stream)
    } catch (error) {
      // When the database cannot be reached, the streams stay open. They get no events then, and the next check queries
      // again.
      service.log.warn('database.unreachable', { error })
    }
  }
}

/** The credential that opened the stream. Streams with the same one are checked together. */
function credentialOf({ headers }: FastifyRequest): string {
  return headers.authorization ?? headers.cookie ?? ''
}

/**
 * False when the key or token was revoked, and when the person has signed out, left, or switched to another account.
 */
async function isStillAllowed(service: Service, { request, accountId }: OpenStream): Promise<boolean> {
  try {
    return (await identifyCaller(service, request))?.account.id === accountId
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

/** Lets the stream send its end. A client that does not read that end is cut off. */
function endStream({ ending, reply }: OpenStream): void {
  if (ending.signal.aborted) return
  ending.abort()
  const cut = setTimeout(() => reply.raw.destroy(), graceMs).unref()
  reply.raw.once('close', () => clearTimeout(cut))
}

function tooManyStreamsProblem(max: number): Problem {
  return new Problem(
    'rate_limited',
    {
      detail: `This account already has ${max} open event streams and waiting requests. Close one first.`,
    },
    { 'retry-after': '5' },
  )
}
