/** The hidden field that shows that a form is one of ours, for this browser. */

import { type Html, html } from './html.ts'

export const formTokenName = 'form_token'

export function formField(token: string): Html {
  return html`<input type="hidden" name="${formTokenName}" value="${token}">`
}
