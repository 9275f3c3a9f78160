/**
 * What every request passes before its route: an id for the log, the media types that it accepts, its key, and then
 * (between the key and the route, where the account is known and nothing is read yet) its place in the rate limit.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { uuidV7 } from '../../platform/ids.ts'
import type { Bucket } from '../../service/limits/buckets.ts'
import { takeTurn } from '../../service/limits/take-turn.ts'
import { checkAddress, noteGoodKey, noteWrongKey } from '../../service/people/access/failed-keys.ts'
import type { Permission } from '../../service/roles.ts'
import type { Service } from '../../service/service.ts'
import { onBehalfOf } from '../../store/account-share.ts'
import { bearerChallenge, challengeForMore, findBearerToken } from './bearer.ts'
import { callerDecorator, callerOf, findCaller, setCaller } from './caller.ts'
import { refuseIfMatch } from './entity-tag.ts'
import { asksForExport } from './export-format.ts'
import { identify, isEmbedded, isOfPerson } from './identify.ts'
import { json, jsonApi, negotiate, prefersEventStream } from './media-type.ts'
import { headerFault, Problem } from './problem.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers without a key, and in media types of its own. */
    readonly isOpen?: boolean
    /** Answers as an event stream too. */
    readonly hasStream?: boolean
    /** A list that can be exported: `?format=` goes before what the request accepts. */
    readonly hasExport?: boolean
    /** What a request counts in; `default` when left out, where a batch counts beside the turns of its items. */
    readonly bucket?: Bucket
    /** In the contract, not in the product: refused before anything of it is read. */
    readonly isOff?: boolean
    /** A POST that does not fit into one transaction: it calls elsewhere, or makes many things, each by itself. */
    readonly isInSteps?: boolean
    /** A change that looks at `If-Match`. */
    readonly hasPrecondition?: boolean
    /** What is told is nobody's to keep, not even for its own client: it has no tag. */
    readonly isKeptByNobody?: boolean
    /** What its answer takes to be seen, also when it was kept under an `Idempotency-Key` of somebody else's. */
    readonly permission?: Permission
  }
}

/** A caller's own id is kept when it is harmless in a header and a log line; else we make one. */
export function requestId(service: Service, given: string | readonly string[] | undefined): string {
  return typeof given === 'string' && /^[\w.:/+=-]{1,128}$/.test(given) ? given : uuidV7(service.clock.now())
}

export function guard(app: FastifyInstance, service: Service): void {
  app.decorateRequest(callerDecorator, null)
  challengeForMore(app, service)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    requireHost(request)
    if (request.is404 || request.routeOptions.config.isOpen === true) return
    await checkKey(service, request)
    await takeTurnFor(request)
    checkAccept(request, reply)
    refuseIfMatch(request)
  })
  // After the body has been read: whoever reads it forgets on whose behalf.
  app.addHook('preValidation', (request, _reply, done) => {
    const caller = findCaller(request)
    if (caller === null) done()
    else onBehalfOf(caller.context.account.id, done)
  })
}

/** RFC 9112, 3.2: HTTP/1.1 names its host. */
function requireHost({ headers, raw }: FastifyRequest): void {
  if (headers.host !== undefined || raw.httpVersion === '1.0') return
  throw headerFault('malformed', 'Host', 'HTTP/1.1 needs a `Host` header that names who is asked.')
}

async function checkKey(service: Service, request: FastifyRequest): Promise<void> {
  const header = request.headers.authorization
  if (header !== undefined) checkAddress(service, { address: request.ip, header })
  const identity = await identify(service, request)
  if (identity === null) {
    if (header !== undefined) noteWrongKey(service, request.ip)
    service.metrics.keyRefused({ requestId: request.id, address: request.ip })
    throw unauthenticated(
      findBearerToken(header) === null ? undefined : bearerChallenge(service, request, 'invalid_token'),
    )
  }
  if (header !== undefined) noteGoodKey(service, header)
  setCaller(request, { service, context: { ...identity, requestId: request.id } })
}

/** A request that is held open for long counts once, like any other. */
async function takeTurnFor(request: FastifyRequest): Promise<void> {
  const { bucket = 'default' } = request.routeOptions.config
  const { service, context } = callerOf(request)
  // Whoever looks at a page must not use up what the account's own programs need, nor they what people need.
  const isOfPage = bucket === 'default' && isOfPerson(request)
  await takeTurn(service, context, { bucket: isEmbedded(request) ? 'embed' : isOfPage ? 'people' : bucket })
}

/** `challenge`: what the client is told to try. The sentence is one for all, whatever was wrong. */
export function unauthenticated(challenge = 'Token realm="Landfall"'): Problem {
  return new Problem(
    'unauthenticated',
    { detail: 'The Landfall API key could not be verified. Send it as `Authorization: Token <API key>`.' },
    { 'www-authenticate': challenge },
  )
}

function checkAccept(request: FastifyRequest, reply: FastifyReply): void {
  if (request.routeOptions.config.hasStream === true && prefersEventStream(request.headers.accept)) return
  const isExport = request.routeOptions.config.hasExport === true && asksForExport(request)
  const type = negotiate(request.headers.accept) ?? (isExport ? jsonApi : null)
  if (type === null) {
    throw new Problem('not_acceptable', {
      detail: `This is answered as ${jsonApi} or ${json}; the request accepts neither.`,
    })
  }
  // What an account owns is nobody else's to keep; its own client may, and asks with the tag whether it still holds.
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const mayKeep = isRead && request.routeOptions.config.isKeptByNobody !== true
  reply.headers({
    'content-type': type,
    'cache-control': mayKeep ? 'private, no-cache' : 'private, no-store',
    vary: ['Accept', 'Authorization', ...(reply.hasHeader('vary') ? [reply.getHeader('vary')] : [])].join(
      ', ',
    ),
  })
}
