/** The request of an app, read from the running authorization, for the page on which a person agrees. */

import type Provider from 'oidc-provider'
import { Problem } from '../../api/errors/problem.ts'
import type { Exchange } from '../../api/http/exchange.ts'
import { readPathParameter } from '../../api/http/path-parameters.ts'
import type { AppToConnect } from '../../modules/oauth-apps/connect-app.ts'
import { findResource, type ProtectedResource } from '../../modules/oauth-apps/protected-resources.ts'
import { allScopes } from '../../modules/oauth-apps/token-scopes.ts'
import type { Service } from '../../modules/service.ts'
import { type RedirectTarget, readRedirectTarget, writeRedirectTarget } from '../redirect-target.ts'
import { toIssuer } from '../to-issuer.ts'

export interface ConsentRequest {
  readonly app: AppToConnect
  readonly redirectUri: string
  readonly target: RedirectTarget
  /** Address at which the client publishes its document; null for a client that has only registered. */
  readonly publishedAt: string | null
  readonly scopes: readonly string[]
  /** The scopes exactly as the app requested them, with those of the library itself. */
  readonly requestedScopes: readonly string[]
  readonly resources: readonly { readonly resource: ProtectedResource; readonly indicator: string }[]
}

/** Throws `not_found` unless this same browser began the authorization and it has not ended. */
export async function readConsentRequest(
  service: Service,
  provider: Provider,
  { request, reply }: Exchange,
): Promise<ConsentRequest> {
  const uid = readPathParameter(request.params, 'uid')
  const interaction = await provider.interactionDetails(toIssuer(service, request), reply.raw).catch(() => null)
  if (interaction === null || interaction.uid !== uid) throw endedProblem()
  const { client_id: clientId, redirect_uri: redirectUri, scope, resource } = interaction.params
  // The document that the app publishes may have disappeared since.
  const client =
    typeof clientId === 'string'
      ? await provider.Client.find(clientId).catch((error: unknown) => {
          if (isProviderError(error)) throw unfetchedProblem(clientId)
          throw error
        })
      : undefined
  if (client === undefined || typeof redirectUri !== 'string') throw endedProblem()
  const requestedScopes = typeof scope === 'string' ? scope.split(' ') : []
  const isPublished = client.clientId.startsWith('https://')
  const target = readRedirectTarget(redirectUri)
  return {
    app: {
      clientId: client.clientId,
      clientName:
        cleanAppName(client.clientName) || (isPublished ? new URL(client.clientId).host : 'An app without a name'),
      redirectTarget: writeRedirectTarget(target),
    },
    redirectUri,
    target,
    publishedAt: isPublished ? client.clientId : null,
    requestedScopes,
    scopes: requestedScopes.filter((scopeName) => allScopes.some((known) => known === scopeName)),
    resources: [resource ?? []].flat().flatMap((indicator) => {
      const found = typeof indicator === 'string' ? findResource(service.config, indicator) : null
      return found === null ? [] : [{ resource: found, indicator: String(indicator) }]
    }),
  }
}

/** An error that the library tells a client (`OIDCProviderError`), and no fault of ours. */
function isProviderError(error: unknown): boolean {
  return error instanceof Error && 'error_description' in error && 'status' in error
}

/** Where the page's form may finally lead. Browsers apply the content security policy to redirects too. */
export function formTarget(redirectUri: string): string {
  const { protocol, hostname, origin } = new URL(redirectUri)
  // A content security policy cannot name an IPv6 address.
  return /^https?:$/.test(protocol) && !hostname.startsWith('[') ? origin : protocol
}

/**
 * The app chose this name itself. Invisible characters, and those that change the direction of the text, are removed.
 */
function cleanAppName(name: string | undefined): string {
  return (name ?? '').replace(/\p{C}/gu, '').trim().slice(0, 80)
}

function unfetchedProblem(address: string): Problem {
  return new Problem('not_found', {
    detail: `The description that the app publishes at ${address.slice(0, 200)} cannot be fetched now. Start again from the app.`,
  })
}

function endedProblem(): Problem {
  return new Problem('not_found', {
    detail: 'This connection has ended, or it was started in another browser. Start again from the app.',
  })
}
