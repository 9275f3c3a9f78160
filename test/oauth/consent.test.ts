/**
 * What the person reads before they allow an app, and afterwards: everything that distinguishes one app from another,
 * and what the app may do.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../support/api.ts'
import { agree, authorizeUrl, begin, connectApp, newClient, resources } from '../support/oauth.ts'
import { type Person, signIn, signUpFirst, signUpInvited } from '../support/person.ts'

let api: TestApi
let ada: Person
before(async () => {
  api = await openTestApi({ startAt: new Date().toISOString() })
  ada = await signUpFirst(api)
})
after(() => api.close())

/** The consent page of a new app, as text. */
async function question(
  person: Person,
  of: { readonly metadata?: object; readonly ask?: Readonly<Record<string, string | null>> } = {},
): Promise<{ readonly text: string; readonly raw: string; readonly page: string }> {
  const page = await begin(person, authorizeUrl(await newClient(api, of.metadata ?? {}), of.ask))
  const raw = (await person.open(page)).text
  return { raw, page, text: wordsOf(raw) }
}

const wordsOf = (text: string): string =>
  text
    .replace(/<[^>]+>/g, '')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/\s+/g, ' ')

const sendsTo = (uri: string) => ({ metadata: { redirect_uris: [uri] }, ask: { redirect_uri: uri } })

test('the redirect address is shown with scheme, host and path; an app that is not a web site gets a warning', async () => {
  for (const [uri, shown, warning] of [
    ['https://claude.ai/cb', 'https://<strong>claude.ai</strong>/cb', null],
    ['https://app.example.com:8443/a/b?x=1', 'https://<strong>app.example.com:8443</strong>/a/b<', null],
    [
      'evilapp://claude.ai/cb',
      '<strong>evilapp://</strong>claude.ai/cb',
      /claimed evilapp: for itself; the name claude\.ai in it proves nothing/,
    ],
    [
      'com.example.agent:/cb',
      '<strong>com.example.agent:</strong>/cb',
      /claimed com\.example\.agent: for itself\. Go on/,
    ],
    ['https.evil://claude.ai/', '<strong>https.evil://</strong>claude.ai/', /claimed https\.evil: for itself/],
    ['http://127.0.0.1:4000/cb', 'http://<strong>127.0.0.1:4000</strong>/cb', /a program on this computer/],
  ] as const) {
    const { raw, text } = await question(ada, sendsTo(uri))
    assert.ok(raw.includes(shown), `${uri}: ${raw}`)
    if (warning === null) assert.match(text, /The address is what counts/)
    else assert.match(text, warning)
    assert.equal(/no web address/.test(text), uri.startsWith('http') === false || uri.startsWith('https.'))
  }
  const long = `https://app.example.com/${'a'.repeat(400)}`
  assert.match((await question(ada, sendsTo(long))).text, /\/a{119}…/)
})

test('the consent page lists, as sentences, the requested rights that the person can give', async () => {
  const items = (raw: string) => [...raw.matchAll(/<li>([A-Z][^<]+\.)<\/li>/g)].map(([, each = '']) => each)
  const all = items((await question(ada)).raw)
  for (const sentence of [
    'See your shipments, containers and tracking requests, and everything that was ever stated about them.',
    'Track new numbers, and stop and resume tracking.',
    'Make, change and delete webhooks, and see their secrets.',
    'See or make API keys, invite people, or change roles.',
  ])
    assert.ok(all.includes(sentence), `${sentence}: ${all}`)
  const agent = items((await question(ada, { ask: { resource: resources.mcp } })).raw)
  assert.ok(!agent.some((each) => /delete webhooks/.test(each)) && agent.some((each) => each.startsWith('Track')))
  const look = items((await question(ada, { ask: { scope: 'tracking:read' } })).raw)
  assert.ok(!look.some((each) => each.startsWith('Track')) && look.includes('Change anything.'))
  const mia = await signUpInvited(api, ada, { email: 'mia@example.com', role: 'member' })
  assert.ok(!items((await question(mia)).raw).some((each) => /their secrets/.test(each)))
  const rita = await signUpInvited(api, ada, { email: 'rita@example.com', role: 'read_only' })
  const hers = await question(rita)
  assert.ok(items(hers.raw).includes('Change anything.'))
  assert.doesNotMatch(hers.raw, /name="access"/, 'nothing to choose from')
  assert.match((await question(ada)).text, /it is not used for 30 days, or 180 days have gone by/)
})

test('only accounts in which the person can give a requested right are offered', async () => {
  const [second, third] = [await api.newAccount(), await api.newAccount()]
  const joiner = await signUpInvited(api, ada, { email: 'joi@example.com', role: 'read_only' })
  const only = await question(joiner)
  assert.match(only.raw, /<input type="hidden" name="account"/)
  assert.doesNotMatch(only.raw, /<select|all_accounts/)
  for (const each of [second, third]) {
    const key = await api.newKey(each, ['read', 'write'])
    assert.equal((await joiner.send('/sign-up', { key })).status, 303)
  }
  const offered = (raw: string) => [...raw.matchAll(/<option value="([0-9a-f-]{36})"/g)].map(([, id]) => id).toSorted()
  const [mine, ...others] = [api.context.account.id, second.account.id, third.account.id]
  assert.deepEqual(offered((await question(joiner)).raw), [mine, ...others].toSorted())
  const writing = await question(joiner, { ask: { scope: 'tracking:write' } })
  assert.deepEqual(offered(writing.raw), others.toSorted())
  const forced = await joiner.send(writing.page, { decision: 'allow', account: mine })
  assert.equal(forced.status, 403, 'nor by hand')
  const rita = (await signIn(api, { email: 'rita@example.com' })).person
  const none = await question(rita, { ask: { scope: 'tracking:write' } })
  assert.match(none.text, /in your accounts you have only read access/)
  assert.doesNotMatch(none.raw, /value="allow"/)
})

test('connected apps are grouped by app, and can be disconnected together or one by one', async () => {
  const person = (await signIn(api, { email: 'mia@example.com' })).person
  const at = (port: number) => `http://127.0.0.1:${port}/callback`
  const letIn = async (name: string, uri: string): Promise<void> => {
    const clientId = await newClient(api, { client_name: name, redirect_uris: [uri] })
    const back = await agree(person, await begin(person, authorizeUrl(clientId, { redirect_uri: uri })))
    assert.notEqual(back.get('code'), null)
  }
  for (const port of [4001, 4002, 4003]) await letIn('Desk Agent', at(port))
  await letIn('Desk Agent', 'evilapp://127.0.0.1/callback')
  await connectApp(api, person)
  const shown = async () => (await person.open('/account/apps')).text
  const headings = (raw: string) =>
    [...raw.matchAll(/<h3 id="app-\d+">([^<]+)<\/h3>/g)].map(([, each]) => each).toSorted()
  const before = await shown()
  assert.deepEqual(headings(before), ['Desk Agent', 'Desk Agent', 'Quay Agent'], 'another place, another app')
  for (const port of [4001, 4002, 4003]) assert.ok(before.includes(at(port)), before)
  assert.match(before, /evilapp:\/\/127\.0\.0\.1\/callback/)
  const ids = /name="id" value="([0-9a-f-]{36}(?: [0-9a-f-]{36}){2})"/.exec(before)?.[1]
  assert.ok(ids, before)
  const away = async (id: string, by = person) =>
    (await by.send('/account/apps/disconnect', { id }, { page: '/account/apps' })).status
  assert.equal(await away(ids, ada), 404, 'what is another person’s stays')
  assert.equal(headings(await shown()).length, 3)
  assert.equal(await away(`${ids} nonsense '`), 303)
  assert.equal(await away(ids), 404, 'they are out already')
  assert.deepEqual(headings(await shown()), ['Desk Agent', 'Quay Agent'])
})
