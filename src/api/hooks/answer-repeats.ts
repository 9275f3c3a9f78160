/** `Idempotency-Key`: a POST that is sent again gets the stored answer and is not executed again. */

import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requirePermission } from '../../modules/access/context.ts'
import { type IdempotentRun, runOnce } from '../../modules/run-once.ts'
import { callerOf, findCaller, setCaller } from '../callers/request-caller.ts'
import { headerFault } from '../errors/problem.ts'

const name = 'Idempotency-Key'
const replayedHeader = 'idempotent-replayed'
/** Headers that are stored besides the body. Other headers belong to the exchange, not to its result. */
const storedHeaders = ['content-type', 'location'] as const

/** `patienceMs` is how long the second request waits while the first one runs. */
export function replayIdempotentRequests(app: FastifyInstance, patienceMs: number): void {
  const answerOnce = async (request: FastifyRequest, reply: FastifyReply, key: string): Promise<void> => {
    const { service, context } = callerOf(request)
    const { isInSteps = false, permission } = request.routeOptions.config
    if (permission !== undefined) requirePermission(context, permission)
    const keyedRequest = {
      route: `${request.method} ${request.routeOptions.url ?? ''}`,
      key,
      content: `${request.url}\n${writeBody(request.body)}`,
      isInSteps,
    }
    const found = await runOnce(service, context, keyedRequest, patienceMs)
    if (found.kind === 'run') {
      setCaller(request, { service: found.service, context, run: found })
      return
    }
    const { status, headers, body } = found.answer
    await reply.status(status).headers(headers).header(replayedHeader, 'true').send(body)
  }
  // Uses callbacks and no promise, because most requests have no key and need not wait here.
  app.addHook('preHandler', (request, reply, done) => {
    const key = readKey(request)
    if (key === null) done()
    else answerOnce(request, reply, key).then(() => done(), done)
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    const caller = findCaller(request)
    const run = caller?.run
    if (caller === null || run === undefined) {
      done(null, payload)
      return
    }
    // The run ends only once, even if a later hook fails and a second answer is sent.
    setCaller(request, { service: caller.service, context: caller.context })
    storeOrForgetAnswer(run, reply, payload)
      .then(() => done(null, payload))
      .catch(done)
  })
}

/** A table is represented by its hash, because written as JSON it would be many times as long. */
function writeBody(body: unknown): string {
  return Buffer.isBuffer(body) ? hash('sha256', body) : JSON.stringify(body ?? null)
}

async function storeOrForgetAnswer(run: IdempotentRun, reply: FastifyReply, payload: unknown): Promise<void> {
  const body = bytesOf(payload)
  if (body === null || reply.statusCode < 200 || reply.statusCode > 299)
    await run.forget(reply.statusCode < 500 ? 'refused' : 'failed')
  else await run.storeAnswer({ status: reply.statusCode, headers: headersOf(reply.getHeaders()), body })
}

/** Null when there is no key, or when it has no effect: methods other than POST can be repeated anyway. */
function readKey(request: FastifyRequest): string | null {
  const given = request.headers['idempotency-key']
  if (given === undefined || request.method !== 'POST') return null
  if (request.is404 || request.routeOptions.config.isOpen === true) return null
  if (typeof given === 'string' && /^[\x20-\x7e]{1,255}$/.test(given)) return given
  throw headerFault('malformed', name, `\`${name}\` is 1 to 255 printable ASCII characters.`)
}

/** Null for a stream, which is not stored. */
function bytesOf(payload: unknown): Buffer | null {
  if (payload === undefined || payload === null) return Buffer.alloc(0)
  if (typeof payload === 'string') return Buffer.from(payload)
  return Buffer.isBuffer(payload) ? payload : null
}

function headersOf(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    storedHeaders.flatMap((each) => (headers[each] === undefined ? [] : [[each, String(headers[each])]])),
  )
}
