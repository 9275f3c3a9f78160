import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { drainJobs } from '../../src/pipeline/jobs/after-answer.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { openMailServer } from '../support/mail-server.ts'
import {
  inviteAs,
  invitePath,
  openPerson,
  type PageAnswer,
  type Person,
  password,
  signIn,
  signUpFirst,
  signUpInvited,
  tokenIn,
  tokenOf,
} from '../support/person.ts'

let api: TestApi
let owner: Person
before(async () => {
  api = await openTestApi()
  owner = await signUpFirst(api)
})
after(() => api.close())

const putRole = (person: Person, id: string, role: string): Promise<PageAnswer> =>
  person.ask('PATCH', `/v2/members/${id}`, { data: { type: 'member', id, attributes: { role } } })
const remove = (person: Person, id: string): Promise<PageAnswer> => person.ask('DELETE', `/v2/members/${id}`)

/** By e-mail address. */
async function idOf(email: string): Promise<string> {
  const { rows } = await api.service.pool.query('select id from users where email_key = $1', [email])
  return rows[0]?.id
}
async function roleOf(email: string): Promise<string | undefined> {
  const { rows } = await api.service.pool.query(
    'select role from memberships m join users u on u.id = m.user_id where email_key = $1 and account_id = $2',
    [email, api.context.account.id],
  )
  return rows[0]?.role
}

describe('the first person', () => {
  test('needs a valid key with the write scope', async () => {
    const other = await api.newAccount()
    const readOnly = await api.newKey(other, ['read'])
    for (const key of ['', 'lf_live_x', `${api.key}x`, readOnly]) {
      const form = { name: 'Eve', email: 'eve@example.com', password, key }
      const answer = await openPerson(api).send('/sign-up', form)
      assert.equal(answer.status, 422, key)
      assert.match(answer.text, /id="key-fault"/)
    }
    assert.equal(await idOf('eve@example.com'), undefined)
  })

  test('is the only one who can join with a key; the next needs an invitation', async () => {
    const form = { name: 'Eve', email: 'eve@example.com', password, key: api.key }
    const answer = await openPerson(api).send('/sign-up', form)
    assert.equal(answer.status, 409)
    assert.match(answer.text, /has an owner already/)
    assert.equal(await idOf('eve@example.com'), undefined)
  })

  test('is only one of two people who use the same key at the same moment', async () => {
    const account = await api.newAccount()
    const key = await api.newKey(account, ['read', 'write'])
    const people = ['one@example.com', 'two@example.com'].map((email) => ({ email, person: openPerson(api) }))
    const answers = await Promise.all(
      people.map(({ email, person }) => person.send('/sign-up', { name: 'One', email, password, key })),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 409])
    const { rows } = await api.service.pool.query('select role from memberships where account_id = $1', [
      account.account.id,
    ])
    assert.deepEqual(rows, [{ role: 'owner' }])
    const { rows: users } = await api.service.pool.query(
      `select 1 from users where email_key in ('one@example.com', 'two@example.com')`,
    )
    assert.equal(users.length, 1)
  })

  test('can add a second account with its key, and then switch between them', async () => {
    const second = await api.newAccount()
    const key = await api.newKey(second, ['read', 'write'])
    const before = owner.cookies.get('landfall_session')
    assert.equal((await owner.send('/sign-up', { key })).status, 303)
    assert.notEqual(owner.cookies.get('landfall_session'), before, 'under a new token')
    assert.match((await owner.open('/account')).text, new RegExp(`value="${second.account.id}" selected`))
    const choose = { account: api.context.account.id, next: '/account/apps' }
    const chosen = await owner.send('/account/choose', choose, { page: '/account' })
    assert.equal(chosen.location, '/account/apps')
    assert.match((await owner.open('/account')).text, new RegExp(`value="${api.context.account.id}" selected`))
    const foreign = await api.newAccount()
    await owner.send('/account/choose', { account: foreign.account.id }, { page: '/account' })
    assert.ok(!(await owner.open('/account')).text.includes(foreign.account.id))
  })
})

describe('an invitation', () => {
  test('is valid only for its own e-mail address', async () => {
    const path = await invitePath(owner, { email: 'ben@example.com', role: 'member' })
    const form = { name: 'Eve', email: 'eve@example.com', password, token: tokenOf(path) }
    const answer = await openPerson(api).send('/invitation', form, { page: path })
    assert.equal(answer.status, 403)
    assert.equal(await idOf('eve@example.com'), undefined)
    const second = await api.newAccount()
    const stranger = await signUpFirst(api, {
      email: 'mallory@example.com',
      key: await api.newKey(second, ['read', 'write']),
    })
    const taken = await stranger.send('/invitation', { token: tokenOf(path) }, { page: path })
    assert.equal(taken.status, 403)
    assert.equal(await roleOf('mallory@example.com'), undefined)
  })

  test('can be used once, and not after a newer invitation to the same address', async () => {
    const first = await invitePath(owner, { email: 'ben@example.com', role: 'member' })
    const path = await invitePath(owner, { email: 'Ben@Example.com', role: 'member' })
    assert.equal((await openPerson(api).open(first)).status, 404)
    const form = { name: 'Ben Quay', email: 'ben@example.com', password, token: tokenOf(path) }
    const [one, other] = [openPerson(api), openPerson(api)]
    const answers = await Promise.all([
      one.send('/invitation', form, { page: path }),
      other.send('/invitation', { ...form, name: 'Again' }, { page: path }),
    ])
    assert.equal(answers.filter(({ status }) => status === 303).length, 1)
    assert.equal(await roleOf('ben@example.com'), 'member')
    assert.equal((await openPerson(api).open(path)).status, 404)
  })

  test('expires after a week, and can be withdrawn before', async () => {
    const [late, revoked] = [
      await invitePath(owner, { email: 'late@example.com', role: 'member' }),
      await invitePath(owner, { email: 'revoked@example.com', role: 'member' }),
    ]
    const { text } = await owner.ask('GET', '/v2/invitations')
    const open = (JSON.parse(text) as { data: readonly { id: string; attributes: { email: string } }[] }).data
    const id = open.find(({ attributes }) => attributes.email === 'revoked@example.com')?.id
    assert.equal((await owner.ask('DELETE', `/v2/invitations/${id}`)).status, 204)
    assert.equal((await openPerson(api).open(revoked)).status, 404)
    assert.equal((await openPerson(api).open(late)).status, 200)
    api.clock.advance(7 * 86_400_000 + 1)
    assert.equal((await openPerson(api).open(late)).status, 404)
    owner = (await signIn(api, { email: 'ada@example.com' })).person
    await owner.send('/account/choose', { account: api.context.account.id }, { page: '/account' })
  })

  test('can be accepted by a person who has a password already', async () => {
    const elsewhere = await api.newAccount()
    const key = await api.newKey(elsewhere, ['read', 'write'])
    const carla = await signUpFirst(api, { email: 'carla@example.com', key })
    const path = await invitePath(owner, { email: 'carla@example.com', role: 'read_only' })
    assert.equal((await carla.send('/invitation', { token: tokenOf(path) }, { page: path })).status, 303)
    assert.equal(await roleOf('carla@example.com'), 'read_only')
  })

  test('is sent by mail if a mail server is configured, and is then not displayed', async () => {
    const server = await openMailServer()
    const mails = server.mails
    const mailing = await openTestApi({ env: { LANDFALL_SMTP_URL: server.url } })
    try {
      const boss = await signUpFirst(mailing)
      const invited = await inviteAs(boss, { email: 'dan@example.com', role: 'member' })
      assert.equal(invited.status, 201)
      assert.ok(!invited.text.includes('/invitation?token='))
      await mailing.drain()
      assert.equal(mails[0]?.to, 'dan@example.com')
      const path = /(\/invitation\?token=[\w-]+)/.exec(mails[0]?.text ?? '')?.[1] ?? ''
      assert.equal((await openPerson(mailing).open(path)).status, 200)

      const forgotten = async (email: string) => (await openPerson(mailing).send('/forgotten-password', { email })).text
      assert.equal(await forgotten('ada@example.com'), await forgotten('nobody@example.com'))
      await mailing.drain()
      assert.equal(mails.length, 2)
      assert.match(mails[1]?.text ?? '', /\/reset-password\?token=[\w-]{43}/)
      for (let more = 0; more < 4; more += 1) await forgotten('ada@example.com')
      await mailing.drain()
      assert.equal(mails.length, 4, 'at most three in a quarter of an hour')
      const poisoned = openPerson(mailing)
      const token = tokenIn((await poisoned.open('/forgotten-password')).text)
      mailing.clock.advance(900_000)
      await poisoned.send(
        '/forgotten-password',
        { email: 'ada@example.com' },
        { token, headers: { host: 'evil.example', origin: 'http://evil.example' } },
      )
      await mailing.drain()
      assert.ok(!(mails.at(-1)?.text ?? '').includes('evil.example'), 'a link of ours, whatever the request said')
      const failures = mailing.logged().filter(({ event }) => event === 'job.failed')
      assert.deepEqual(failures, [])
    } finally {
      await mailing.close()
      await server.close()
    }
  })

  test('a mail that cannot be sent is logged without its link, if no mail server is configured', async () => {
    await openPerson(api).send('/forgotten-password', { email: 'ada@example.com' })
    await drainJobs(api.service)
    assert.ok(api.logged().some(({ event }) => event === 'mail.not_sent'))
    assert.ok(!JSON.stringify(api.logged()).includes('token='))
  })
})

describe('roles', () => {
  let admin: Person
  let member: Person
  let reader: Person
  before(async () => {
    admin = await signUpInvited(api, owner, { email: 'admin@example.com', role: 'admin' })
    member = await signUpInvited(api, owner, { email: 'member@example.com', role: 'member' })
    reader = await signUpInvited(api, owner, { email: 'reader@example.com', role: 'read_only' })
  })

  test('members and readers see the other members but cannot change them', async () => {
    await invitePath(owner, { email: 'guest@example.com', role: 'member' })
    const { rows } = await api.service.pool.query(`select id from invitations where email = 'guest@example.com'`)
    const key = { data: { type: 'api_key', attributes: { name: 'Mine', scopes: ['read'] } } }
    for (const person of [member, reader]) {
      assert.match((await person.ask('GET', '/v2/members')).text, /ada@example\.com/)
      const refused = [
        putRole(person, await idOf('reader@example.com'), 'owner'),
        remove(person, await idOf('ada@example.com')),
        inviteAs(person, { email: 'x@example.com', role: 'read_only' }),
        person.ask('DELETE', `/v2/invitations/${rows[0]?.id}`),
        person.send('/account/company', { company: 'Mine' }, { page: '/account' }),
        person.ask('POST', '/v2/api_keys', key),
        ...['/v2/api_keys', '/v2/invitations', '/v2/audit_events'].map((url) => person.ask('GET', url)),
      ]
      for (const { status, text } of await Promise.all(refused)) assert.equal(status, 403, text)
    }
    await owner.ask('DELETE', `/v2/invitations/${rows[0]?.id}`)
    assert.equal(await roleOf('reader@example.com'), 'read_only')
  })

  test('nobody raises their own role, and an admin cannot appoint another admin or owner', async () => {
    for (const email of ['admin@example.com', 'member@example.com']) {
      for (const role of ['owner', 'admin']) {
        assert.equal((await putRole(admin, await idOf(email), role)).status, 403)
        assert.equal((await inviteAs(admin, { email: 'friend@example.com', role })).status, 403)
      }
    }
    const ada = await idOf('ada@example.com')
    assert.equal((await putRole(admin, ada, 'read_only')).status, 403)
    assert.equal((await remove(admin, ada)).status, 403)
    const renamed = await admin.send('/account/company', { company: 'Mine' }, { page: '/account' })
    assert.equal(renamed.status, 403, 'only an owner names the account')
    assert.equal(await roleOf('ada@example.com'), 'owner')
    const lower = await idOf('member@example.com')
    assert.equal((await putRole(admin, lower, 'read_only')).status, 200)
    assert.equal(await roleOf('member@example.com'), 'read_only')
    await putRole(owner, lower, 'member')
  })

  test('API requests of a person have the rights of their role, and a change takes effect at once', async () => {
    const ask = async (person: Person, ...request: Parameters<Person['ask']>) => (await person.ask(...request)).status
    const party = { data: { type: 'party', attributes: { company_name: 'Example' } } }
    const webhook = {
      data: { type: 'webhook', attributes: { url: 'https://example.com/', events: ['container.created'] } },
    }
    assert.equal(await ask(reader, 'GET', '/v2/shipments'), 200)
    assert.equal(await ask(reader, 'POST', '/v2/parties', party), 403)
    assert.equal(await ask(member, 'POST', '/v2/parties', party), 201)
    assert.equal(await ask(member, 'POST', '/v2/webhooks', webhook), 403)
    assert.equal(await ask(admin, 'POST', '/v2/webhooks', webhook), 201)
    const id = await idOf('reader@example.com')
    await putRole(owner, id, 'member')
    assert.equal(await ask(reader, 'POST', '/v2/parties', party), 201)
    await remove(owner, id)
    assert.equal(await ask(reader, 'GET', '/v2/shipments'), 401)
  })

  test('everybody may leave, including a reader', async () => {
    const guest = await signUpInvited(api, owner, { email: 'guest@example.com', role: 'read_only' })
    assert.equal((await remove(guest, await idOf('guest@example.com'))).status, 204)
    assert.equal(await roleOf('guest@example.com'), undefined)
    assert.equal((await guest.ask('GET', '/v2/shipments')).status, 401)
    assert.match((await guest.open('/account')).text, /You belong to none/)
  })

  test('the session of a person opens the API only to our own page', async () => {
    const token = tokenIn((await owner.open('/account')).text)
    const cookie = `landfall_session=${owner.cookies.get('landfall_session')}`
    const own = { host: 'localhost', cookie, 'x-landfall-session': token }
    const ask = async (headers: Record<string, string>) =>
      (await api.app.inject({ url: '/v2/shipments', headers })).statusCode
    assert.equal(await ask(own), 200)
    assert.equal(await ask({ host: 'localhost', cookie }), 401, 'the cookie alone')
    assert.equal(await ask({ ...own, 'x-landfall-session': 'x' }), 401, 'with a token that is none')
    assert.equal(await ask({ host: 'localhost', 'x-landfall-session': token }), 401, 'without the cookie')
    assert.equal(await ask({ ...own, origin: 'https://evil.example' }), 401)
    assert.equal(await ask({ ...own, 'sec-fetch-site': 'cross-site' }), 401)
  })

  test('the last owner of an account cannot leave, also when two owners leave at the same moment', async () => {
    const ada = await idOf('ada@example.com')
    assert.equal((await remove(owner, ada)).status, 409)
    assert.equal((await putRole(owner, ada, 'member')).status, 409)
    const second = await idOf('admin@example.com')
    assert.equal((await putRole(owner, second, 'owner')).status, 200)
    const answers = await Promise.all([remove(owner, ada), remove(admin, second)])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 409])
    const { rows } = await api.service.pool.query(
      `select count(*) as n from memberships where account_id = $1 and role = 'owner'`,
      [api.context.account.id],
    )
    assert.equal(rows[0]?.n, 1)
  })
})

test('members, keys and invitations of another account are invisible and cannot be changed', async () => {
  const theirs = await api.newAccount()
  const key = await api.newKey(theirs, ['read', 'write'])
  const stranger = await signUpFirst(api, { email: 'stranger@example.com', key })
  const victim = await api.newAccount()
  const victimKey = await api.newKey(victim, ['read', 'write'])
  const vera = await signUpFirst(api, { email: 'vera@example.com', key: victimKey, name: 'Vera Secret' })
  await invitePath(vera, { email: 'secret-guest@example.com', role: 'member' })
  const lists = ['/v2/members', '/v2/api_keys', '/v2/invitations', '/v2/audit_events']
  const seen = [await stranger.open('/account')]
  for (const url of lists) seen.push(await stranger.ask('GET', url))
  for (const { status, text } of seen) assert.equal(status, 200, text)
  for (const secret of ['vera@example.com', 'Vera Secret', 'secret-guest', victimKey.slice(-4)])
    assert.ok(!seen.some(({ text }) => text.includes(secret)), secret)
  const ids = await api.service.pool.query(
    `select (select id from api_keys where account_id = $1) as key,
            (select id from invitations where account_id = $1) as invitation,
            (select id from sessions where user_id = $2 limit 1) as session`,
    [victim.account.id, await idOf('vera@example.com')],
  )
  const { key: keyId, invitation, session } = ids.rows[0]
  const id = await idOf('vera@example.com')
  for (const answer of [
    await stranger.ask('DELETE', `/v2/api_keys/${keyId}`),
    await stranger.ask('DELETE', `/v2/invitations/${invitation}`),
    await putRole(stranger, id, 'read_only'),
    await remove(stranger, id),
    await stranger.send('/account/sessions/end', { id: session }, { page: '/account' }),
  ])
    assert.equal(answer.status, 404, answer.text)
  assert.equal((await vera.open('/account')).status, 200)
  assert.equal((await api.call({ url: '/v2/shipments', key: victimKey })).status, 200)
})

test('text from users is escaped on every page', async () => {
  const account = await api.newAccount()
  const key = await api.newKey(account, ['read', 'write'])
  const name = `<script>alert(1)</script>"'&`
  const person = await signUpFirst(api, { email: 'markup@example.com', key, name })
  await person.send('/account/company', { company: name }, { page: '/account' })
  for (const path of ['/account', '/']) {
    const { text } = await person.open(path)
    assert.ok(!text.includes('<script>alert'), path)
    assert.ok(text.includes('&#60;script&#62;alert'), path)
  }
})

test('every page for people forbids scripts, frames and external content, and is never cached', async () => {
  for (const path of ['/sign-in', '/sign-up', '/forgotten-password', '/reset-password', '/account', '/account/apps']) {
    const { headers, text } = await owner.open(path)
    if (headers['location'] !== undefined) continue
    const policy = String(headers['content-security-policy'])
    assert.equal(
      policy,
      "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['referrer-policy'], 'same-origin')
    assert.ok(!/<script|<style|\sstyle=|\son\w+=|href="(?!\/|otpauth:)|src="(?!\/)/i.test(text), path)
    const unlabelled = [...text.matchAll(/<(?:input|select)(?![^>]*type="hidden")[^>]*>/g)].filter(([control]) => {
      const id = /\bid="([^"]+)"/.exec(control)?.[1]
      return !control.includes('aria-label') && !text.includes(`<label for="${id}"`)
    })
    assert.deepEqual(unlabelled, [], path)
  }
})

test('sign-up can be opened to everybody, and each person gets an account of their own', async () => {
  const open = await openTestApi({ env: { LANDFALL_SIGN_UP: 'open' } })
  try {
    const person = openPerson(open)
    const form = { name: 'Zoe', email: 'zoe@example.com', password, company: 'Zoe Imports', key: '' }
    assert.equal((await person.send('/sign-up', form)).status, 303)
    assert.match((await person.open('/account')).text, /Zoe Imports/)
    const again = await openPerson(open).send('/sign-up', { ...form, company: 'Other' })
    assert.equal(again.status, 422)
    assert.match(again.text, /id="email-fault"/)
    const { rows } = await open.service.pool.query(`select 1 from accounts where company_name = 'Other'`)
    assert.deepEqual(rows, [])
  } finally {
    await open.close()
  }
})
