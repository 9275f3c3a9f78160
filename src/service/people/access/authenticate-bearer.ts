/** Whose request it is that carries an OAuth access token: the token must have been given for the very thing that is asked. */

import { findAccount } from '../../../store/accounts.ts'
import { findOauthToken, touchOauthGrant } from '../../../store/oauth-grants.ts'
import type { Context, Scope } from '../../context.ts'
import { ServiceError } from '../../errors.ts'
import { grantOf, parseRole } from '../../roles.ts'
import { realNow, type Service } from '../../service.ts'
import { entryHmac } from '../oauth/entries.ts'
import { readForeignToken } from '../oauth/foreign-token.ts'
import { type ProtectedResource, resourceIdentifiers, spellingsOf } from '../oauth/protected-resources.ts'
import { scopesOf } from '../oauth/token-scopes.ts'

export interface BearerToken {
  /** As sent, without its scheme. */
  readonly token: string
  /** What it was sent to. */
  readonly resource: ProtectedResource
  /** Which account is meant, of a token that spans several; the token's own when left out. */
  readonly accountId?: string | undefined
}

export type BearerAnswer =
  | { readonly kind: 'identity'; readonly identity: Omit<Context, 'requestId'> }
  /** Unknown, malformed, expired, revoked or given for something else: the caller cannot tell which. */
  | { readonly kind: 'invalid' }
  /** Good, but without even `tracking:read`. */
  | { readonly kind: 'insufficient' }
  /** Who knows the token cannot be asked now; no fault of the caller, who must not be sent to sign in again. */
  | { readonly kind: 'unavailable' }

export type VerifyBearer = (service: Service, bearer: BearerToken) => Promise<BearerAnswer>

/** As our own authorization server makes them. */
const shape = /^[\w-]{20,200}$/
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const touchedMs = 60_000

/** Throws `forbidden` for an account that the token does not reach. */
export const authenticateBearer: VerifyBearer = async (service, { token, resource, accountId }) => {
  if (accountId !== undefined && !uuid.test(accountId)) throw elsewhere()
  const meant = {
    token,
    resource,
    accountId: accountId?.toLowerCase() ?? null,
  }
  return service.config.oauth.issuer === null
    ? authenticateOwn(service, meant)
    : authenticateForeign(service, meant)
}

interface Meant {
  readonly token: string
  readonly resource: ProtectedResource
  readonly accountId: string | null
}

/**
 * Asked of the database each time: an app that was shut out, and a person who left, are out with the next request. What
 * it may do is what was granted and what the person's role gives them now.
 */
async function authenticateOwn(
  service: Service,
  { token, resource, accountId }: Meant,
): Promise<BearerAnswer> {
  if (!shape.test(token)) return { kind: 'invalid' }
  const now = realNow(service)
  const idHmac = entryHmac(service, { kind: 'AccessToken', id: token })
  const found = await findOauthToken(service.pool, { idHmac, now, accountId })
  if (found === null || !isMeantFor(service, resource, found.audience)) return { kind: 'invalid' }
  const role = found.role === null ? null : parseRole(found.role)
  if (accountId !== null && (role === null || found.accountId !== accountId)) throw elsewhere()
  if (role === null) return { kind: 'invalid' }
  const granted = scopesOf(found.scope)
  const scopes = grantOf(role).scopes.filter((scope): scope is Scope => granted.includes(scope))
  if (!scopes.includes('read')) return { kind: 'insufficient' }
  if (found.lastUsedAt === null || service.clock.now() - Date.parse(found.lastUsedAt) > touchedMs)
    await touchOauthGrant(service.pool, { id: found.grantId, now })
  const account = { id: found.accountId, companyName: found.companyName, isFiction: found.isFiction }
  return {
    kind: 'identity',
    identity: { account, actor: { kind: 'oauth_client', id: found.clientId }, scopes, role },
  }
}

/** Who is behind it, and as what, is for the other issuer to know: it names the accounts, and its scopes are the whole limit. */
async function authenticateForeign(
  service: Service,
  { token, resource, accountId }: Meant,
): Promise<BearerAnswer> {
  const read = await readForeignToken(service, { token, audience: spellingsOf(service.config, resource) })
  if (read.kind !== 'claims') return read
  if (accountId !== null && !read.accountIds.includes(accountId)) throw elsewhere()
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

/** An agent that names no resource gets a token for the tools at their own address; beside the API they are the same ones. */
function isMeantFor({ config }: Service, resource: ProtectedResource, audience: string | null): boolean {
  const identifiers = resourceIdentifiers(config)
  return audience === identifiers[resource] || (resource === 'mcp_beside_api' && audience === identifiers.mcp)
}

function elsewhere(): ServiceError {
  return new ServiceError(
    'forbidden',
    'The access token does not reach the account that x-account-id names.',
    {
      source: { header: 'x-account-id' },
    },
  )
}
