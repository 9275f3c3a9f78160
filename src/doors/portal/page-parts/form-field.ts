/**
 * Hidden fields of forms. One shows that our own page in this browser sent the form; the other detects a form that is
 * sent twice.
 */

import { makeToken } from '../../../service/people/sessions/token.ts'
import { type Html, html } from '../../http/html.ts'

export const formTokenName = 'form_token'

export function formField(token: string): Html {
  return html`<input type="hidden" name="${formTokenName}" value="${token}">`
}

export const onceName = 'once'

/**
 * A new value in each page. When the result page is loaded again, the browser sends the same value, so the action is
 * not done twice.
 */
export function onceField(): Html {
  return html`<input type="hidden" name="${onceName}" value="${makeToken()}">`
}
