/**
 * Finds out whose request it is that carries an OAuth access token. The token must have been issued for the requested
 * resource.
 */

import type { Context, Scope } from '../access/context.ts'
import { grantOf, parseRole } from '../access/roles.ts'
import { findAccount } from '../accounts/accounts-sql.ts'
import { ServiceError } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { readForeignToken } from './foreign-token.ts'
import { entryHmac } from './oauth-entries.ts'
import { findOauthToken, touchOauthGrant } from './oauth-grants-sql.ts'
import {
  listIdentifierSpellings,
  type ProtectedResource,
  resourceIdentifiers,
  unnamedMcp,
} from './protected-resources.ts'
import { scopesOf } from './token-scopes.ts'

export interface BearerToken {
  /** As sent, without its scheme. */
  readonly token: string
  /** The resource that it was sent to. */
  readonly resource: ProtectedResource
  /** The intended account, for a token that spans several. The token's own account when left out. */
  readonly accountId?: string | undefined
}

export type BearerAnswer =
  | { readonly kind: 'identity'; readonly identity: Omit<Context, 'requestId'> }
  /** Unknown, malformed, expired, revoked or given for something else: the caller cannot know which. */
  | { readonly kind: 'invalid' }
  /** The token is valid, but does not even have `tracking:read`. */
  | { readonly kind: 'insufficient' }
  /**
   * The issuer of the token cannot be reached now. That is no fault of the caller, who must not be sent to sign in
   * again.
   */
  | { readonly kind: 'unavailable' }

export type VerifyBearer = (service: Service, bearer: BearerToken) => Promise<BearerAnswer>

/** The shape of tokens that our own authorization server makes. */
const shape = /^[\w-]{20,200}$/
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const touchedMs = 60_000

/** Throws `forbidden` for an account that the token does not open. */
export const authenticateBearer: VerifyBearer = async (service, { token, resource, accountId }) => {
  if (accountId !== undefined && !uuid.test(accountId)) throw otherAccountError()
  const bearerRequest = {
    token,
    resource,
    accountId: accountId?.toLowerCase() ?? null,
  }
  return service.config.oauth.issuer === null
    ? authenticateOwnToken(service, bearerRequest)
    : authenticateForeign(service, bearerRequest)
}

interface BearerRequest {
  readonly token: string
  readonly resource: ProtectedResource
  readonly accountId: string | null
}

/**
 * Reads the database each time: an app that was disconnected, or a person who left, has no access from the next request
 * on. The token may do what was granted, as far as the person's present role allows it.
 */
async function authenticateOwnToken(
  service: Service,
  { token, resource, accountId }: BearerRequest,
): Promise<BearerAnswer> {
  if (!shape.test(token)) return { kind: 'invalid' }
  const now = realNow(service)
  const idHmac = entryHmac(service, { kind: 'AccessToken', id: token })
  const found = await findOauthToken(service.pool, { idHmac, now, accountId })
  if (found === null || !isAudienceOf(service, resource, found.audience)) return { kind: 'invalid' }
  const role = found.role === null ? null : parseRole(found.role)
  if (accountId !== null && (role === null || found.accountId !== accountId)) throw otherAccountError()
  if (role === null) return { kind: 'invalid' }
  const granted: readonly Scope[] = scopesOf(found.scope)
  const scopes = grantOf(role).scopes.filter((scope): scope is Scope => granted.includes(scope))
  if (!scopes.includes('read')) return { kind: 'insufficient' }
  if (found.lastUsedAt === null || service.clock.now() - Date.parse(found.lastUsedAt) > touchedMs)
    await touchOauthGrant(service.pool, { id: found.grantId, now })
  const account = { id: found.accountId, companyName: found.companyName, isSandbox: found.isSandbox }
  return {
    kind: 'identity',
    identity: { account, actor: { kind: 'oauth_client', id: found.clientId }, scopes, role },
  }
}

/**
 * Only the other issuer knows which person is behind the token, and their role: it names the accounts, and its scopes
 * are the only limit.
 */
async function authenticateForeign(
  service: Service,
  { token, resource, accountId }: BearerRequest,
): Promise<BearerAnswer> {
  const read = await readForeignToken(service, { token, audience: listIdentifierSpellings(service.config, resource) })
  if (read.kind !== 'claims') return read
  if (accountId !== null && !read.accountIds.includes(accountId)) throw otherAccountError()
  const id = accountId ?? read.accountIds[0]
  const account = id === undefined || !uuid.test(id) ? null : await findAccount(service.pool, id)
  if (account === null) return { kind: 'invalid' }
  const scopes = scopesOf(read.scope)
  if (!scopes.includes('read')) return { kind: 'insufficient' }
  return {
    kind: 'identity',
    identity: { account, actor: { kind: 'oauth_client', id: read.clientId }, scopes },
  }
}

function isAudienceOf({ config }: Service, resource: ProtectedResource, audience: string | null): boolean {
  return audience === resourceIdentifiers(config)[resource] || (audience === unnamedMcp && resource !== 'api')
}

function otherAccountError(): ServiceError {
  return new ServiceError('forbidden', 'The access token is not valid for the account in x-account-id.', {
    source: { header: 'x-account-id' },
  })
}
