/** The content of /account: cards, one for each thing that people can change about themselves. */

import type { Visitor } from '../../../service/people/sessions/find-session.ts'
import type { TwoFactorState } from '../../../service/people/users/two-factor.ts'
import type { SessionRow } from '../../../store/people/sessions.ts'
import { type Html, html } from '../../http/html.ts'
import { type Faults, field, formFault, moment, noFaults, submit } from '../page-parts/fields.ts'
import { formField } from '../page-parts/form-field.ts'
import { qrCode } from '../page-parts/qr-code.ts'

/** The form of the page at which a refusal is shown. */
export type AccountForm = 'name' | 'password' | 'two_factor'

interface State {
  readonly visitor: Visitor
  readonly twoFactor: TwoFactorState
  readonly sessions: readonly SessionRow[]
  /** What was just done; null for nothing. */
  readonly done: string | null
  /** The form to which the faults belong. */
  readonly form: AccountForm | null
  readonly faults: Faults
}

const doneWords: Readonly<Record<string, string>> = {
  name: 'Your name is changed.',
  password: 'Your password is changed. You are signed out everywhere else.',
  session: 'Done.',
  'codes-off': 'One-time codes are off.',
}

export function writeAccount(state: State): Html {
  const words = state.done === null ? undefined : doneWords[state.done]
  return html`${words === undefined ? null : html`<p class="done" role="status">${words}</p>`}
${profile(state)}${password(state)}${codes(state)}${sessionList(state)}${accounts(state)}`
}

export function writeRecoveryCodes(recoveryCodes: readonly string[]): Html {
  return html`<section class="gate"><h2>Recovery codes</h2>
<p>One-time codes are on, and you are signed out everywhere else. Keep these for the day your device is lost. Each is good once, and they are <strong>shown only now</strong>.</p>
<ul class="codes">${recoveryCodes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<p><a href="/account">I have kept them</a></p></section>`
}

function faultsFor({ form, faults }: State, wanted: AccountForm): Faults {
  return form === wanted ? faults : noFaults
}

function profile(state: State): Html {
  const { user, formToken } = state.visitor
  const faults = faultsFor(state, 'name')
  return html`<section class="card" aria-labelledby="you"><h3 id="you">Name</h3>
<form method="post" action="/account/name" class="stack">${formField(formToken)}${formFault(faults)}
${field({ name: 'name', label: 'Name', value: user.name, autocomplete: 'name' }, faults)}
<p class="quiet">You sign in as ${user.email}.</p>
${submit('Save', 'small')}</form></section>`
}

function password(state: State): Html {
  const faults = faultsFor(state, 'password')
  return html`<section class="card" aria-labelledby="password-title"><h3 id="password-title">Password</h3>
<form method="post" action="/account/password" class="stack">${formField(state.visitor.formToken)}${formFault(faults)}
${field({ name: 'password', label: 'Current password', type: 'password', autocomplete: 'current-password' }, faults)}
${field({ name: 'new_password', label: 'New password', type: 'password', autocomplete: 'new-password', hint: 'All your other sessions end.' }, faults)}
${submit('Change', 'small')}</form></section>`
}

function codes(state: State): Html {
  const { isOn, pending, recoveryCodesLeft } = state.twoFactor
  const faults = faultsFor(state, 'two_factor')
  const token = formField(state.visitor.formToken)
  const again = (id: string): Html =>
    html`<div class="field"><label for="${id}">Password</label><input id="${id}" name="password" type="password" autocomplete="current-password" required${faults.byField.has('password') ? html` aria-invalid="true" aria-describedby="${id}-fault"` : null}>
${faults.byField.has('password') ? html`<p class="fault" id="${id}-fault">${faults.byField.get('password')}</p>` : null}</div>`
  const setUp =
    pending === null
      ? null
      : html`<p>Scan this with your authenticator app, then write here what it shows.</p>
${qrCode(pending.link, 'QR code for an authenticator app. It holds the secret that stands below.')}
<p>Or <a href="${pending.link}">open it in an app on this device</a>, or type the secret:</p>
<p class="secret"><code>${pending.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code></p>
<form method="post" action="/account/two-factor/confirm" class="stack">${token}${formFault(faults)}
${field({ name: 'code', label: 'Code', autocomplete: 'one-time-code', isNumeric: true }, faults)}
${submit('Switch on', 'small')}</form>`
  const body = isOn
    ? html`<p class="good">On. ${recoveryCodesLeft} recovery codes are left.</p>
<form method="post" action="/account/two-factor/stop" class="stack">${token}${pending === null ? formFault(faults) : null}${again('stop-password')}
${submit('Switch off', 'danger')}</form>`
    : pending === null
      ? html`<p>A second step when you sign in: six digits from an app on your device.</p>
<form method="post" action="/account/two-factor/start" class="stack">${token}${formFault(faults)}${again('start-password')}
${submit('Set up', 'small')}</form>`
      : setUp
  return html`<section class="card" aria-labelledby="codes"><h3 id="codes">One-time codes</h3>${body}</section>`
}

function sessionList({ sessions, visitor }: State): Html {
  const token = formField(visitor.formToken)
  const rows = sessions.map(
    (
      session,
    ) => html`<tr><td>${deviceOf(session.userAgent)}${session.id === visitor.sessionId ? html` <span class="chip">this one</span>` : null}</td>
<td class="code">${session.ip ?? 'unknown'}</td><td>${moment(session.createdAt)}</td><td>${moment(session.lastSeenAt)}</td>
<td><form method="post" action="${session.id === visitor.sessionId ? '/sign-out' : '/account/sessions/end'}" class="inline">${token}<input type="hidden" name="id" value="${session.id}"><button type="submit" class="small" aria-label="End the session of ${deviceOf(session.userAgent)}">End</button></form></td></tr>`,
  )
  return html`<section class="card" aria-labelledby="sessions"><h3 id="sessions">Where you are signed in</h3>
<div class="scroll"><table><thead><tr><th scope="col">Browser</th><th scope="col">Address</th><th scope="col">Since</th><th scope="col">Last seen</th><th scope="col"><span class="unseen">End</span></th></tr></thead>
<tbody>${rows}</tbody></table></div>
${sessions.length < 2 ? null : html`<form method="post" action="/account/sessions/end" class="below">${token}${submit('End all others', 'small')}</form>`}</section>`
}

function accounts({ visitor }: State): Html {
  const rows = visitor.memberships.map(
    ({ account, role }) =>
      html`<li>${account.companyName} <span class="label">${role.replace('_', '-')}${account.isFiction ? ', simulated' : ''}</span></li>`,
  )
  return html`<section class="card" aria-labelledby="accounts"><h3 id="accounts">Your accounts</h3>
${rows.length === 0 ? html`<p class="quiet">You belong to none.</p>` : html`<ul class="plain">${rows}</ul>`}
<p><a href="/sign-up">Add one by its API key</a></p></section>`
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
