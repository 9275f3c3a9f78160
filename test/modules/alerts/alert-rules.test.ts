// Alert rules: validation, accounts apart, and what is sent by mail and to a chat, once, whatever happens meanwhile.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { nextDailyHour } from '../../../src/domain/values/daily-hour.ts'
import { sendMessages } from '../../../src/pipeline/notifications/send-messages.ts'
import { watchAccounts } from '../../../src/pipeline/notifications/watch-accounts.ts'
import { allTerminals } from '../../../src/reference/terminals.ts'
import { type AttentionStory, landed, openAttentionStory } from '../../support/attention-story.ts'
import { findInClear } from '../../support/find-in-clear.ts'
import { type MailServer, openMailServer } from '../../support/mail-server.ts'

let story: AttentionStory
let mail: MailServer
let status = 200
const posted: unknown[] = []
const receiver = createServer((request, response) => {
  let text = ''
  request.on('data', (part: Buffer) => {
    text += part.toString()
  })
  request.on('end', () => {
    posted.push(JSON.parse(text))
    response.writeHead(status).end()
  })
})
let url = ''

before(async () => {
  mail = await openMailServer()
  story = await openAttentionStory({ env: { LANDFALL_SMTP_URL: mail.url } })
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/services/secret-part`
})
beforeEach(() => {
  status = 200
  posted.length = 0
  mail.mails.length = 0
})
after(async () => {
  await story.close()
  await mail.close()
  receiver.close()
})

const send = (method: 'POST' | 'PATCH' | 'DELETE', path: string, attributes?: object, key?: string) =>
  story.api.call({
    method,
    url: `/v2/alert_rules${path}`,
    ...(key === undefined ? {} : { key }),
    ...(attributes === undefined ? {} : { body: { data: { type: 'alert_rule', attributes } } }),
  })
const make = async (attributes: object) => {
  const made = await send('POST', '', { name: 'Holds', reasons: ['held'], ...attributes })
  assert.equal(made.status, 201, made.text)
  return made.one().id
}
const metaOf = async (id: string) =>
  (await story.api.call({ url: `/v2/alert_rules/${id}` })).one() as unknown as {
    readonly meta: Readonly<Record<string, unknown>>
  }
const hold = (number: string) => story.says(number, 'holds', [{ name: 'customs', status: 'hold', description: null }])
const release = async (number: string) => {
  await story.api.pass(1)
  await story.says(number, 'holds', [])
}
const linkIn = (text: string, name: string) =>
  new RegExp(`/alerts/${name}\\?token=[\\w-]+`).exec(text.replace(/=\r?\n/g, ''))?.[0] ?? assert.fail(text)
const press = (link: string) => story.api.app.inject({ method: 'POST', url: link })

test('refuses each invalid field by name', async () => {
  const rule = { name: 'x', reasons: ['held'], webhook: { url } }
  for (const [attributes, pointer] of [
    [{ ...rule, reasons: [] }, '/data/attributes/reasons'],
    [{ ...rule, reasons: ['bored'] }, '/data/attributes/reasons/0'],
    [{ ...rule, time_zone: 'Mars/Olympus' }, '/data/attributes/time_zone'],
    [{ ...rule, daily_hour: 24 }, '/data/attributes/daily_hour'],
    [{ ...rule, emails: ['nobody'] }, '/data/attributes/emails/0'],
    [{ ...rule, webhook: { url: 'ftp://x' } }, '/data/attributes/webhook/url'],
    [{ ...rule, webhook: { url: 'https://10.0.0.1/x' } }, '/data/attributes/webhook/url'],
    [{ ...rule, webhook: null }, '/data/attributes'],
    [{ ...rule, shipments: { scac: 'ZZZZ' } }, '/data/attributes/shipments/scac'],
    [{ ...rule, shipments: { port_of_discharge: 'XXXXX' } }, '/data/attributes/shipments/port_of_discharge'],
    [{ ...rule, shipments: { pod_terminal: 'nowhere' } }, '/data/attributes/shipments/pod_terminal'],
    [{ ...rule, shipments: { custom_fields: { nothing: 'x' } } }, '/data/attributes/shipments/custom_fields/nothing'],
    [
      { ...rule, shipments: { customer_id: '018f0000-0000-7000-8000-000000000000' } },
      '/data/attributes/shipments/customer_id',
    ],
  ] as const) {
    const refused = await send('POST', '', attributes)
    assert.equal(refused.status, 422, refused.text)
    assert.equal(refused.error().source?.pointer, pointer, refused.text)
  }
})

test('stores the URL encrypted, shows only its host, and keeps it when the masked form is sent back', async () => {
  const id = await make({ webhook: { url, format: 'slack' } })
  const shown = (await story.api.call({ url: `/v2/alert_rules/${id}` })).one()
  assert.deepEqual(shown.attributes['webhook'], { url: `${new URL(url).origin}/***`, format: 'slack' })
  assert.deepEqual(await findInClear(story.api.service.pool, 'secret-part'), [])
  assert.equal((await send('PATCH', `/${id}`, { webhook: shown.attributes['webhook'] })).status, 200)
  await send('POST', `/${id}/test`)
  assert.equal(posted.length, 1)
  await send('DELETE', `/${id}`)
})

test('another account finds no rule, and a read-only key changes none', async () => {
  const id = await make({ webhook: { url } })
  const stranger = await story.api.newKey(await story.api.newAccount(), ['read', 'write'])
  assert.equal((await story.api.call({ url: `/v2/alert_rules/${id}`, key: stranger })).status, 404)
  for (const [method, path, body] of [
    ['PATCH', `/${id}`, { name: 'mine' }],
    ['DELETE', `/${id}`, undefined],
    ['POST', `/${id}/test`, undefined],
  ] as const)
    assert.equal((await send(method, path, body, stranger)).status, 404, path)
  assert.deepEqual((await story.api.call({ url: '/v2/alert_rules', key: stranger })).many(), [])
  const reader = await story.api.newKey(story.api.context, ['read'])
  const rule = { name: 'x', reasons: ['held'], webhook: { url } }
  assert.equal((await send('POST', '', rule, reader)).status, 403)
  assert.equal((await send('DELETE', `/${id}`, undefined, reader)).status, 403)
  assert.equal((await send('DELETE', `/${id}`)).status, 204)
  const { rows } = await story.api.service.pool.query<{ action: string }>(
    `select action from audit_events where target_id = $1 order by at, id`,
    [id],
  )
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['alert_rule.created', 'alert_rule.deleted'],
  )
})

test('mails a hold once to a confirmed address, and again if it returns after its release', async () => {
  const number = 'MSCU4000005'
  await story.track('HELD00000001', landed(number))
  const id = await make({ emails: ['ops@example.com', 'other@example.com'] })
  await story.api.drain()
  assert.equal(mail.mails.length, 2, 'each address is asked')
  assert.deepEqual((await metaOf(id)).meta['unconfirmed_emails'], ['ops@example.com', 'other@example.com'])
  const asked = mail.mails.find(({ to }) => to === 'ops@example.com')
  const confirm = linkIn(asked?.text ?? '', 'confirm')
  assert.equal((await story.api.app.inject({ url: confirm })).statusCode, 200)
  assert.equal(((await metaOf(id)).meta['unconfirmed_emails'] as []).length, 2, 'to look is not to agree')
  assert.equal((await press(confirm)).statusCode, 200)
  assert.equal((await press('/alerts/confirm?token=guessed')).statusCode, 404)
  mail.mails.length = 0
  await hold(number)
  assert.deepEqual(
    mail.mails.map(({ to }) => to),
    ['ops@example.com'],
  )
  assert.match(mail.mails[0]?.text ?? '', /MSCU4000005 is held where it is: customs\./)
  await story.api.pass(24)
  assert.equal(mail.mails.length, 1, 'it is told once')
  await release(number)
  await story.api.pass(1)
  await hold(number)
  assert.equal(mail.mails.length, 2, 'it came back')
  assert.equal((await press(linkIn(mail.mails[1]?.text ?? '', 'stop'))).statusCode, 200)
  await release(number)
  await story.api.pass(1)
  await hold(number)
  assert.equal(mail.mails.length, 2, 'the reader wanted no more')
  assert.equal((await send('PATCH', `/${id}`, { emails: ['ops@example.com'] })).status, 422)
  await send('DELETE', `/${id}`)
  await release(number)
})

test('mails the existing attention items when the first address is confirmed', async () => {
  await story.track('HELD00000010', landed('MSCU4000108'))
  await hold('MSCU4000108')
  const id = await make({ emails: ['late@example.com'] })
  await story.api.pass(2)
  assert.equal(mail.mails.length, 1, 'the question alone')
  await press(linkIn(mail.mails[0]?.text ?? '', 'confirm'))
  await story.api.pass(1)
  assert.match(mail.mails[1]?.text ?? '', /MSCU4000108 is held/)
  await send('DELETE', `/${id}`)
  await release('MSCU4000108')
})

test('sends Slack, Teams and plain JSON receivers each their own format', async () => {
  const number = 'MSCU4000010'
  await story.track('HELD00000002', landed(number), { shipment_tags: ['<spring> & co'] })
  const ids = []
  for (const format of ['slack', 'teams', 'json'])
    ids.push(await make({ name: `<${format}>`, webhook: { url, format } }))
  await hold(number)
  assert.equal(posted.length, 3, JSON.stringify(posted))
  const [slack, teams, json] = ['&lt;slack&gt;', '<teams>', '<json>'].map((name) =>
    posted.find((body) => JSON.stringify(body).includes(name)),
  )
  assert.deepEqual(slack, {
    text: '&lt;slack&gt;: 1 thing needs attention\n• MSCU4000010 is held where it is: customs.',
  })
  const line = { type: 'TextBlock', text: 'MSCU4000010 is held where it is: customs.', wrap: true }
  const title = { type: 'TextBlock', text: '<teams>: 1 thing needs attention', wrap: true, weight: 'Bolder' }
  assert.partialDeepStrictEqual(teams, {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: { type: 'AdaptiveCard', body: [title, line] },
      },
    ],
  })
  assert.partialDeepStrictEqual(json, { total: 1, items: [{ reason: 'held', text: line.text }] })
  for (const id of ids) await send('DELETE', `/${id}`)
  await release(number)
})

test('a rule reports only its own reasons and shipments', async () => {
  await story.track('HELD00000003', landed('MSCU4000026'), { shipment_tags: ['spring'] })
  await story.track('HELD00000004', landed('MSCU4000031'))
  const ids = [
    await make({
      webhook: { url },
      shipments: { tags: ['spring'], port_of_discharge: 'USLAX', scac: 'ONEY' },
    }),
    await make({ webhook: { url }, reasons: ['fees'] }),
    await make({ webhook: { url }, active: false }),
  ]
  await hold('MSCU4000026')
  await hold('MSCU4000031')
  assert.deepEqual(
    posted.map((body) => (body as { items: { text: string }[] }).items.map(({ text }) => text.slice(0, 11))),
    [['MSCU4000026']],
  )
  for (const id of ids) await send('DELETE', `/${id}`)
  await release('MSCU4000026')
  await release('MSCU4000031')
})

test('a rule can be limited to a terminal or to values of custom fields', async () => {
  const tracked = new Map<string, string>()
  for (const [bill, number] of [
    ['HELD00000013', 'MSCU4000915'],
    ['HELD00000014', 'MSCU4000920'],
  ] as const)
    tracked.set(number, await story.track(bill, landed(number)))
  const define = {
    entity_type: 'Shipment',
    api_slug: 'season',
    display_name: 'Season',
    data_type: 'short_text',
  }
  const post = (path: string, type: string, attributes: object) =>
    story.api.call({ method: 'POST', url: path, body: { data: { type, attributes } } })
  assert.equal((await post('/v2/custom_field_definitions', 'custom_field_definition', define)).status, 201)
  const fields = `/v2/shipments/${tracked.get('MSCU4000915')}/custom_fields`
  const set = await post(fields, 'custom_field', { api_slug: 'season', value: 'spring' })
  assert.equal(set.status, 201, set.text)
  const boxes = await story.api.call({
    url: '/v2/containers?filter[number]=MSCU4000920&include=pod_terminal',
  })
  const terminal = boxes.many()[0]?.relationships?.['pod_terminal']?.data as { readonly id: string } | null
  assert.ok(terminal, boxes.text)
  const elsewhere = allTerminals().find(({ id }) => id !== terminal.id)?.id
  const ids = [
    await make({ webhook: { url }, shipments: { custom_fields: { season: 'spring' } } }),
    await make({ webhook: { url }, shipments: { pod_terminal: elsewhere } }),
  ]
  const shown = (await story.api.call({ url: `/v2/alert_rules/${ids[0]}` })).one()
  const { custom_fields, pod_terminal } = shown.attributes['shipments'] as Record<string, unknown>
  assert.deepEqual([custom_fields, pod_terminal], [{ season: 'spring' }, null])
  await hold('MSCU4000915')
  await hold('MSCU4000920')
  const messages = () =>
    posted.map((body) => (body as { items: { text: string }[] }).items.map(({ text }) => text.slice(0, 11)))
  assert.deepEqual(messages(), [['MSCU4000915']])
  posted.length = 0
  const all = { pod_terminal: terminal.id, custom_fields: {} }
  assert.equal((await send('PATCH', `/${ids[1]}`, { shipments: all })).status, 200)
  await story.api.pass(1)
  assert.deepEqual(messages().flat().sort(), ['MSCU4000915', 'MSCU4000920'])
  for (const id of ids) await send('DELETE', `/${id}`)
  for (const number of tracked.keys()) await release(number)
})

test('tries a failing receiver six times in a day, then marks the message failed', async () => {
  await story.track('HELD00000005', landed('MSCU4000047'))
  const id = await make({ webhook: { url } })
  status = 500
  await hold('MSCU4000047')
  assert.equal(posted.length, 1)
  const once = await metaOf(id)
  assert.deepEqual(
    [once.meta['pending'], once.meta['failed'], once.meta['last_error']],
    [1, 0, 'the receiver answered 500'],
  )
  await story.api.pass(30)
  assert.equal(posted.length, 6)
  const over = await metaOf(id)
  assert.deepEqual([over.meta['pending'], over.meta['failed']], [0, 1])
  const tested = await send('POST', `/${id}/test`)
  assert.match(JSON.stringify(tested.body.meta), /"sent":false,"status_code":500/)
  await send('DELETE', `/${id}`)
  await release('MSCU4000047')
})

test('sends each alert exactly once, even if a process ends before it sends the alert', async () => {
  await story.track('HELD00000006', landed('MSCU4000052'))
  await make({ webhook: { url } })
  const { service } = story.api
  // The hold is ingested and numbered, but no worker has searched the account yet.
  await service.pool.query(`update alert_watches set leased_until = 'infinity'`)
  await hold('MSCU4000052')
  await service.pool.query(`update alert_watches set lease_token = null, leased_until = null`)
  assert.equal(posted.length, 0)
  const worked = await Promise.all([watchAccounts(service), watchAccounts(service), watchAccounts(service)])
  assert.equal(worked.filter((count) => count > 0).length, 1)
  // The process that took the message ends before it sends: its lease runs out.
  await service.pool.query(
    `update alert_messages set lease_token = gen_random_uuid(), leased_until = $1 where status = 'pending'`,
    [new Date(service.clock.now() + 60_000).toISOString()],
  )
  assert.deepEqual(await sendMessages(service, 8), [])
  story.api.clock.advance(61_000)
  const taken = await Promise.all([sendMessages(service, 8), sendMessages(service, 8)])
  await Promise.all(taken.flat())
  await story.api.drain()
  assert.equal(posted.length, 1)
  for (const { id } of (await story.api.call({ url: '/v2/alert_rules' })).many()) await send('DELETE', `/${id}`)
  await release('MSCU4000052')
})

test('does not report an item while it is snoozed', async () => {
  await story.track('HELD00000007', landed('MSCU4000068'))
  await hold('MSCU4000068')
  const item = await story.item('held')
  const until = new Date(story.api.clock.now() + 3 * 3_600_000).toISOString()
  const body = { until }
  assert.equal((await story.api.call({ method: 'POST', url: `/v2/attention/${item.id}/snooze`, body })).status, 200)
  const id = await make({ webhook: { url } })
  await story.api.drain()
  assert.equal(posted.length, 0)
  await story.api.pass(4)
  assert.equal(posted.length, 1)
  await send('DELETE', `/${id}`)
  await release('MSCU4000068')
})

test('reports ending free time when it is due, without any event', async () => {
  await story.track('FREE00000001', landed('MSCU4000073'))
  const lastFreeDay = new Date(story.api.clock.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  await story.says('MSCU4000073', 'pickup_lfd_terminal', lastFreeDay)
  const id = await make({ webhook: { url }, reasons: ['free_time_ends_soon', 'free_time_ended'] })
  await story.api.drain()
  assert.equal(posted.length, 0)
  await story.api.pass(60)
  assert.equal(posted.length, 1)
  await story.api.pass(72)
  assert.equal(posted.length, 2)
  assert.match(JSON.stringify(posted[1]), /MSCU4000073: Free time ended/)
  await send('DELETE', `/${id}`)
})

test('sends the daily message at its hour with the open items, and sends none if there are none', async () => {
  await story.track('HELD00000008', landed('MSCU4000089'))
  await story.track('HELD00000009', landed('MSCU4000094'))
  const berlin = (at: string | number) =>
    Number(new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit' }).format(new Date(at)))
  const hour = (berlin(story.api.clock.now()) + 3) % 24
  const id = await make({
    webhook: { url },
    delivery: 'daily',
    daily_hour: hour,
    time_zone: 'Europe/Berlin',
  })
  await hold('MSCU4000089')
  await hold('MSCU4000094')
  await release('MSCU4000094')
  assert.equal(posted.length, 0)
  await story.api.pass(24)
  assert.equal(posted.length, 1)
  const { items, sent_at: sentAt } = posted[0] as { items: { text: string }[]; sent_at: string }
  assert.deepEqual(
    items.map(({ text }) => text.slice(0, 11)),
    ['MSCU4000089'],
  )
  assert.equal(berlin(sentAt), hour)
  await story.api.pass(48)
  assert.equal(posted.length, 1, 'it is told once')
  assert.equal(berlin(String((await metaOf(id)).meta['next_digest_at'])), hour)
  await send('DELETE', `/${id}`)
})

test('uses local time for the hour of the daily message, also when the clocks change', () => {
  const hours = (after: string, hour: number, days: number) => {
    const found = [after]
    for (let n = 0; n < days; n += 1)
      found.push(nextDailyHour({ after: found.at(-1) ?? after, hour, timeZone: 'Europe/Berlin' }))
    return found.slice(1)
  }
  // Clocks went forward on 29 March 2026 at 2:00, and go back on 25 October 2026 at 3:00.
  assert.deepEqual(hours('2026-03-27T12:00:00.000Z', 8, 3), [
    '2026-03-28T07:00:00.000Z',
    '2026-03-29T06:00:00.000Z',
    '2026-03-30T06:00:00.000Z',
  ])
  assert.deepEqual(hours('2026-03-27T12:00:00.000Z', 2, 3), [
    '2026-03-28T01:00:00.000Z',
    '2026-03-29T01:00:00.000Z',
    '2026-03-30T00:00:00.000Z',
  ])
  assert.deepEqual(hours('2026-10-24T12:00:00.000Z', 2, 2), ['2026-10-25T00:00:00.000Z', '2026-10-26T01:00:00.000Z'])
})

test('an account has at most fifty rules', async () => {
  const key = await story.api.newKey(await story.api.newAccount(), ['read', 'write'])
  const rule = { name: 'x', reasons: ['held'], webhook: { url } }
  for (let n = 0; n < 50; n += 1) assert.equal((await send('POST', '', rule, key)).status, 201)
  assert.equal((await send('POST', '', rule, key)).status, 422)
})
