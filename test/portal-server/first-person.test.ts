/** The link that the first start prints: it works once, for ten minutes, only for the first person. */

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ensureFirstAccount } from '../../src/modules/accounts/first-account.ts'
import { makeSignInLink, offerSignInLink } from '../../src/modules/sessions/sign-in-link.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { openCommandLine } from '../support/command-line.ts'
import { openMailServer } from '../support/mail-server.ts'
import { openPerson, type Person, password, signIn, signUpFirst, tokenIn, tokenOf } from '../support/person.ts'

let api: TestApi
const { landfall } = openCommandLine(() => ({ DATABASE_URL: api.databaseUrl, LANDFALL_SANDBOX: 'on' }))
const ada = { name: 'Ada Harbour', email: 'ada@example.com', password }

/** A path of the installation, as the terminal shows it after the address. */
async function open(t: TestContext, env: Readonly<Record<string, string>> = {}): Promise<() => Promise<string>> {
  api = await openTestApi({ startAt: new Date().toISOString(), env })
  t.after(() => api.close())
  const dataFolder = mkdtempSync(join(tmpdir(), 'landfall-first-'))
  t.after(() => rmSync(dataFolder, { recursive: true }))
  await ensureFirstAccount(api.service, { isSandbox: true, dataFolder })
  return async () => pathOf(await makeSignInLink(api.service))
}

function pathOf(link: string): string {
  const { origin, pathname, search } = new URL(link)
  assert.equal(origin, 'http://127.0.0.1:3000')
  return `${pathname}${search}`
}

function follow(person: Person, path: string, fields: Readonly<Record<string, string>> = ada) {
  return person.send('/first-sign-in', { ...fields, token: tokenOf(path) }, { page: path })
}

test('the link lets the first person sign up as owner of the first account and sign in again', async (t) => {
  const path = await (await open(t))()
  const person = openPerson(api)
  const shown = await person.open(path)
  assert.equal(shown.status, 200)
  assert.match(shown.text, /first person here/)
  assert.equal(shown.headers['referrer-policy'], 'same-origin')
  const refused = await follow(person, path, { ...ada, password: 'short' })
  assert.equal(refused.status, 422, refused.text)
  assert.match(refused.text, /value="Ada Harbour"/)
  const answer = await follow(person, path)
  assert.deepEqual([answer.status, answer.location], [303, '/'], answer.text)
  assert.match((await person.open('/')).text, /<meta name="landfall-company" content="Sandbox">/)
  assert.match((await person.open('/account')).text, /class="label">owner/)
  assert.equal((await signIn(api, { email: ada.email })).answer.status, 303)

  const token = tokenOf(path)
  assert.ok(!JSON.stringify(api.logged()).includes(token), 'it is in no log')
  await assert.rejects(makeSignInLink(api.service), /There is already a user/)
})

test('a sign-in link works once, also for two people at the same moment; opening its page does not use it', async (t) => {
  const path = await (await open(t))()
  const [one, other] = [openPerson(api), openPerson(api)]
  for (const person of [one, other, one]) assert.equal((await person.open(path)).status, 200)
  // Both have the form before one of them sends it.
  const tokens = await Promise.all([one, other].map(async (person) => tokenIn((await person.open(path)).text)))
  const send = (person: Person, email: string, token: string | undefined) =>
    person.send('/first-sign-in', { ...ada, email, token: tokenOf(path) }, { token: token ?? null })
  const answers = await Promise.all([send(one, ada.email, tokens[0]), send(other, 'ben@example.com', tokens[1])])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 404])
  assert.equal((await openPerson(api).open(path)).status, 404)
  const { rows } = await api.service.pool.query('select email from users')
  assert.equal(rows.length, 1)
})

test('the link expires after ten minutes, and a newer link replaces it', async (t) => {
  const make = await open(t)
  const first = await make()
  const second = await make()
  const person = openPerson(api)
  assert.equal((await person.open(first)).status, 404)
  assert.equal((await person.open(second)).status, 200)
  api.clock.advance(600_000)
  const late = await person.open(second)
  assert.equal(late.status, 404)
  assert.match(late.text, /landfall -- sign-in-link/)
  for (const path of ['/first-sign-in', '/first-sign-in?token=', '/first-sign-in?token=wrong'])
    assert.equal((await person.open(path)).status, 404, path)
})

test('a form of another site, or without its token, signs nobody in', async (t) => {
  const path = await (await open(t))()
  const fields = { ...ada, token: tokenOf(path) }
  const person = openPerson(api)
  assert.equal((await person.send('/first-sign-in', fields, { page: path, token: null })).status, 403)
  const headers = { origin: 'http://evil.example' }
  assert.equal((await person.send('/first-sign-in', fields, { page: path, headers })).status, 403)
  assert.equal((await follow(person, path)).status, 303)
})

test('the sign-in link is offered only on a terminal of a server that only this machine can reach', async (t) => {
  await open(t)
  const offered = async (isTerminal: boolean) => (await offerSignInLink(api.service, { isTerminal })).link
  assert.equal(await offered(false), null)
  const link = await offered(true)
  assert.ok(link)
  for (const server of [{ host: '0.0.0.0' }, { publicUrl: 'https://landfall.example.com' }]) {
    const config = { ...api.service.config, server: { ...api.service.config.server, ...server } }
    const elsewhere = { ...api.service, config }
    assert.equal((await offerSignInLink(elsewhere, { isTerminal: true })).link, null)
    await assert.rejects(makeSignInLink(elsewhere), /a server that only this machine can reach/)
  }
  await signUpFirst(api)
  assert.deepEqual(await offerSignInLink(api.service, { isTerminal: true }), { hasPeople: true, link: null })
  assert.equal((await openPerson(api).open(pathOf(link))).status, 404)
})

test('a sign-in link cannot be made for a server behind a proxy', async (t) => {
  const make = await open(t, { LANDFALL_TRUSTED_PROXIES: '10.0.0.0/8' })
  await assert.rejects(make(), /a server that only this machine/)
})

test('`landfall sign-in-link` makes a new link, and the database stores only its hash', async (t) => {
  await open(t)
  const made = await landfall('sign-in-link')
  assert.equal(made.code, 0, made.err)
  const path = pathOf(made.out.trim())
  const { rows } = await api.service.pool.query(`select * from settings`)
  assert.ok(!JSON.stringify(rows).includes(tokenOf(path)))
  assert.equal((await follow(openPerson(api), path)).status, 303)
  const again = await landfall('sign-in-link')
  assert.equal(again.code, 1)
  assert.match(again.err, /There is already a user/)
})

test('where no mail is sent, the first person confirms the address by a link of `landfall users confirm-link`', async (t) => {
  const path = await (await open(t))()
  const person = openPerson(api)
  assert.equal((await follow(person, path)).status, 303)
  const page = await person.open('/account')
  assert.match(page.text, /Not confirmed. Alert rules send only to addresses that were confirmed/)
  assert.match(page.text, /landfall -- users confirm-link ada@example.com/)
  assert.doesNotMatch(page.text, /Send me the link/)
  const refused = await person.send('/account/email', {}, { page: '/account' })
  assert.deepEqual([refused.status, /This installation sends no e-mail\./.test(refused.text)], [422, true])

  const made = await landfall('users', 'confirm-link', 'Ada@example.com')
  assert.equal(made.code, 0, made.err)
  const [, company, link = ''] = /^(\S+) {2}(\S+)$/.exec(made.out.trim()) ?? []
  assert.equal(company, 'Sandbox')
  const confirm = pathOf(link)
  assert.equal((await api.app.inject({ url: confirm })).statusCode, 200)
  assert.match((await person.open('/account')).text, /Not confirmed/, 'to look is not to agree')
  assert.equal((await api.app.inject({ method: 'POST', url: confirm })).statusCode, 200)
  assert.match((await person.open('/account')).text, /Confirmed: alert rules can send to it/)
  assert.equal((await landfall('users', 'confirm-link', ada.email)).out.trim(), 'Sandbox  is confirmed')
  const stranger = await landfall('users', 'confirm-link', 'bob@example.com')
  assert.deepEqual([stranger.code, /No person has the address bob@example.com/.test(stranger.err)], [2, true])
})

test('where mail is sent, the first person asks for the link that confirms the address', async (t) => {
  const server = await openMailServer()
  t.after(() => server.close())
  const path = await (await open(t, { LANDFALL_SMTP_URL: server.url }))()
  const person = openPerson(api)
  await follow(person, path)
  assert.match((await person.open('/account')).text, /Send me the link/)
  for (const _ of ['first', 'again within the hour'])
    assert.equal((await person.send('/account/email', {}, { page: '/account' })).location, '/account?done=email')
  await api.drain()
  assert.deepEqual(
    server.mails.map(({ to }) => to),
    [ada.email],
  )
  const link = /\/alerts\/confirm\?token=[\w-]+/.exec(server.mails[0]?.text.replace(/=\r?\n/g, '') ?? '')?.[0] ?? ''
  assert.equal((await api.app.inject({ method: 'POST', url: link })).statusCode, 200)
  assert.match((await person.open('/account')).text, /Confirmed: alert rules can send to it/)
  await api.app.inject({ method: 'POST', url: link.replace('confirm', 'stop') })
  assert.match((await person.open('/account')).text, /You have stopped the alerts to it/)
})
