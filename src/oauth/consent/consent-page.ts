/**
 * /oauth/consent: a signed-in person allows an app or refuses it. A person who is not signed in signs in first and
 * comes back.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type Provider from 'oidc-provider'
import { Problem } from '../../api/errors/problem.ts'
import { originOf } from '../../api/http/request-origin.ts'
import { connectApp, grantableScopes, newGrantId } from '../../modules/oauth-apps/connect-app.ts'
import { allSpellings } from '../../modules/oauth-apps/protected-resources.ts'
import { tokenScopes } from '../../modules/oauth-apps/token-scopes.ts'
import type { Service } from '../../modules/service.ts'
import { contextOf, type Visitor } from '../../modules/sessions/find-session.ts'
import { checkForm, type Form, formPages, page, readForm } from '../../portal-server/page-parts/form.ts'
import { sendPage, writePage } from '../../portal-server/page-parts/page.ts'
import { requireVisitor } from '../../portal-server/visitor.ts'
import { consentPath } from '../provider/consent-path.ts'
import type { FindProvider } from '../provider/current-provider.ts'
import { calledAs } from '../to-issuer.ts'
import { type ConsentRequest, formTarget, readConsentRequest } from './consent-request.ts'
import { writeConsent } from './consent-view.ts'

export function consentPage(app: FastifyInstance, service: Service, provider: FindProvider): void {
  formPages(app, service, (pages) => {
    pages.get(`${consentPath}/:uid`, page, async (request, reply) => {
      const visitor = await requireVisitor(service, request, reply)
      if (visitor === null) return reply
      const consentRequest = await readConsentRequest(service, await provider(calledAs(request)), {
        request,
        reply,
      })
      return sendPage(reply, {
        page: writePage({
          title: 'Connect an app',
          visitor,
          body: writeConsent(visitor, consentRequest, service.config.oauth),
        }),
        formAction: [formTarget(consentRequest.redirectUri)],
      })
    })

    pages.post(`${consentPath}/:uid`, page, async (request, reply) => {
      const visitor = await requireVisitor(service, request, reply)
      if (visitor === null) return reply
      checkForm(service, request, visitor.formToken)
      const server = await provider(calledAs(request))
      const consentRequest = await readConsentRequest(service, server, { request, reply })
      const result =
        readForm(request).get('decision') === 'allow'
          ? await grantConsent(service, server, { request, visitor, consentRequest })
          : { error: 'access_denied', error_description: 'The person did not agree.' }
      const next = await server.interactionResult(request.raw, reply.raw, result, {
        mergeWithLastSubmission: false,
      })
      return redirectToPath(reply, next)
    })
  })
}

async function grantConsent(
  service: Service,
  server: Provider,
  {
    request,
    visitor,
    consentRequest,
  }: { readonly request: FastifyRequest; readonly visitor: Visitor; readonly consentRequest: ConsentRequest },
): Promise<{
  readonly login: { readonly accountId: string; readonly remember: boolean }
  readonly consent: { readonly grantId: string }
}> {
  const form = readForm(request)
  const membership = visitor.memberships.find(({ account }) => account.id === form.get('account'))
  if (membership === undefined) throw new Problem('not_found', { detail: 'You do not belong to that account.' })
  const context = contextOf(visitor, membership, { requestId: request.id, from: originOf(request) })
  const scopes = grantableScopes(context, chosenScopes(form, consentRequest))
  const grantId = newGrantId(service)
  const userId = visitor.user.id
  // First saves the grant of the library. Without the row that is written after it, that grant gives no access.
  const grant = new server.Grant({
    jti: grantId,
    accountId: userId,
    clientId: consentRequest.app.clientId,
  } as never)
  const refused = consentRequest.scopes.filter((scopeName) => !scopes.includes(scopeName))
  grant.addOIDCScope(consentRequest.requestedScopes.filter((scopeName) => !refused.includes(scopeName)).join(' '))
  if (refused.length > 0) grant.rejectOIDCScope(refused.join(' '))
  for (const spelling of consentRequest.resources.flatMap(({ indicator }) => allSpellings(service.config, indicator))) {
    grant.addResourceScope(spelling, scopes.join(' '))
    if (refused.length > 0) grant.rejectResourceScope(spelling, refused.join(' '))
  }
  await grant.save()
  await connectApp(service, context, {
    grantId,
    app: consentRequest.app,
    scopes,
    resources: [...new Set(consentRequest.resources.map(({ resource }) => resource))],
    spansAccounts: visitor.memberships.length > 1 && form.get('all_accounts') === 'yes',
  })
  return { login: { accountId: userId, remember: false }, consent: { grantId } }
}

function chosenScopes(form: Form, { scopes }: ConsentRequest): readonly string[] {
  return form.get('access') === 'read' ? scopes.filter((scopeName) => scopeName !== tokenScopes.write) : scopes
}

/** Redirects by path only, so that the person stays at the address by which they reach us. */
function redirectToPath(reply: FastifyReply, next: string): FastifyReply {
  const { pathname, search } = new URL(next)
  return reply.header('cache-control', 'no-store').redirect(`${pathname}${search}`, 303)
}
