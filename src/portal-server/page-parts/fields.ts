/** The fields of forms: each with its label, its hint and, below it, the fault in its value. */

import { type Html, type HtmlPart, html } from '../../api/http/html.ts'
import { errorTable } from '../../api/shape/error-table.ts'
import { ServiceError } from '../../modules/errors.ts'

/** The faults by field. A fault that belongs to no field is under `''`. */
export interface Faults {
  readonly status: number
  readonly byField: ReadonlyMap<string, string>
  readonly retryAfterSeconds: number | null
}

export const noFaults: Faults = { status: 200, byField: new Map(), retryAfterSeconds: null }

/** The faults of a verb's refusal. Other errors are thrown again. `fields` names the fields that the form shows. */
export function faultsOf(error: unknown, fields: readonly string[]): Faults {
  if (!(error instanceof ServiceError)) throw error
  const pointer = error.source !== null && 'pointer' in error.source ? error.source.pointer.slice(1) : ''
  const inputField = fields.includes(pointer) ? pointer : ''
  return {
    status: errorTable[error.code].status,
    byField: new Map([[inputField, error.detail]]),
    retryAfterSeconds: error.retryAfterSeconds,
  }
}

export function fieldFaults(inputField: string, detail: string, status = 422): Faults {
  return { status, byField: new Map([[inputField, detail]]), retryAfterSeconds: null }
}

export interface Field {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'password'
  readonly value?: string
  readonly autocomplete?: string
  readonly hint?: HtmlPart
  readonly isOptional?: boolean
  readonly isNumeric?: boolean
}

export function inputField(spec: Field, { byField }: Faults = noFaults): Html {
  const { name, type = 'text', value = '', hint } = spec
  const wrong = byField.get(name)
  const described = [
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(wrong === undefined ? [] : [`${name}-fault`]),
  ].join(' ')
  return html`<div class="field">
<label for="${name}">${spec.label}${spec.isOptional === true ? html` <span class="optional">optional</span>` : null}</label>
<input id="${name}" name="${name}" type="${type}" value="${type === 'password' ? '' : value}"${writeAttribute('autocomplete', spec.autocomplete ?? 'off')}${spec.isNumeric === true ? writeAttribute('inputmode', 'numeric') : null}${spec.isOptional === true ? null : html` required`}${described === '' ? null : writeAttribute('aria-describedby', described)}${wrong === undefined ? null : writeAttribute('aria-invalid', 'true')}${type === 'email' || type === 'password' ? html` spellcheck="false" autocapitalize="none"` : null}>
${hint === undefined ? null : html`<p class="hint" id="${name}-hint">${hint}</p>`}
${wrong === undefined ? null : html`<p class="fault" id="${name}-fault">${wrong}</p>`}</div>`
}

export interface Choice {
  readonly value: string
  readonly label: string
  readonly about?: string
}

export function select(
  spec: {
    readonly name: string
    readonly label: string
    readonly value: string
    readonly choices: readonly Choice[]
  },
  { byField }: Faults = noFaults,
): Html {
  const wrong = byField.get(spec.name)
  const options = spec.choices.map(
    ({ value, label, about }) =>
      html`<option value="${value}"${value === spec.value ? html` selected` : null}>${label}${about === undefined ? null : `: ${about}`}</option>`,
  )
  return html`<div class="field"><label for="${spec.name}">${spec.label}</label>
<select id="${spec.name}" name="${spec.name}"${wrong === undefined ? null : html` aria-invalid="true" aria-describedby="${spec.name}-fault"`}>${options}</select>
${wrong === undefined ? null : html`<p class="fault" id="${spec.name}-fault">${wrong}</p>`}</div>`
}

/** The fault of the form in total. */
export function formFault({ byField }: Faults): Html {
  const wrong = byField.get('')
  return html`${wrong === undefined ? null : html`<p class="fault" role="alert">${wrong}</p>`}`
}

export function submitButton(label: string, kind: 'primary' | 'danger' | 'small' = 'primary'): Html {
  return html`<button type="submit" class="${kind}">${label}</button>`
}

/** A time in readable form, in UTC and with that zone. */
export function timeElement(at: string | null): Html {
  if (at === null) return html`<span class="quiet">never</span>`
  return html`<time datetime="${at}">${at.slice(0, 16).replace('T', ' ')} <span class="zone">UTC</span></time>`
}

function writeAttribute(name: string, value: string): Html {
  return html` ${name}="${value}"`
}
