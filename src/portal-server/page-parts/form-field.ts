/** The hidden field of a form that shows that our own page in this browser sent it. */

import { type Html, html } from '../../api/http/html.ts'

export const formTokenName = 'form_token'

export function renderFormTokenField(token: string): Html {
  return html`<input type="hidden" name="${formTokenName}" value="${token}">`
}
