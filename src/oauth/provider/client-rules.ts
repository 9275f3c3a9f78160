/**
 * Rules for clients beyond those of the library: what a client that registers may state, and that a code is never sent
 * over a connection that others can read.
 */

import { type ClientMetadata, errors } from 'oidc-provider'
import { allScopes, offlineScope } from '../../modules/oauth-apps/token-scopes.ts'
import { readRedirectTarget } from '../redirect-target.ts'

const redirectsMax = 20
const nameMax = 200

export const clientScopes = [offlineScope, ...allScopes] as const
export const authMethods = ['none', 'client_secret_basic', 'client_secret_post'] as const
export const grantTypes = ['authorization_code', 'refresh_token'] as const
export const responseTypes = ['code'] as const

type MemberReader = (value: unknown) => unknown
const asReceived: MemberReader = (value) => value

/** What is registered of a member. One without an entry is of OpenID Connect or of a flow that is not offered. */
const members: Readonly<Record<string, MemberReader>> = {
  redirect_uris: asReceived,
  client_name: asReceived,
  software_id: asReceived,
  client_uri: readWebAddress,
  logo_uri: readWebAddress,
  policy_uri: readWebAddress,
  tos_uri: readWebAddress,
  application_type: oneOf(['native', 'web']),
  token_endpoint_auth_method: oneOf(authMethods),
  grant_types: someOf(grantTypes),
  response_types: someOf(responseTypes),
  scope: (value) => (typeof value === 'string' ? value.split(' ').filter(isScope).join(' ') : undefined),
}

/**
 * Drops from the metadata what is not supported (RFC 7591, 2). The answer has what was registered (3.2.1). Redirects stay
 * as they are: `checkClient` refuses dangerous ones.
 */
export function dropUnsupported(metadata: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(metadata)) {
    const retained = Object.hasOwn(members, name) && value !== null ? members[name]?.(value) : undefined
    if (retained === undefined || retained === '') delete metadata[name]
    else metadata[name] = retained
  }
}

function readWebAddress(value: unknown): string | undefined {
  const isWeb = typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value)
  return isWeb ? value : undefined
}

function isScope(scopeName: string): boolean {
  return clientScopes.some((known) => known === scopeName)
}

function oneOf(known: readonly string[]): MemberReader {
  return (value) => known.find((each) => each === value)
}

/** A list of which nothing is supported stays, so that it is refused: such a client could do nothing here. */
function someOf(known: readonly string[]): MemberReader {
  return (value) => {
    if (!Array.isArray(value) || value.length === 0) return undefined
    const retained = known.filter((each) => value.includes(each))
    return retained.length === 0 ? value : retained
  }
}

/** Checks a client that registers, or whose document was fetched. Throws the library's own errors. */
export function checkClient(metadata: ClientMetadata): void {
  const { redirect_uris: uris = [], client_name: name } = metadata
  if (uris.length > redirectsMax)
    throw new errors.InvalidClientMetadata(`redirect_uris must not be more than ${redirectsMax}`)
  for (const uri of uris) {
    if (!URL.canParse(uri)) throw new errors.InvalidClientMetadata('redirect_uris must only contain valid uris')
    const { protocol } = new URL(uri)
    if (protocol === 'http:' && readRedirectTarget(uri).kind !== 'loopback')
      throw new errors.InvalidClientMetadata('redirect_uris with http must be on a loopback address')
  }
  if (name !== undefined && name.length > nameMax)
    throw new errors.InvalidClientMetadata(`client_name must not be longer than ${nameMax} characters`)
  // A client that did not request a secret gets none.
  if (metadata.token_endpoint_auth_method === 'none') {
    delete metadata.client_secret
    delete metadata.client_secret_expires_at
  }
}
