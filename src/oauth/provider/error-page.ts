/** A refusal of the authorization server as a page, for errors with which nobody may be sent back to the app. */

import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { html } from '../../api/http/html.ts'
import { pageHeaders, writePage } from '../../portal-server/page-parts/page.ts'

const sentences: Readonly<Record<string, string>> = {
  invalid_client:
    'We do not know this app. It may have been deleted because it was not used. Start again from the app.',
  invalid_redirect_uri: 'The app wants to send you to an address that it has not registered, so we refuse it.',
  invalid_request: 'The request of the app is not valid.',
  invalid_target: 'The app requests something that this server does not have.',
  server_error: 'Something went wrong on our side.',
}

/** The text about a description that an app publishes, by the beginning of the library's own sentence. */
const documentSentences: Readonly<Record<string, string>> = {
  'client_id metadata document fetch not allowed':
    'Too many descriptions of apps were fetched for your network. Try again in 15 minutes.',
  'client_id metadata document fetch failed':
    'We could not fetch the description that the app publishes at its address. Try again later, or tell the maker of the app.',
  'client_id metadata document': 'The description that the app publishes at its address is not valid.',
}

export function writeErrorPage(ctx: KoaContextWithOIDC, { error, error_description: detail }: ErrorOut): void {
  const [, ofDocument] = Object.entries(documentSentences).find(([start]) => detail?.startsWith(start) === true) ?? []
  const page = writePage({
    title: 'The app was not connected',
    visitor: null,
    body: html`<section class="gate"><h2>The app was not connected</h2>
<p>${ofDocument ?? sentences[error] ?? 'The app could not be connected. Start again from the app.'}</p>
<p class="quiet"><code>${error}</code>${detail === undefined ? null : `: ${detail}`}</p>
<p><a href="/account/apps">Connected apps</a></p></section>`,
  })
  ctx.set(pageHeaders())
  ctx.body = page.text
}
