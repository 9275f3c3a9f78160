/** The content of /account: cards, one for each thing that people can change about themselves. */

import { type Html, html } from '../../api/http/html.ts'
import { grantOf } from '../../modules/access/roles.ts'
import type { Visitor } from '../../modules/sessions/find-session.ts'
import type { SessionRow } from '../../modules/sessions/sessions-sql.ts'
import type { TwoFactorState } from '../../modules/sessions/two-factor.ts'
import type { AddressState } from '../../pipeline/notifications/alert-addresses.ts'
import { callIt } from '../../platform/call-it.ts'
import { type Faults, formFault, inputField, noFaults, submitButton, timeElement } from '../page-parts/fields.ts'
import { renderFormTokenField } from '../page-parts/form-field.ts'
import { qrCode } from '../page-parts/qr-code.ts'

/** The form of the page at which a refusal is shown. */
export type AccountForm = 'name' | 'email' | 'password' | 'two_factor' | 'company'

interface AccountPageState {
  readonly visitor: Visitor
  readonly twoFactor: TwoFactorState
  readonly sessions: readonly SessionRow[]
  /** Whether alerts of the current account may be sent to the person; null for a person without an account. */
  readonly address: AddressState | null
  readonly hasMail: boolean
  /** What was just done; null for nothing. */
  readonly done: string | null
  /** The form to which the faults belong. */
  readonly form: AccountForm | null
  readonly faults: Faults
}

const doneMessages: Readonly<Record<string, string>> = {
  name: 'Your name is changed.',
  email: 'A mail with a link is on its way to your address. At most one is sent in an hour.',
  password: 'Your password is changed. You are signed out everywhere else.',
  session: 'Done.',
  'codes-off': 'One-time codes are off.',
  company: 'The name of the account is changed.',
}

export function writeAccount(state: AccountPageState): Html {
  const message = state.done === null ? undefined : doneMessages[state.done]
  return html`${message === undefined ? null : html`<p class="done" role="status">${message}</p>`}
${renderProfile(state)}${renderAddress(state)}${renderPassword(state)}${renderCodes(state)}${sessionList(state)}${renderAccounts(state)}`
}

export function writeRecoveryCodes(recoveryCodes: readonly string[]): Html {
  return html`<section class="gate"><h2>Recovery codes</h2>
<p>One-time codes are on, and you are signed out everywhere else. Keep these for the day your device is lost. Each is good once, and they are <strong>shown only now</strong>.</p>
<ul class="codes">${recoveryCodes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<p><a href="/account">I have kept them</a></p></section>`
}

function faultsFor({ form, faults }: AccountPageState, wanted: AccountForm): Faults {
  return form === wanted ? faults : noFaults
}

function renderProfile(state: AccountPageState): Html {
  const { user, formToken } = state.visitor
  const faults = faultsFor(state, 'name')
  return html`<section class="card" aria-labelledby="you"><h3 id="you">Name</h3>
<form method="post" action="/account/name" class="stack">${renderFormTokenField(formToken)}${formFault(faults)}
${inputField({ name: 'name', label: 'Name', value: user.name, autocomplete: 'name' }, faults)}
<p class="quiet">You sign in as ${user.email}.</p>
${submitButton('Save', 'small')}</form></section>`
}

function renderAddress(state: AccountPageState): Html | null {
  const { address, visitor } = state
  if (address === null) return null
  const { email } = visitor.user
  return html`<section class="card" aria-labelledby="address"><h3 id="address">E-mail address</h3>
<p>${email}</p>${formFault(faultsFor(state, 'email'))}${address === 'unconfirmed' ? renderUnconfirmed(state) : html`<p class="quiet">${addressStates[address]}</p>`}</section>`
}

const addressStates = {
  confirmed: 'Confirmed: alert rules can send to it.',
  stopped: 'You have stopped the alerts to it. The link in the first mail starts them again.',
} as const

function renderUnconfirmed(state: AccountPageState): Html {
  const { hasMail, visitor } = state
  const about = html`<p class="quiet">Not confirmed. Alert rules send only to addresses that were confirmed.</p>`
  if (hasMail)
    return html`${about}<form method="post" action="/account/email" class="stack">${renderFormTokenField(visitor.formToken)}
${submitButton('Send me the link', 'small')}</form>`
  return html`${about}<p>This installation sends no e-mail. Whoever runs it can make a link that confirms the address:</p>
<pre><code>${callIt} users confirm-link ${visitor.user.email}</code></pre>`
}

function renderPassword(state: AccountPageState): Html {
  const faults = faultsFor(state, 'password')
  return html`<section class="card" aria-labelledby="password-title"><h3 id="password-title">Password</h3>
<form method="post" action="/account/password" class="stack">${renderFormTokenField(state.visitor.formToken)}${formFault(faults)}
${inputField({ name: 'password', label: 'Current password', type: 'password', autocomplete: 'current-password' }, faults)}
${inputField({ name: 'new_password', label: 'New password', type: 'password', autocomplete: 'new-password', hint: 'All your other sessions end.' }, faults)}
${submitButton('Change', 'small')}</form></section>`
}

function renderCodes(state: AccountPageState): Html {
  const { isOn, pending, recoveryCodesLeft } = state.twoFactor
  const faults = faultsFor(state, 'two_factor')
  const token = renderFormTokenField(state.visitor.formToken)
  const again = (id: string): Html =>
    html`<div class="field"><label for="${id}">Password</label><input id="${id}" name="password" type="password" autocomplete="current-password" required${faults.byField.has('password') ? html` aria-invalid="true" aria-describedby="${id}-fault"` : null}>
${faults.byField.has('password') ? html`<p class="fault" id="${id}-fault">${faults.byField.get('password')}</p>` : null}</div>`
  const setUp =
    pending === null
      ? null
      : html`<p>Scan this with your authenticator app, then write here what it shows.</p>
${qrCode(pending.link, 'QR code for an authenticator app. It contains the secret that is shown below.')}
<p>Or <a href="${pending.link}">open it in an app on this device</a>, or type the secret:</p>
<p class="secret"><code>${pending.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code></p>
<form method="post" action="/account/two-factor/confirm" class="stack">${token}${formFault(faults)}
${inputField({ name: 'code', label: 'Code', autocomplete: 'one-time-code', isNumeric: true }, faults)}
${submitButton('Switch on', 'small')}</form>`
  const body = isOn
    ? html`<p class="good">On. ${recoveryCodesLeft} recovery codes are left.</p>
<form method="post" action="/account/two-factor/stop" class="stack">${token}${pending === null ? formFault(faults) : null}${again('stop-password')}
${submitButton('Switch off', 'danger')}</form>`
    : pending === null
      ? html`<p>A second step when you sign in: six digits from an app on your device.</p>
<form method="post" action="/account/two-factor/start" class="stack">${token}${formFault(faults)}${again('start-password')}
${submitButton('Set up', 'small')}</form>`
      : setUp
  return html`<section class="card" aria-labelledby="codes"><h3 id="codes">One-time codes</h3>${body}</section>`
}

function sessionList({ sessions, visitor }: AccountPageState): Html {
  const token = renderFormTokenField(visitor.formToken)
  const rows = sessions.map(
    (
      session,
    ) => html`<tr><td>${deviceOf(session.userAgent)}${session.id === visitor.sessionId ? html` <span class="chip">this one</span>` : null}</td>
<td class="code">${session.ip ?? 'unknown'}</td><td>${timeElement(session.createdAt)}</td><td>${timeElement(session.lastSeenAt)}</td>
<td><form method="post" action="${session.id === visitor.sessionId ? '/sign-out' : '/account/sessions/end'}" class="inline">${token}<input type="hidden" name="id" value="${session.id}"><button type="submit" class="small" aria-label="End the session of ${deviceOf(session.userAgent)}">End</button></form></td></tr>`,
  )
  return html`<section class="card" aria-labelledby="sessions"><h3 id="sessions">Where you are signed in</h3>
<div class="scroll"><table><thead><tr><th scope="col">Browser</th><th scope="col">Address</th><th scope="col">Since</th><th scope="col">Last seen</th><th scope="col"><span class="unseen">End</span></th></tr></thead>
<tbody>${rows}</tbody></table></div>
${sessions.length < 2 ? null : html`<form method="post" action="/account/sessions/end" class="below">${token}${submitButton('End all others', 'small')}</form>`}</section>`
}

function renderAccounts(state: AccountPageState): Html {
  const { visitor } = state
  const rows = visitor.memberships.map(
    ({ account, role }) =>
      html`<li>${account.companyName} <span class="label">${role.replace('_', '-')}${account.isSandbox ? ', simulated' : ''}</span></li>`,
  )
  return html`<section class="card" aria-labelledby="accounts"><h3 id="accounts">Your accounts</h3>
${rows.length === 0 ? html`<p class="quiet">You belong to none.</p>` : html`<ul class="plain">${rows}</ul>`}
${renderCompany(state)}
<p><a href="/sign-up">Add one by its API key</a></p></section>`
}

/** For owners: what the account is called. */
function renderCompany(state: AccountPageState): Html | null {
  const { current, formToken } = state.visitor
  const faults = faultsFor(state, 'company')
  if (current === null || !grantOf(current.role).permissions.includes('owners')) return formFault(faults)
  const { companyName: value } = current.account
  return html`<form method="post" action="/account/company" class="stack">${renderFormTokenField(formToken)}
${inputField({ name: 'company', label: 'Company', value, autocomplete: 'organization' }, faults)}
${submitButton('Save', 'small')}</form>`
}

/** The browser and system that a user agent names, in short. */
function deviceOf(userAgent: string | null): string {
  const agent = userAgent ?? ''
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(agent)?.[1]
  const system = /(Windows|Mac OS X|Android|iPhone|iPad|Linux)/.exec(agent)?.[1]
  const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' }
  if (browser === undefined) return agent === '' ? 'unknown' : agent.slice(0, 40)
  return `${names[browser] ?? browser}${system === undefined ? '' : ` on ${names[system] ?? system}`}`
}
