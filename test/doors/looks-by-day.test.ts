// The log of looks is kept for so many days; what `as_of` and the list of attempts say stays right when its days go.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { addMs } from '../../src/core/time.ts'
import { tidyLooks } from '../../src/service/looking/tidy-looks.ts'
import type { Service } from '../../src/service/service.ts'
import { journey } from '../service/tracking-harness.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { openCarrier } from '../support/carrier.ts'
import { giveAccess } from '../support/service.ts'

const hourMs = 3_600_000
const startAt = '2026-02-01T00:00:00Z'
const number = 'HLCULOOKSDAY0001'
/** Nothing is looked at later. */
const seenAt = '2026-02-15T00:00:00.000Z'
const step = 13

interface Line {
  readonly api: TestApi
  /** Each with the only shipment that it tracks. */
  readonly accounts: readonly { readonly key: string; readonly request: string; readonly shipment: string }[]
  readonly tidy: (options?: { readonly rowsMax?: number }) => Promise<number>
}

/** Two accounts ask about one number of one line, the second from the second day on; every fifth question fails. */
async function liveFor(t: TestContext, days: number): Promise<Line> {
  const api = await openTestApi({
    startAt,
    isServing: true,
    env: { LANDFALL_LOOKS_KEPT_DAYS: '7' },
  })
  const carrier = await openCarrier()
  t.after(async () => {
    await carrier.close()
    await api.close()
  })
  await giveAccess(api, { scac: 'HLCU', profile: carrier.profile('HLCU') })
  carrier.answersTo(() =>
    carrier.asked.length % 5 === 0
      ? { status: 503, json: {} }
      : { json: journey(number, api.clock.now() < Date.parse('2026-02-05T00:00:00Z') ? 'loaded' : 'sailed') },
  )
  const tidy: Line['tidy'] = (options) => tidyLooks(api.service, options)
  const accounts: Line['accounts'][number][] = []
  for (let day = 0; day < days; day += 1) {
    if (day < 2) accounts.push(await track(api))
    // The parts are made ahead, save on one day when nobody did.
    if (day !== 4) await tidy()
    for (let part = 0; part < 4; part += 1) {
      api.clock.advance(6 * hourMs)
      await api.drain()
    }
  }
  return { api, accounts, tidy }
}

async function track(api: TestApi): Promise<Line['accounts'][number]> {
  const key = await api.newKey(await api.newAccount(), ['read', 'write'])
  const attributes = { request_type: 'bill_of_lading', request_number: number, scac: 'HLCU' }
  const body = { data: { type: 'tracking_request', attributes } }
  const made = await api.call({ method: 'POST', url: '/v2/tracking_requests', body, key })
  await api.drain()
  const shipments = await api.call({ url: '/v2/shipments', key })
  return { key, request: made.one().id, shipment: shipments.many()[0]?.id ?? '' }
}

/** The shipment of each account as it was every few hours, each answer as it goes over the wire. */
async function pasts({ api, accounts }: Line, hours = step): Promise<readonly string[]> {
  const told: string[] = []
  for (const { key, shipment } of accounts)
    for (let at = addMs(startAt, hourMs); at < seenAt; at = addMs(at, hours * hourMs)) {
      const answer = await api.call({ url: `/v2/shipments/${shipment}?as_of=${at}`, key })
      told.push(`${at} ${answer.status} ${answer.text}`)
    }
  return told
}

const rows = async <Row extends object>({ service }: TestApi, text: string): Promise<readonly Row[]> =>
  (await service.pool.query<Row & Record<string, never>>(text)).rows
const partsOf = async (api: TestApi): Promise<readonly string[]> =>
  (
    await rows<{ part: string }>(api, 'select part from look_parts where dropped_at is null order by part')
  ).map(({ part }) => part)

/** To the end, with the rest that a folded part has before it goes. */
async function tidyAll({ api, tidy }: Line): Promise<void> {
  for (let rest = 0; rest < 50; rest += 1) {
    while ((await tidy({ rowsMax: 3 })) > 0);
    api.clock.advance(hourMs / 6)
  }
}

test('days of looks go when their time is over, and every past answers as it did, byte for byte, at each step and for each account', async (t) => {
  const line = await liveFor(t, 7)
  const { api, accounts, tidy } = line
  for (let part = 0; part < 7 * 4; part += 1) {
    api.clock.advance(6 * hourMs)
    await api.drain()
  }
  const before = await pasts(line)
  assert.ok(before.some((told) => / 200 /.test(told) && /"line_tracking_last_succeeded_at":"/.test(told)))
  const [first, second] = accounts
  assert.ok(first !== undefined && second !== undefined && first.shipment !== second.shipment)
  const attemptsBefore = await api.call({
    url: `/v2/tracking_requests/${first.request}/attempts`,
    key: first.key,
  })
  assert.equal(attemptsBefore.body.meta?.['no_longer_listed'], null)
  const looks = (await rows<{ n: number }>(api, 'select count(*) as n from looks'))[0]?.n ?? 0
  // Killed wherever it is: each piece is whole, and whoever comes goes on.
  for (let piece = 0; piece < 9; piece += 1) {
    const isCut = piece % 3 === 1
    await tidyLooks(isCut ? cutOff(api.service, 'look_part_fold') : api.service, { rowsMax: 2 }).catch(
      (error: Error) => assert.match(error.message, /^killed/),
    )
    assert.deepEqual(
      await pasts(line, 3 * step),
      before.filter((told) => isAmong(told, 3 * step)),
    )
  }
  await tidyAll(line)
  await assert.rejects(
    api.service.pool.query(`select drop_looks_part('20260212')`),
    /are not folded/,
    'what is not folded does not go',
  )
  const [oldest] = await partsOf(api)
  assert.equal(oldest, '20260208', 'seven days and today')
  const left = (await rows<{ n: number }>(api, 'select count(*) as n from looks'))[0]?.n ?? 0
  assert.ok(left < looks && left > 0, `${left} of ${looks}`)
  assert.deepEqual(await pasts(line), before)
  assert.equal(await tidy(), 0)

  const listed = await api.call({
    url: `/v2/tracking_requests/${first.request}/attempts?page[size]=100`,
    key: first.key,
  })
  const total = (attemptsBefore.body.meta as { total?: number } | undefined)?.total
  const gone = listed.body.meta?.['no_longer_listed'] as { attempts: number; until: string }
  assert.equal(listed.many().length + gone.attempts, looks, `${total}`)
  assert.ok(gone.until < '2026-02-08' && gone.until > '2026-02-07')
  const ofOther = await api.call({
    url: `/v2/tracking_requests/${second.request}/attempts?page[size]=100`,
    key: second.key,
  })
  const otherGone = ofOther.body.meta?.['no_longer_listed'] as { attempts: number }
  assert.ok(otherGone.attempts < gone.attempts, 'not what was asked before it asked')
})

/** `told` begins with its instant. */
function isAmong(told: string, hours: number): boolean {
  const at = Date.parse(told.slice(0, 24))
  return (at - Date.parse(startAt) - hourMs) % (hours * hourMs) === 0
}

/** A service whose connection breaks in the middle of a transaction, after that statement was sent. */
function cutOff(service: Service, statement: string): Service {
  const connect = async () => {
    const client = await service.pool.connect()
    const query = async (sent: { readonly name?: string }) => {
      const done = await client.query(sent as never)
      if (sent.name?.startsWith(statement) === true) throw new Error(`killed after ${sent.name}`)
      return done
    }
    return new Proxy(client, { get: (of, name) => (name === 'query' ? query : Reflect.get(of, name)) })
  }
  const pool = new Proxy(service.pool, {
    get: (of, name) => (name === 'connect' ? connect : Reflect.get(of, name)),
  })
  return { ...service, pool }
}
