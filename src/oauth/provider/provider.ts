/**
 * The authorization server: oidc-provider, reduced to what OAuth 2.1 for agents needs. Codes with PKCE (S256), opaque
 * access tokens for one resource each, refresh tokens that change with every use.
 */

import Provider, { type Configuration, errors, interactionPolicy } from 'oidc-provider'
import {
  authorizationServer,
  findResource,
  resourceIdentifiers,
  unnamedMcp,
} from '../../modules/oauth-apps/protected-resources.ts'
import { getPublishedKeys, type PublishedKeys } from '../../modules/oauth-apps/signing-keys.ts'
import { allScopes } from '../../modules/oauth-apps/token-scopes.ts'
import type { Service } from '../../modules/service.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { adapterOf } from './adapter.ts'
import { clientDocuments } from './client-documents.ts'
import { authMethods, checkClient, clientScopes, dropUnsupported, grantTypes, responseTypes } from './client-rules.ts'
import { consentPath } from './consent-path.ts'
import { writeErrorPage } from './error-page.ts'
import { addProviderMiddleware } from './provider-middleware.ts'

const codeS = 60
/** Time for a person to sign in, or to sign up first and wait for an e-mail. */
const interactionS = 1_800
const minuteS = 60
const dayS = 86_400

/**
 * The provider uses the given keys as long as it exists; without them, it reads the current ones. `issuer` is the
 * address that it has for its clients.
 */
export async function openProvider(
  service: Service,
  options: { readonly issuer?: string; readonly published?: PublishedKeys } = {},
): Promise<Provider> {
  const { config, encryption } = service
  const lifetimes = config.oauth
  const { issuer = authorizationServer(config), published } = options
  const { keys } = published ?? (await getPublishedKeys(service))
  const documents = clientDocuments(service)
  const configuration: Configuration = {
    adapter: (kind: string) => adapterOf(service, kind),
    // The first key that fits is used to sign.
    jwks: { keys: [...keys] },
    cookies: { keys: [encryption.hmac('oauth cookies').toString('base64url')] },
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      registration: '/oauth/register',
      revocation: '/oauth/revoke',
      jwks: '/oauth/jwks',
      end_session: '/oauth/end',
    },
    scopes: [...clientScopes],
    claims: {},
    responseTypes: [...responseTypes],
    clientAuthMethods: [...authMethods],
    clientDefaults: {
      // Defaults for what agents do not state: they are programs on a person's machine, without a secret.
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: [...grantTypes],
      response_types: [...responseTypes],
      id_token_signed_response_alg: 'ES256',
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    extraClientMetadata: {
      properties: ['software_id'],
      validator: (_ctx, _key, _value, metadata) => checkClient(metadata),
    },
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
      },
      registration: {
        enabled: true,
        issueRegistrationAccessToken: false,
        // Called when the body was read and before it is checked.
        idFactory: ({ oidc: { body } }) => {
          dropUnsupported(body ?? {})
          return uuidV7(service.clock.now())
        },
      },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        allowFetch: (ctx, url) => documents.mayFetch(ctx, url),
        allowClient: async () => true,
      },
      resourceIndicators: {
        enabled: true,
        // Agents older than RFC 8707 name no resource. They get tokens for MCP, because they are agents.
        defaultResource: async (_ctx, _client, oneOf) => oneOf ?? unnamedMcp,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_ctx, indicator) => {
          const resource = findResource(config, indicator)
          if (resource === null) throw new errors.InvalidTarget('This server gives no tokens for that resource.')
          return {
            scope: allScopes.join(' '),
            audience: indicator === unnamedMcp ? indicator : resourceIdentifiers(config)[resource],
            accessTokenFormat: 'opaque',
          }
        },
      },
    },
    ttl: {
      AuthorizationCode: codeS,
      Interaction: interactionS,
      Session: interactionS,
      AccessToken: toSeconds(lifetimes.accessTokenMinutes, minuteS),
      RefreshToken: toSeconds(lifetimes.refreshTokenDays, dayS),
      Grant: toSeconds(lifetimes.grantDays, dayS),
      IdToken: codeS,
    },
    expiresWithSession: async () => false,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    interactions: { policy: promptEachTime(), url: async (_ctx, { uid }) => `${consentPath}/${uid}` },
    findAccount: async (_ctx, sub) => ({ accountId: sub, claims: async () => ({ sub }) }),
    clientBasedCORS: (_ctx, origin, client) =>
      client.clientAuthMethod === 'none' &&
      (client.redirectUris ?? []).some((uri) => URL.canParse(uri) && new URL(uri).origin === origin),
    renderError: async (ctx, out) => writeErrorPage(ctx, out),
    // Used only by OpenID Connect. Landfall gives apps no data about the person, so this is not checked.
    sectorIdentifierUriValidate: () => false,
    fetch: (url, options) => documents.fetch(url, options),
  }
  const provider = new Provider(issuer, configuration)
  addProviderMiddleware(provider, service)
  return provider
}

/** No earlier session is enough: our own page asks the person at each authorization. */
function promptEachTime(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base()
  const login = policy.get('login')
  login?.checks.add(
    new interactionPolicy.Check('own_page', 'the person has to agree', 'login_required', (ctx) =>
      ctx.oidc.result?.login === undefined
        ? interactionPolicy.Check.REQUEST_PROMPT
        : interactionPolicy.Check.NO_NEED_TO_PROMPT,
    ),
  )
  return policy
}

function toSeconds(value: number, unitS: number): number {
  return Math.max(1, Math.round(value * unitS))
}
