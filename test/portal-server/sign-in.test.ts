import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { findUserByEmail } from '../../src/modules/members/users-sql.ts'
import { makeResetLink } from '../../src/modules/sessions/reset-password.ts'
import { drainJobs } from '../../src/pipeline/jobs/after-answer.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { openPerson, type Person, password, signIn, signUpFirst, tokenIn } from '../support/person.ts'

let api: TestApi
let ada: Person
before(async () => {
  api = await openTestApi()
  ada = await signUpFirst(api)
})
after(() => api.close())
beforeEach(() => api.clock.advance(3_600_000))

const email = 'ada@example.com'
const isIn = async (person: Person): Promise<boolean> => (await person.open('/account')).status === 200

describe('signing in', () => {
  test('a wrong password and an unknown address get the same answer', async () => {
    const wrong = await signIn(api, { email, password: 'not her password' })
    const unknown = await signIn(api, { email: 'nobody@example.com', password: 'not her password' })
    for (const { answer, person } of [wrong, unknown]) {
      assert.equal(answer.status, 401)
      assert.equal(await isIn(person), false)
    }
    const plain = (text: string): string => text.replace(/value="[^"]*"/g, '').replace(/ada@|nobody@/g, '')
    assert.equal(plain(wrong.answer.text), plain(unknown.answer.text))
  })

  test('a form without its token, with the token of another browser, or from another site is refused', async () => {
    const elsewhere = openPerson(api)
    const stolen = tokenIn((await elsewhere.open('/sign-in')).text)
    const fields = { email, password }
    const attempts: readonly Parameters<Person['send']>[2][] = [
      { token: null },
      { token: stolen },
      { headers: { origin: 'https://evil.example' } },
      { headers: { origin: 'null' } },
      { headers: { 'sec-fetch-site': 'cross-site' } },
      { headers: { 'sec-fetch-site': 'same-site' } },
    ]
    for (const options of attempts) {
      const person = openPerson(api)
      const answer = await person.send('/sign-in', fields, options)
      assert.equal(answer.status, 403, JSON.stringify(options))
      assert.equal(await isIn(person), false)
    }
  })

  test('a session cookie planted in the browser is replaced at sign-in', async () => {
    const planted = 'planted-by-an-attacker'
    const person = openPerson(api)
    person.cookies.set('landfall_session', planted)
    await signIn(api, { email, person })
    assert.ok(await isIn(person))
    assert.notEqual(person.cookies.get('landfall_session'), planted)
    const attacker = openPerson(api)
    attacker.cookies.set('landfall_session', planted)
    assert.equal(await isIn(attacker), false)
  })

  test('signing in again ends the previous session of the browser, also for a copy of its cookie', async () => {
    const { person } = await signIn(api, { email })
    const copy = openPerson(api)
    copy.cookies.set('landfall_session', person.cookies.get('landfall_session') ?? '')
    assert.ok(await isIn(copy))
    const token = tokenIn((await openPerson(api).open('/sign-in')).text)
    assert.ok(token)
    // The sign-in page sends a signed-in person to another page, so the form comes from a tab that was opened before.
    const other = openPerson(api)
    const visit = tokenIn((await other.open('/sign-in')).text)
    person.cookies.set('landfall_visit', other.cookies.get('landfall_visit') ?? '')
    assert.equal((await person.send('/sign-in', { email, password }, { token: visit })).status, 303)
    assert.ok(await isIn(person))
    assert.equal(await isIn(copy), false)
  })

  test('the cookie is protected from scripts and other sites, and with TLS from the network', async () => {
    const flags = (answer: { readonly headers: Readonly<Record<string, unknown>> }): string =>
      [answer.headers['set-cookie']].flat().find((each) => String(each).includes('landfall_session=')) as string
    const { answer } = await signIn(api, { email })
    assert.match(flags(answer), /^landfall_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
    const secure = await openTestApi({ env: { LANDFALL_PUBLIC_URL: 'https://landfall.example' } })
    try {
      const person = openPerson(secure)
      const form = { name: 'Ada', email, password, key: secure.key }
      const signedUp = await person.send('/sign-up', form, {
        headers: { origin: 'https://landfall.example' },
      })
      assert.match(flags(signedUp), /^__Host-landfall_session=.*; HttpOnly; SameSite=Lax; Secure;/)
    } finally {
      await secure.close()
    }
  })

  test('a return address of another site is never used, whichever way it arrives', async () => {
    const { person } = await signIn(api, { email })
    const account = api.context.account.id
    // One of each kind; test/portal-server/return-path.test.ts has them all.
    for (const next of ['https://evil.example', '/.//evil.example', '/account/..//evil.example', '/\\evil.example']) {
      const asked = encodeURIComponent(next)
      const fresh = openPerson(api)
      const form = (await fresh.open(`/sign-in?next=${asked}`)).text
      assert.match(form, /name="next" value="\/account"/, next)
      assert.equal((await fresh.send('/sign-in', { email, password, next })).location, '/account', next)
      assert.equal((await fresh.open(`/sign-in?next=${asked}`)).location, '/account', next)
      const code = await openPerson(api).open(`/sign-in/code?next=${asked}`)
      assert.equal(code.location, '/sign-in', next)
      const chosen = await person.send('/account/choose', { account, next }, { page: '/account' })
      assert.equal(chosen.location, '/account', next)
    }
    const next = '/account/apps?a=1'
    const { location } = await openPerson(api).send('/sign-in', { email, password, next })
    assert.equal(location, next)
  })

  test('sessions expire at their end, and after a week without use', async () => {
    const { person } = await signIn(api, { email })
    api.clock.advance(6 * 86_400_000)
    assert.ok(await isIn(person))
    api.clock.advance(8 * 86_400_000)
    assert.equal(await isIn(person), false)
    const { person: busy } = await signIn(api, { email })
    for (let day = 0; day < 30; day += 5) {
      assert.ok(await isIn(busy))
      api.clock.advance(5 * 86_400_000)
    }
    assert.equal(await isIn(busy), false)
  })

  test('all sessions are listed and can be ended from another session', async () => {
    const { person: one } = await signIn(api, { email })
    const { person: other } = await signIn(api, { email })
    const page = (await one.open('/account')).text
    const ids = [...page.matchAll(/action="\/account\/sessions\/end"[\s\S]*?name="id" value="([^"]+)"/g)]
    assert.ok(ids.length >= 1)
    await one.send('/account/sessions/end', {}, { page: '/account' })
    assert.ok(await isIn(one))
    assert.equal(await isIn(other), false)
    await one.send('/sign-out', {}, { page: '/account' })
    assert.equal(await isIn(one), false)
  })

  test('the token in the browser is not stored in the database', async () => {
    const { person } = await signIn(api, { email })
    const { rows } = await api.service.pool.query('select * from sessions')
    const written = rows
      .map((row) => `${JSON.stringify(row)}${row.token_hmac.toString('latin1')}${row.token_hmac.toString('base64url')}`)
      .join()
    assert.ok(!written.includes(person.cookies.get('landfall_session') ?? 'none'))
  })
})

describe('guessing passwords', () => {
  test('is stopped after ten attempts in fifteen minutes, also concurrent ones', async () => {
    const guesses = await Promise.all(
      Array.from({ length: 14 }, () => signIn(api, { email: 'guessed@example.com', password: 'a wrong guess' })),
    )
    const statuses = guesses.map(({ answer }) => answer.status)
    assert.equal(statuses.filter((status) => status === 401).length, 10)
    const refused = guesses.find(({ answer }) => answer.status === 429)
    const wait = Number(refused?.answer.headers['retry-after'])
    assert.ok(wait > 0 && wait <= 900)
    api.clock.advance(wait * 1_000)
    assert.equal((await signIn(api, { email: 'guessed@example.com' })).answer.status, 401)
  })

  test('does not lock out a browser that has signed in before', async () => {
    const { person } = await signIn(api, { email })
    await person.send('/sign-out', {}, { page: '/account' })
    for (let guess = 0; guess < 11; guess += 1) await signIn(api, { email, password: 'a wrong guess' })
    assert.equal((await signIn(api, { email })).answer.status, 429, 'from elsewhere even the right one')
    assert.equal((await signIn(api, { email, person })).answer.status, 303)
  })

  test('is limited for each network over all e-mail addresses', async () => {
    const spray = async (at: number) =>
      openPerson(api, '2001:db8::1').send('/sign-in', {
        email: `n${at}@example.com`,
        password: 'a wrong guess',
      })
    for (let at = 0; at < 50; at += 1) assert.equal((await spray(at)).status, 401)
    assert.equal((await spray(50)).status, 429)
    const neighbour = await openPerson(api, '2001:db8::2').send('/sign-in', { email, password })
    assert.equal(neighbour.status, 429, 'of the same network of 2^64 addresses')
    assert.equal((await openPerson(api, '2001:db8:1::1').send('/sign-in', { email, password })).status, 303)
  })
})

describe('a forgotten password', () => {
  const ask = (as: string) => openPerson(api).send('/forgotten-password', { email: as })
  const resetLink = async (): Promise<URL> => {
    const user = await findUserByEmail(api.service.pool, email)
    assert.ok(user)
    return new URL(await makeResetLink(api.service.pool, api.service, user))
  }
  const take = async (link: URL, chosen: string) => {
    const person = openPerson(api)
    const token = link.searchParams.get('token') ?? ''
    const page = `${link.pathname}${link.search}`
    return person.send('/reset-password', { token, password: chosen }, { page })
  }

  test('gets the same answer for known and unknown addresses', async () => {
    const [known, unknown] = [await ask(email), await ask('nobody@example.com')]
    assert.equal(known.status, 200)
    assert.equal(known.text, unknown.text)
    await drainJobs(api.service)
  })

  test('can be replaced once with the link, which ends all sessions and the old password', async () => {
    const { person } = await signIn(api, { email })
    const [link, second] = [await resetLink(), await resetLink()]
    const stolen = openPerson(api)
    const page = `${link.pathname}${link.search}`
    const form = tokenIn((await stolen.open(page)).text)
    assert.equal((await take(link, 'another fine password')).status, 303)
    assert.equal(await isIn(person), false)
    const token = link.searchParams.get('token') ?? ''
    const again = await stolen.send('/reset-password', { token, password: 'of the thief now' }, { token: form })
    assert.equal(again.status, 404)
    assert.equal((await stolen.open(`${second.pathname}${second.search}`)).status, 404, 'nor is an older link')
    assert.equal((await signIn(api, { email })).answer.status, 401)
    assert.equal((await signIn(api, { email, password: 'another fine password' })).answer.status, 303)
    assert.equal((await take(await resetLink(), password)).status, 303)
  })

  test('is replaced by only one of two people who use the same link at the same moment', async () => {
    const link = await resetLink()
    const people = await Promise.all(
      ['first of two passwords', 'second of two passwords'].map(async (chosen) => {
        const person = openPerson(api)
        const token = tokenIn((await person.open(`${link.pathname}${link.search}`)).text)
        return { person, chosen, token }
      }),
    )
    const answers = await Promise.all(
      people.map(({ person, chosen, token }) =>
        person.send('/reset-password', { token: link.searchParams.get('token') ?? '', password: chosen }, { token }),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 404])
    assert.equal((await take(await resetLink(), password)).status, 303)
  })

  test('can no longer be replaced an hour after the link was sent', async () => {
    const link = await resetLink()
    api.clock.advance(3_600_001)
    assert.equal((await openPerson(api).open(`${link.pathname}${link.search}`)).status, 404)
  })
})

describe('one-time codes', () => {
  let secret: string
  let recovery: readonly string[]
  const codeNow = (): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: api.clock.now() })
  const half = async (): Promise<Person> => {
    const { person, answer } = await signIn(api, { email })
    assert.equal(answer.location, '/sign-in/code')
    assert.equal(await isIn(person), false)
    return person
  }

  test('are set up with the password and a first code, and this ends all other sessions', async () => {
    const { person } = await signIn(api, { email })
    ada = (await signIn(api, { email })).person
    const at = { page: '/account' }
    assert.equal((await ada.send('/account/two-factor/start', { password: 'wrong one' }, at)).status, 422)
    assert.equal((await ada.send('/account/two-factor/start', { password }, at)).status, 303)
    secret =
      /class="secret"><code>([A-Z2-7 ]+)</.exec((await ada.open('/account')).text)?.[1]?.replaceAll(' ', '') ?? ''
    assert.equal((await ada.send('/account/two-factor/confirm', { code: '000000' }, at)).status, 422)
    const done = await ada.send('/account/two-factor/confirm', { code: codeNow() }, at)
    recovery = [...done.text.matchAll(/<li><code>([^<]+)</g)].map(([, code = '']) => code)
    assert.equal(recovery.length, 10)
    assert.ok(await isIn(ada))
    assert.equal(await isIn(person), false)
  })

  test('are accepted once, also from two people who send the same code at the same moment', async () => {
    api.clock.advance(60_000)
    const [one, other] = [await half(), await half()]
    const code = codeNow()
    const answers = await Promise.all([one, other].map((each) => each.send('/sign-in/code', { code })))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 401])
    assert.equal((await (await half()).send('/sign-in/code', { code })).status, 401)
    api.clock.advance(30_000)
    assert.equal((await (await half()).send('/sign-in/code', { code: codeNow() })).status, 303)
  })

  test('can be replaced by a recovery code, which works once', async () => {
    const code = recovery[0] ?? ''
    assert.equal((await (await half()).send('/sign-in/code', { code: ` ${code.toUpperCase()} ` })).status, 303)
    assert.equal((await (await half()).send('/sign-in/code', { code })).status, 401)
  })

  test('restart the sign-in after five wrong codes, and are blocked for a while after ten', async () => {
    const person = await half()
    for (let guess = 0; guess < 5; guess += 1)
      assert.equal((await person.send('/sign-in/code', { code: '000000' })).status, 401)
    assert.equal((await person.send('/sign-in/code', { code: codeNow() })).location, '/sign-in')
    const again = await half()
    for (let guess = 0; guess < 5; guess += 1) await again.send('/sign-in/code', { code: '000000' })
    assert.equal((await (await half()).send('/sign-in/code', { code: codeNow() })).status, 429)
  })

  test('are disabled with the password', async () => {
    const off = await ada.send('/account/two-factor/stop', { password }, { page: '/account' })
    assert.equal(off.location, '/account?done=codes-off')
    assert.equal((await signIn(api, { email })).answer.location, '/account')
  })
})

test('sign-in actions are in the audit log, with the client address', async () => {
  await signIn(api, { email, password: 'a wrong guess' })
  await drainJobs(api.service)
  const { rows } = await api.service.pool.query(
    `select action, host(ip) as ip, user_agent from audit_events where target_type in ('user', 'session') order by id`,
  )
  const actions = new Set(rows.map(({ action }) => action))
  for (const action of [
    'user.signed_up',
    'session.opened',
    'session.refused',
    'session.revoked',
    'user.password_reset',
    'user.two_factor_on',
    'user.two_factor_off',
  ])
    assert.ok(actions.has(action), action)
  assert.match(rows.at(-1)?.ip, /^10\.1\./)
  assert.match(rows.at(-1)?.user_agent, /Firefox/)
})

test('a malformed or scoped client address from a proxy does not prevent sign-up', async () => {
  const proxied = await openTestApi({ env: { LANDFALL_TRUSTED_PROXIES: '10.0.0.0/8' } })
  try {
    for (const [at, forwarded] of ['unknown', 'fe80::1%eth0', '203.0.113.9'].entries()) {
      const key = await proxied.newKey(await proxied.newAccount(), ['read', 'write'])
      const form = { name: 'Ada', email: `ada${at}@example.com`, password, key }
      const answer = await openPerson(proxied).send('/sign-up', form, {
        headers: { 'x-forwarded-for': forwarded },
      })
      assert.equal(answer.status, 303, forwarded)
    }
  } finally {
    await proxied.close()
  }
})

test('no password, token or code is in the log', () => {
  const lines = JSON.stringify(api.logged())
  for (const secret of [password, 'another fine password', 'a wrong guess']) assert.ok(!lines.includes(secret))
})
