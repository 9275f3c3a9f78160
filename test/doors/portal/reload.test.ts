// Pages that are loaded again send their form again: nothing is done twice, and links that were passed on still work.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type PageAnswer, type Person, signUpFirst, signUpInvited } from '../../support/person.ts'

let api: TestApi
let ada: Person
before(async () => {
  api = await openTestApi()
  ada = await signUpFirst(api)
})
after(() => api.close())

const onceIn = (text: string): string => /name="once" value="([^"]+)"/.exec(text)?.[1] ?? ''
const count = async (of: string): Promise<number> =>
  Number((await api.service.pool.query(`select count(*) as n from ${of}`)).rows[0]?.n)

describe('a new key', () => {
  const keys = '/account/keys'
  const form = async (): Promise<string> => onceIn((await ada.open(keys)).text)
  const make = (once: string, name = 'Warehouse'): Promise<PageAnswer> =>
    ada.send(keys, { name, may: 'read', once })
  const shown = ({ text }: PageAnswer): string | null => /lf_live_\w{36}/.exec(text)?.[0] ?? null
  const all = () => count('api_keys')

  test('is made once and shown once, however often its page is loaded again', async () => {
    const [before, once] = [await all(), await form()]
    const made = await make(once)
    assert.equal(made.status, 201)
    assert.notEqual(shown(made), null)
    for (let at = 0; at < 2; at += 1) {
      const again = await make(once)
      assert.deepEqual([again.status, shown(again)], [409, null])
      assert.match(again.text, /was made already, and a key is shown only once/)
    }
    assert.equal(await all(), before + 1)
    assert.equal(
      await count(`audit_events where action = 'api_key.created' and diff::text like '%Warehouse%'`),
      1,
    )
  })

  test('of two who send one form at the same moment, one is shown the key', async () => {
    const once = await form()
    const answers = await Promise.all([make(once, 'Twice'), make(once, 'Twice')])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409])
    assert.equal(answers.filter((each) => shown(each) !== null).length, 1)
  })

  test('of another name is another one, also from the same page; and one that was deleted does not come back', async () => {
    const once = await form()
    assert.equal((await make(once, 'One')).status, 201)
    assert.equal((await make(once, 'Other')).status, 201)
    await api.service.pool.query(`update api_keys set revoked_at = now() where name = 'One'`)
    assert.equal((await make(once, 'One')).status, 409)
    assert.equal(await count(`api_keys where name = 'One' and revoked_at is null`), 0)
  })
})

describe('an invitation', () => {
  const members = '/account/members'
  const form = async (): Promise<string> => onceIn((await ada.open(members)).text)
  const send = (once: string, email: string, role = 'member'): Promise<PageAnswer> =>
    ada.send(`${members}/invite`, { email, role, once }, { page: members })
  const linkIn = ({ text }: PageAnswer): string => /(\/invitation\?token=[\w-]+)/.exec(text)?.[1] ?? ''
  const opens = async (link: string): Promise<number> => (await ada.open(link)).status

  test('keeps its link when its page is loaded again, also by two at the same moment; a new one replaces it', async () => {
    const once = await form()
    const first = linkIn(await send(once, 'ben@example.com'))
    assert.notEqual(first, '')
    const again = await Promise.all([1, 2, 3].map(() => send(once, 'ben@example.com')))
    assert.deepEqual([...new Set(again.map(linkIn))], [first])
    assert.equal(await opens(first), 200)
    assert.equal(await count(`invitations where email = 'ben@example.com'`), 1)
    assert.equal(await count(`audit_events where action = 'invitation.created'`), 1)
    const second = linkIn(await send(await form(), 'ben@example.com'))
    assert.notEqual(second, first)
    assert.deepEqual([await opens(first), await opens(second)], [404, 200])
  })

  test('that two sent at the same moment is one', async () => {
    const once = await form()
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(once, 'cleo@example.com')))
    const [link = ''] = answers.map(linkIn)
    assert.deepEqual(
      answers.map((each) => [each.status, linkIn(each)]),
      answers.map(() => [201, link]),
    )
    assert.equal(await opens(link), 200)
    assert.equal(await count(`invitations where email = 'cleo@example.com' and revoked_at is null`), 1)
  })

  test('that was taken back or replaced does not come back with its page', async () => {
    const once = await form()
    const link = linkIn(await send(once, 'dora@example.com'))
    const { rows } = await api.service.pool.query(
      `select id from invitations where email = 'dora@example.com'`,
    )
    const taken = await ada.send(
      `${members}/invitations/revoke`,
      { id: String(rows[0]?.id) },
      { page: members },
    )
    assert.equal(taken.status, 303)
    const again = await send(once, 'dora@example.com')
    assert.deepEqual([again.status, linkIn(again)], [409, ''])
    assert.equal(await opens(link), 404)
  })
})

describe('a key is deleted', () => {
  const idOf = async (name: string): Promise<string> =>
    String((await api.service.pool.query('select id from api_keys where name = $1', [name])).rows[0]?.id)
  const lives = async (id: string): Promise<boolean> =>
    (await count(`api_keys where id = '${id}' and revoked_at is null`)) === 1

  test('only after a question that names it', async () => {
    const key = await ada.send('/account/keys', { name: 'Old <system>', may: 'read_write' })
    assert.equal(key.status, 201)
    const id = await idOf('Old <system>')
    const list = (await ada.open('/account/keys')).text
    assert.match(
      list,
      new RegExp(
        `<form method="get" action="/account/keys/delete"[^>]*><input type="hidden" name="id" value="${id}"`,
      ),
    )
    assert.doesNotMatch(list, /method="post" action="\/account\/keys\/delete"/)
    const unsure = await ada.send('/account/keys/delete', { id }, { page: '/account/keys' })
    assert.deepEqual([unsure.status, unsure.location], [303, `/account/keys/delete?id=${id}`])
    const question = await ada.open(`/account/keys/delete?id=${id}`)
    assert.equal(question.status, 200)
    assert.match(question.text, /Delete Old &#60;system&#62;\?/)
    assert.match(question.text, /read and write\. Last used: <span class="quiet">never/)
    assert.ok(await lives(id), 'asked is not done')
    const sure = await ada.send(
      '/account/keys/delete',
      { id, sure: 'yes' },
      { page: `/account/keys/delete?id=${id}` },
    )
    assert.equal(sure.location, '/account/keys?done=deleted')
    assert.equal(await lives(id), false)
    assert.equal((await ada.open(`/account/keys/delete?id=${id}`)).status, 404)
  })

  test('by those alone who manage keys, and of their own account', async () => {
    const rita = await signUpInvited(api, ada, { email: 'rita@example.com', role: 'member' })
    const id = await idOf('Warehouse')
    assert.equal((await rita.open(`/account/keys/delete?id=${id}`)).status, 403)
    const other = await api.newAccount()
    await api.newKey(other, ['read'])
    const { rows } = await api.service.pool.query('select id from api_keys where account_id = $1', [
      other.account.id,
    ])
    const foreign = String(rows[0]?.id)
    assert.equal((await ada.open(`/account/keys/delete?id=${foreign}`)).status, 404)
    const forced = await ada.send(
      '/account/keys/delete',
      { id: foreign, sure: 'yes' },
      { page: '/account/keys' },
    )
    assert.equal(forced.status, 404)
    assert.ok((await lives(id)) && (await lives(foreign)))
  })
})
