/**
 * What every request passes before its route: an id for the log, the check of its key, the rate limit, and the check of
 * the media types that it accepts. The rate limit comes directly after the key, when the account is known and nothing
 * has been read yet.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { onBehalfOf } from '../../db/account-shares.ts'
import type { Permission } from '../../modules/access/roles.ts'
import { isApiKey } from '../../modules/api-keys/api-key.ts'
import { checkAddress, noteGoodKey, noteWrongKey } from '../../modules/api-keys/failed-keys.ts'
import { readAtReplica } from '../../modules/read-at-replica.ts'
import { journeyNow, type Service } from '../../modules/service.ts'
import { acquireQuotaSlot } from '../../modules/usage/acquire-quota-slot.ts'
import type { Bucket } from '../../modules/usage/buckets.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { bearerChallenge, challengeMissingScope, findBearerToken } from '../callers/bearer.ts'
import { hasPublishableKey, identifyCaller, isSessionRequest } from '../callers/identify-caller.ts'
import { callerDecorator, callerOf, findCaller, setCaller } from '../callers/request-caller.ts'
import { headerFault, Problem } from '../errors/problem.ts'
import { json, jsonApi, negotiateMediaType, prefersEventStream } from '../http/media-type.ts'
import { refuseIfMatch } from '../responses/entity-tag.ts'
import { isExportRequest } from '../responses/export-format.ts'
import { replicaOperations } from './replica-operations.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route answers without a key, and in its own media types. */
    readonly isOpen?: boolean
    /** The route can also answer with an event stream. */
    readonly hasStream?: boolean
    /** The list can be exported: `?format=` takes precedence over `Accept`. */
    readonly hasExport?: boolean
    /**
     * The rate limit that the request counts in; `default` when missing. A batch counts there too, besides each of its
     * items.
     */
    readonly bucket?: Bucket
    /** The operation is in the contract but not in the product. It is refused before its body is read. */
    readonly isOff?: boolean
    /** A POST that does not fit into one transaction: it calls other servers, or creates many things one by one. */
    readonly isInSteps?: boolean
    /** A change that checks `If-Match`. */
    readonly hasPrecondition?: boolean
    /** Nobody may store the answer, not even the client that requested it. So it has no tag. */
    readonly isNeverStored?: boolean
    /**
     * The permission that the answer needs. It is also checked when the stored answer of an earlier request with the
     * same `Idempotency-Key`, perhaps somebody else's, is sent again.
     */
    readonly permission?: Permission
  }
}

/** Uses the client's own id if it is harmless in a header and a log line; otherwise makes one. */
export function requestId(service: Service, given: string | readonly string[] | undefined): string {
  return typeof given === 'string' && /^[\w.:/+=-]{1,128}$/.test(given) ? given : uuidV7(service.clock.now())
}

export function guardRequests(app: FastifyInstance, service: Service): void {
  app.decorateRequest(callerDecorator, null)
  challengeMissingScope(app, service)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    requireHost(request)
    if (request.is404 || request.routeOptions.config.isOpen === true) return
    await checkKey(service, request)
    // The clock of simulated journeys is another one than that of the client.
    if (findCaller(request)?.context.account.isSandbox === true)
      reply.header('landfall-journey-time', journeyNow(service, true))
    await acquireQuotaSlotFor(request)
    checkAccept(request, reply)
    refuseIfMatch(request)
  })
  // Runs after the body has been read, because reading the body loses the async context that names the account.
  app.addHook('preValidation', (request, _reply, done) => {
    const caller = findCaller(request)
    if (caller === null) return done()
    if (!mayReadAtReplica(request)) return onBehalfOf(caller.context.account.id, done)
    Promise.resolve(readAtReplica(service, caller.context, done)).catch(done)
  })
}

function mayReadAtReplica({ method, routeOptions }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && replicaOperations.has(routeOptions.schema?.operationId ?? '')
}

/** RFC 9112, 3.2: a request of HTTP/1.1 must have a `Host` header. */
function requireHost({ headers, raw }: FastifyRequest): void {
  if (headers.host !== undefined || raw.httpVersion === '1.0') return
  throw headerFault('malformed', 'Host', 'An HTTP/1.1 request needs a `Host` header with the host name of the server.')
}

async function checkKey(service: Service, request: FastifyRequest): Promise<void> {
  const header = request.headers.authorization
  if (header !== undefined) checkAddress(service, { address: request.ip, header })
  const identity = await identifyCaller(service, request)
  if (identity === null) {
    if (header !== undefined) noteWrongKey(service, request.ip)
    service.metrics.keyRefused({ requestId: request.id, address: request.ip })
    const token = findBearerToken(header)
    if (token !== null && isApiKey(token)) throw unauthenticatedProblem(otherScheme)
    throw unauthenticatedProblem(
      unverified,
      token === null ? undefined : bearerChallenge(service, request, 'invalid_token'),
    )
  }
  if (header !== undefined) noteGoodKey(service, header)
  setCaller(request, { service, context: { ...identity, requestId: request.id } })
}

/** A request that stays open for a long time counts once, like any other. */
async function acquireQuotaSlotFor(request: FastifyRequest): Promise<void> {
  const { bucket = 'default' } = request.routeOptions.config
  const { service, context } = callerOf(request)
  // People who use the portal, and the account's own programs, have separate limits, so that neither uses up the
  // other's.
  const isOfPage = bucket === 'default' && isSessionRequest(request)
  await acquireQuotaSlot(service, context, {
    bucket: hasPublishableKey(request) ? 'embed' : isOfPage ? 'people' : bucket,
  })
}

const unverified = 'The Landfall API key could not be verified. Send it as `Authorization: Token <API key>`.'
/** For what has the form of an API key, valid or not. */
const otherScheme = 'An API key is no bearer token: use the scheme Token. Send it as `Authorization: Token <API key>`.'

/** `challenge` states what the client can try. The detail does not reveal whether a key is valid. */
export function unauthenticatedProblem(detail = unverified, challenge = 'Token realm="Landfall"'): Problem {
  return new Problem('unauthenticated', { detail }, { 'www-authenticate': challenge })
}

function checkAccept(request: FastifyRequest, reply: FastifyReply): void {
  if (request.routeOptions.config.hasStream === true && prefersEventStream(request.headers.accept)) return
  const isExport = request.routeOptions.config.hasExport === true && isExportRequest(request)
  const type = negotiateMediaType(request.headers.accept) ?? (isExport ? jsonApi : null)
  if (type === null) {
    throw new Problem('not_acceptable', {
      detail: `The answer can be ${jsonApi} or ${json}; the request accepts neither.`,
    })
  }
  // Shared caches must not store an account's data. The client itself may, and checks with the tag whether it is still
  // valid.
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const mayStore = isRead && request.routeOptions.config.isNeverStored !== true
  reply.headers({
    'content-type': type,
    'cache-control': mayStore ? 'private, no-cache' : 'private, no-store',
    vary: ['Accept', 'Authorization', ...(reply.hasHeader('vary') ? [reply.getHeader('vary')] : [])].join(', '),
  })
}
