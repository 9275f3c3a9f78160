/**
 * Finds who sends an MCP request, by its `Authorization`: an API key (`Token`), or an access token (`Bearer`) that was
 * issued for this resource. Otherwise the answer tells the client how to get a token (RFC 6750, RFC 9728).
 */

import type { Context } from '../../modules/access/context.ts'
import { requireOwnAccount } from '../../modules/access/require-own-account.ts'
import { authenticate } from '../../modules/api-keys/authenticate.ts'
import { checkAddress, noteGoodKey, noteWrongKey } from '../../modules/api-keys/failed-keys.ts'
import { refusalOf } from '../../modules/errors.ts'
import type { VerifyBearer } from '../../modules/oauth-apps/authenticate-bearer.ts'
import { issuerRetryS } from '../../modules/oauth-apps/foreign-token.ts'
import type { LoopbackName, ProtectedResource } from '../../modules/oauth-apps/protected-resources.ts'
import type { Service } from '../../modules/service.ts'
import { jsonRpcError } from './json-rpc-error.ts'
import { metadataUrl } from './resource-metadata.ts'

type Identity = Omit<Context, 'requestId'>

export interface EndpointAccess {
  readonly service: Service
  readonly resource: ProtectedResource
  readonly verifyBearer: VerifyBearer
  /** The loopback name by which the server was called; null for any other name. */
  readonly calledAs: LoopbackName | null
  /** What a client without a token is told to request. */
  readonly scopes: readonly string[]
}

export interface Sender {
  readonly authorization: string | null
  /** `x-account-id`: the intended account, for credentials that reach several. Null for their own account. */
  readonly accountId: string | null
  readonly address: string
  readonly requestId: string
}

/**
 * Whether the credentials still open the account, by the database and not by what this process remembers. Throws where
 * that cannot be known now.
 */
export async function isStillAllowed(access: EndpointAccess, sender: Sender, accountId: string): Promise<boolean> {
  const { authorization } = sender
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) {
    const identity = await authenticate(access.service, authorization ?? undefined, { isFresh: true })
    return identity?.account.id === accountId && identity.scopes.includes('read')
  }
  try {
    const identity = await authorizeByToken(access, sender, token)
    if (identity instanceof Response && identity.status === 503)
      throw new Error('the authorization server cannot be reached')
    return !(identity instanceof Response) && identity.account.id === accountId
  } catch (error) {
    if (refusalOf(error)?.code === 'forbidden') return false
    throw error
  }
}

export async function authorize(access: EndpointAccess, sender: Sender): Promise<Identity | Response> {
  const { authorization } = sender
  if (authorization === null) return challengeResponse(access, null)
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
  const identity =
    token === undefined
      ? await authorizeByKey(access, sender, authorization)
      : await authorizeByToken(access, sender, token)
  if (identity instanceof Response) return identity
  // Without the permission to read, no tool can be used.
  return identity.scopes.includes('read') ? identity : challengeResponse(access, 'insufficient_scope')
}

async function authorizeByKey(
  access: EndpointAccess,
  { address, requestId, accountId }: Sender,
  header: string,
): Promise<Identity | Response> {
  const { service } = access
  checkAddress(service, { address, header })
  const identity = await authenticate(service, header)
  if (identity === null) {
    noteWrongKey(service, address)
    service.metrics.keyRefused({ requestId, address })
    return challengeResponse(access, 'invalid_token')
  }
  noteGoodKey(service, header)
  requireOwnAccount(identity, accountId)
  return identity
}

async function authorizeByToken(
  access: EndpointAccess,
  { accountId }: Sender,
  token: string,
): Promise<Identity | Response> {
  const bearer = { token, resource: access.resource, ...(accountId === null ? {} : { accountId }) }
  const answer = await access.verifyBearer(access.service, bearer)
  switch (answer.kind) {
    case 'identity':
      return answer.identity
    case 'insufficient':
      return challengeResponse(access, 'insufficient_scope')
    case 'invalid':
      return challengeResponse(access, 'invalid_token')
    case 'unavailable':
      // Not 401: clients would ask their user to sign in, again and again.
      return jsonRpcError(503, 'The authorization server cannot be reached. Try again in a moment.', {
        'retry-after': String(issuerRetryS),
      })
  }
}

/** A request without credentials gets no `error` (RFC 6750, 3.1), because there were none that could be wrong. */
function challengeResponse(access: EndpointAccess, error: 'invalid_token' | 'insufficient_scope' | null): Response {
  const parts = [
    ...(error === null ? [] : [`error="${error}"`]),
    `resource_metadata="${metadataUrl(access.service.config, access.resource, access.calledAs)}"`,
    `scope="${access.scopes.join(' ')}"`,
  ]
  const isScope = error === 'insufficient_scope'
  const sentence = isScope
    ? 'The credentials lack the scope tracking:read.'
    : 'The Landfall API key or access token could not be verified. Send `Authorization: Token <API key>`, or sign in by OAuth.'
  return jsonRpcError(isScope ? 403 : 401, sentence, { 'www-authenticate': `Bearer ${parts.join(', ')}` })
}
