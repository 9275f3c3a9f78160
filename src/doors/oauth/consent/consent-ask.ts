/** What an app asks for, read from the running authorization, for the page on which a person agrees. */

import type Provider from 'oidc-provider'
import type { App } from '../../../service/people/oauth/connect-app.ts'
import { findResource, type ProtectedResource } from '../../../service/people/oauth/protected-resources.ts'
import { allScopes } from '../../../service/people/oauth/token-scopes.ts'
import type { Service } from '../../../service/service.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readPart } from '../../http/path-id.ts'
import { Problem } from '../../http/problem.ts'
import { type RedirectTarget, readRedirectTarget, writeRedirectTarget } from '../redirect-target.ts'
import { toIssuer } from '../to-issuer.ts'

export interface Ask {
  readonly app: App
  readonly redirectUri: string
  readonly target: RedirectTarget
  /** Address at which the client publishes its document; null for a client that has only registered. */
  readonly publishedAt: string | null
  readonly scopes: readonly string[]
  /** The scopes exactly as the app asked for them, with those of the library itself. */
  readonly asked: readonly string[]
  readonly resources: readonly { readonly resource: ProtectedResource; readonly indicator: string }[]
}

/** Throws `not_found` unless this same browser began the authorization and it has not ended. */
export async function readAsk(
  service: Service,
  provider: Provider,
  { request, reply }: Exchange,
): Promise<Ask> {
  const uid = readPart(request.params, 'uid')
  const interaction = await provider
    .interactionDetails(toIssuer(service, request), reply.raw)
    .catch(() => null)
  if (interaction === null || interaction.uid !== uid) throw gone()
  const { client_id: clientId, redirect_uri: redirectUri, scope, resource } = interaction.params
  // The document that the app publishes may have disappeared since.
  const client =
    typeof clientId === 'string'
      ? await provider.Client.find(clientId).catch((error: unknown) => {
          if (isOfLibrary(error)) return undefined
          throw error
        })
      : undefined
  if (client === undefined || typeof redirectUri !== 'string') throw gone()
  const asked = typeof scope === 'string' ? scope.split(' ') : []
  const isPublished = client.clientId.startsWith('https://')
  const target = readRedirectTarget(redirectUri)
  return {
    app: {
      clientId: client.clientId,
      clientName:
        plainName(client.clientName) ||
        (isPublished ? new URL(client.clientId).host : 'An app without a name'),
      redirectTarget: writeRedirectTarget(target),
    },
    redirectUri,
    target,
    publishedAt: isPublished ? client.clientId : null,
    asked,
    scopes: asked.filter((word) => allScopes.some((known) => known === word)),
    resources: [resource ?? []].flat().flatMap((indicator) => {
      const found = typeof indicator === 'string' ? findResource(service.config, indicator) : null
      return found === null ? [] : [{ resource: found, indicator: String(indicator) }]
    }),
  }
}

/** An error that the library tells a client (`OIDCProviderError`), and no fault of ours. */
function isOfLibrary(error: unknown): boolean {
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
function plainName(name: string | undefined): string {
  return (name ?? '').replace(/\p{C}/gu, '').trim().slice(0, 80)
}

function gone(): Problem {
  return new Problem('not_found', {
    detail:
      'This connection is no longer under way, or it was begun in another browser. Start again from the app.',
  })
}
