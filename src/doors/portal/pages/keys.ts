/** /account/keys: creates keys, shows each once, and deletes one after a confirmation. */

import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Scope } from '../../../service/context.ts'
import { notFound } from '../../../service/errors.ts'
import { deleteApiKey, listApiKeys } from '../../../service/people/access/api-keys.ts'
import { issueApiKey } from '../../../service/people/access/create-api-key.ts'
import type { Visitor } from '../../../service/people/sessions/find-session.ts'
import type { Service } from '../../../service/service.ts'
import type { ApiKey } from '../../../store/people/api-keys.ts'
import type { Exchange } from '../../http/exchange.ts'
import { type Html, html } from '../../http/html.ts'
import { isUuid } from '../../http/path-id.ts'
import {
  type Faults,
  faultsOf,
  field,
  formFault,
  moment,
  noFaults,
  select,
  submit,
} from '../page-parts/fields.ts'
import { checkForm, type Form, page, readForm, readParameter } from '../page-parts/form.ts'
import { formField, onceField, onceName } from '../page-parts/form-field.ts'
import { sendPage, writePage } from '../page-parts/page.ts'
import { accountContextOf, requireVisitor } from '../visitor.ts'

const path = '/account/keys'
const kindChoices = [
  { value: 'read_write', label: 'Read and write', about: 'for your own programs' },
  {
    value: 'admin',
    label: 'Administration',
    about: 'also manages keys and members, and reads the record of changes',
  },
  { value: 'read', label: 'Read only', about: 'sees everything, changes nothing' },
  { value: 'publishable', label: 'Publishable', about: 'for journeys embedded in a web page' },
] as const

const scopesOf: Readonly<Record<string, readonly Scope[]>> = {
  read_write: ['read', 'write'],
  admin: ['read', 'write', 'admin'],
}

export function keysPage(pages: FastifyInstance, service: Service): void {
  pages.get(path, page, async (request, reply) => {
    const visitor = await requireVisitor(service, request, reply)
    return visitor === null ? reply : show({ request, reply }, visitor, {})
  })

  pages.post(path, page, async (request, reply) => {
    const visitor = await requireVisitor(service, request, reply)
    if (visitor === null) return reply
    checkForm(service, request, visitor.formToken)
    const form = readForm(request)
    try {
      // When the page that shows a key is loaded again, the browser sends the same form. Its `once` value prevents a
      // second key.
      const { key } = await issueApiKey(service, accountContextOf(visitor, request), readNewKey(form))
      return await show({ request, reply }, visitor, { made: { key, name: form.get('name') } })
    } catch (error) {
      const faults = faultsOf(error, ['name', 'expires', 'origins'])
      // After a conflict (409) the form is empty, because that key exists already.
      return show({ request, reply }, visitor, faults.status === 409 ? { faults } : { form, faults })
    }
  })

  pages.get(`${path}/delete`, page, async (request, reply) => {
    const visitor = await requireVisitor(service, request, reply)
    if (visitor === null) return reply
    const keys = await listApiKeys(service, accountContextOf(visitor, request))
    const key = keys.find(({ id }) => id === readParameter(request, 'id'))
    if (key === undefined) throw notFound('API key')
    const body = question(key, visitor)
    return sendPage(reply, { page: writePage({ title: 'Delete a key', visitor, body, current: path }) })
  })

  pages.post(`${path}/delete`, page, async (request, reply) => {
    const visitor = await requireVisitor(service, request, reply)
    if (visitor === null) return reply
    checkForm(service, request, visitor.formToken)
    const form = readForm(request)
    const id = isUuid(form.get('id')) ? form.get('id') : nobody
    if (form.get('sure') !== 'yes') return reply.redirect(`${path}/delete?id=${id}`, 303)
    try {
      await deleteApiKey(service, accountContextOf(visitor, request), { id })
    } catch (error) {
      return show({ request, reply }, visitor, { faults: faultsOf(error, []) })
    }
    return reply.redirect(`${path}?done=deleted`, 303)
  })

  async function show(exchange: Exchange, visitor: Visitor, state: State): Promise<FastifyReply> {
    const { request, reply } = exchange
    const keys = await listApiKeys(service, accountContextOf(visitor, request))
    const isDeleted = readParameter(request, 'done') === 'deleted' && request.method === 'GET'
    const body = html`<h2>API keys</h2>
<p class="quiet">Your programs send one with every request: <code>Authorization: Token &lt;key&gt;</code>. A lost key is replaced: make a new one, then delete the old one.</p>
${isDeleted ? html`<p class="done" role="status">The key is deleted. It opens nothing any more.</p>` : null}
${state.made === undefined ? null : shownOnce(state.made)}
${listed(keys)}
${newKey(visitor, state)}`
    const { faults = noFaults } = state
    return sendPage(reply, {
      faults,
      ...(state.made !== undefined && { status: 201 }),
      page: writePage({ title: 'API keys', visitor, body, current: path }),
    })
  }
}

/** An id that no key has. */
const nobody = '00000000-0000-0000-0000-000000000000'

interface State {
  readonly made?: { readonly key: string; readonly name: string }
  readonly form?: Form
  readonly faults?: Faults
}

function readNewKey(form: Form): Parameters<typeof issueApiKey>[2] {
  const choice = form.get('may')
  const scopes = scopesOf[choice] ?? ['read']
  const expires = form.get('expires').trim()
  return {
    once: form.get(onceName) || null,
    name: form.get('name'),
    kind: choice === 'publishable' ? 'publishable' : 'secret',
    scopes,
    allowedOrigins: form
      .get('origins')
      .split(/[\s,]+/)
      .filter((each) => each !== ''),
    // Until the end of that day in UTC. A text that is no date is refused in the same way as a past date.
    expiresAt:
      expires === '' ? null : /^\d{4}-\d{2}-\d{2}$/.test(expires) ? `${expires}T23:59:59Z` : 'no day',
  }
}

function shownOnce({ key, name }: { readonly key: string; readonly name: string }): Html {
  return html`<section class="card once" role="status" aria-labelledby="made"><h3 id="made">${name.trim()}</h3>
<p>This is your new key. It is <strong>shown only now</strong>: copy it to where it is used.</p>
<p class="secret"><code id="new-key">${key}</code></p></section>`
}

function listed(keys: readonly ApiKey[]): Html {
  if (keys.length === 0) return html`<p class="card quiet">There is no key yet.</p>`
  const rows = keys.map(
    (key) => html`<tr><th scope="row">${key.name}<br><code>${key.prefix}…${key.lastFour}</code></th>
<td>${may(key)}</td><td>${moment(key.createdAt)}<br><span class="quiet">${key.createdByName ?? 'operator'}</span></td>
<td>${moment(key.lastUsedAt)}</td><td>${key.expiresAt === null ? html`<span class="quiet">no end</span>` : moment(key.expiresAt)}</td>
<td><form method="get" action="${path}/delete" class="inline"><input type="hidden" name="id" value="${key.id}"><button type="submit" class="small danger" aria-label="Delete ${key.name} …">Delete …</button></form></td></tr>`,
  )
  return html`<section class="card"><div class="scroll"><table><thead><tr><th scope="col">Key</th><th scope="col">May</th><th scope="col">Made</th><th scope="col">Last used</th><th scope="col">Runs out</th><th scope="col"><span class="unseen">Delete</span></th></tr></thead>
<tbody>${rows}</tbody></table></div></section>`
}

function question(key: ApiKey, { formToken }: Visitor): Html {
  return html`<h2>Delete ${key.name}?</h2>
<section class="card"><p><code>${key.prefix}…${key.lastFour}</code>, ${may(key)}. Last used: ${moment(key.lastUsedAt)}.</p>
<p>Whatever uses it gets 401 from now on. A deleted key cannot be had again.</p>
<form method="post" action="${path}/delete" class="below">${formField(formToken)}<input type="hidden" name="id" value="${key.id}"><input type="hidden" name="sure" value="yes">${submit('Delete it', 'danger')} <a href="${path}">Keep it</a></form></section>`
}

function may({ kind, scopes, allowedOrigins }: ApiKey): Html {
  if (scopes.includes('admin')) return html`administration`
  if (kind === 'secret') return html`${scopes.includes('write') ? 'read and write' : 'read'}`
  return html`publishable<br><span class="quiet">${allowedOrigins.join(', ')}</span>`
}

function newKey({ formToken }: Visitor, { form, faults = noFaults }: State): Html {
  const value = (name: string): string => form?.get(name) ?? ''
  return html`<section class="card" aria-labelledby="new"><h3 id="new">New key</h3>
<form method="post" action="${path}" class="stack">${formField(formToken)}${onceField()}${formFault(faults)}
${field({ name: 'name', label: 'Name', value: value('name'), hint: 'What it is for: you will know it by that.' }, faults)}
${select({ name: 'may', label: 'May', value: value('may') || 'read_write', choices: kindChoices }, faults)}
${field({ name: 'origins', label: 'Origins', value: value('origins'), isOptional: true, placeholder: 'https://www.example.com', hint: 'Of a publishable key: the sites that may show it, with spaces between them.' }, faults)}
${field({ name: 'expires', label: 'Runs out after', type: 'date', value: value('expires'), isOptional: true }, faults)}
${submit('Make the key')}</form></section>`
}
