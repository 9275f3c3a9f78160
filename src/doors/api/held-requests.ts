/**
 * Requests that are held open, streams and those who wait: how many an account may hold, and what ends them. The client
 * leaves or takes nothing for a minute, the key is revoked, the server stops.
 */

import { once } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Service } from '../../service/service.ts'
import { onBehalfOfNobody } from '../../store/account-share.ts'
import { callerOf } from './caller.ts'
import { identify } from './identify.ts'
import { Problem } from './problem.ts'

/** With the five seconds for which a key is remembered, a revoked one ends its streams within seven. */
const checkMs = 2_000
const stalledMs = 60_000
/** What is on its way to a client that reads is given this long at the end. */
const graceMs = 1_000

interface Held {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly accountId: string
  readonly ending: AbortController
  stalledSince: number | null
}

export interface OpenStreams {
  /** The signal falls when it is to end. Refuses (429) when the account holds as many as it may. */
  readonly hold: (
    request: FastifyRequest,
    reply: FastifyReply,
  ) => { readonly signal: AbortSignal; readonly letGo: () => void }
  /** Ends when the last has had its say or was cut off. */
  readonly endAll: () => Promise<void>
}

export function createOpenStreams(
  service: Service,
  gaps: { readonly checkMs: number; readonly stalledMs: number } = { checkMs, stalledMs },
): OpenStreams {
  const all = new Set<Held>()
  let checking: NodeJS.Timeout | null = null
  let isEnding = false

  // One check at a time: the database may take longer than the gap.
  let isChecking = false
  const checkAll = async (): Promise<void> => {
    if (isChecking) return
    isChecking = true
    await check(service, all, gaps.stalledMs)
    isChecking = false
  }
  const letGo = (held: Held): void => {
    all.delete(held)
    held.ending.abort()
    if (all.size > 0 || checking === null) return
    clearInterval(checking)
    checking = null
  }
  return {
    hold: (request, reply) => {
      const accountId = callerOf(request).context.account.id
      const max = service.config.server.feedStreamsMax
      if ([...all].filter((each) => each.accountId === accountId).length >= max) throw tooMany(max)
      const held: Held = { request, reply, accountId, ending: new AbortController(), stalledSince: null }
      all.add(held)
      reply.raw.once('close', () => letGo(held))
      checking ??= onBehalfOfNobody(() => setInterval(() => void checkAll(), gaps.checkMs).unref())
      // A client that left while its key was looked up closes nothing any more.
      if (isEnding || reply.raw.destroyed) letGo(held)
      return { signal: held.ending.signal, letGo: () => letGo(held) }
    },
    endAll: async () => {
      isEnding = true
      const closed = [...all].map(({ reply }) => once(reply.raw, 'close'))
      for (const held of all) end(held)
      await Promise.all(closed)
    },
  }
}

async function check(service: Service, all: ReadonlySet<Held>, longestMs: number): Promise<void> {
  const now = performance.now()
  for (const held of all) {
    held.stalledSince = held.reply.raw.writableNeedDrain ? (held.stalledSince ?? now) : null
    if (held.stalledSince !== null && now - held.stalledSince > longestMs) held.reply.raw.destroy()
  }
  const byCredential = Map.groupBy(all, ({ request, accountId }) => `${accountId} ${credentialOf(request)}`)
  for (const holders of byCredential.values()) {
    const [first] = holders
    if (first === undefined) continue
    try {
      if (!(await isStillAllowed(service, first))) for (const held of holders) end(held)
    } catch (error) {
      // Nothing is told that the database does not tell first; the next check asks again.
      service.log.warn('database.unreachable', { error })
    }
  }
}

/** By what it was let in: those with the same are asked about once. */
function credentialOf({ headers }: FastifyRequest): string {
  return headers.authorization ?? headers.cookie ?? ''
}

/** False for a key or a token that was revoked, and for a person who has signed out, left, or works for another account. */
async function isStillAllowed(service: Service, { request, accountId }: Held): Promise<boolean> {
  try {
    return (await identify(service, request))?.account.id === accountId
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

/** Lets it say its last; a client that does not take it is cut off. */
function end({ ending, reply }: Held): void {
  if (ending.signal.aborted) return
  ending.abort()
  const cut = setTimeout(() => reply.raw.destroy(), graceMs).unref()
  reply.raw.once('close', () => clearTimeout(cut))
}

function tooMany(max: number): Problem {
  return new Problem(
    'rate_limited',
    {
      detail: `This account already holds ${max} event streams and waiting questions open. Close one first.`,
    },
    { 'retry-after': '5' },
  )
}
