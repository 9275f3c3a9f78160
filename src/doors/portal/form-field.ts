/** The hidden fields of forms: one shows that it is one of ours, for this browser; one that it is sent for the first time. */

import { makeToken } from '../../service/people/sessions/token.ts'
import { type Html, html } from './html.ts'

export const formTokenName = 'form_token'

export function formField(token: string): Html {
  return html`<input type="hidden" name="${formTokenName}" value="${token}">`
}

export const onceName = 'once'

/** Another one in each page that is written. A page that is loaded again sends the same: what was done is not done twice. */
export function onceField(): Html {
  return html`<input type="hidden" name="${onceName}" value="${makeToken()}">`
}
