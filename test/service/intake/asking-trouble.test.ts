// A channel whose answer is bad or missing, or comes while a process ends: nothing is lost, nothing is used twice, and
// the operator sees it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEgress } from '../../../src/platform/egress.ts'
import { askChannel } from '../../../src/service/hearing/asking/ask-channel.ts'
import { takeAskings } from '../../../src/service/hearing/asking/take-askings.ts'
import { listAskings } from '../../../src/service/hearing/intake/asked-channel.ts'
import { changeChannel } from '../../../src/service/hearing/intake/channels.ts'
import { journey } from '../tracking-harness.ts'
import {
  type AskingStage,
  answers,
  apiKey,
  bill,
  noticeOf,
  openAsking,
  otherBill,
  standing,
  tells,
} from './asking-harness.ts'

async function stateOf(stage: AskingStage) {
  const [state = assert.fail()] = (await listAskings(stage.service)).values()
  return state
}

const hours = 3_600_000

async function failing(stage: AskingStage): Promise<readonly unknown[]> {
  return stage
    .logged()
    .filter(({ event }) => event === 'channel.ask_failed')
    .map(({ reason, detail }) => [reason, detail])
}

async function openBadly(
  t: Parameters<typeof openAsking>[0],
  answer: Parameters<AskingStage['publisher']['answers']>[0],
): Promise<AskingStage> {
  const stage = await openAsking(t)
  await stage.openAsked()
  stage.publisher.answers(answer)
  await stage.track(bill)
  await stage.drain()
  return stage
}

test('a line that asks for a pause is not asked for that long, for all its numbers; then its notice is used', async (t) => {
  const stage = await openBadly(t, answers(429, '', { 'retry-after': '1800' }))
  assert.deepEqual(await failing(stage), [['unreachable', 'it answered 429']])
  const { leftAloneUntil, trouble } = await stateOf(stage)
  assert.equal(Date.parse(String(leftAloneUntil)) - stage.clock.now(), 1_800_000)
  assert.equal(trouble, 'it answered 429')
  stage.carrier.answers({ json: journey(otherBill, 'sailed', ['LDFU1000023']) }, otherBill)
  await stage.track(otherBill)
  stage.clock.advance(1_000_000)
  await stage.drain()
  assert.equal(stage.questions().length, 1)
  stage.publisher.answers(tells(noticeOf(bill)))
  stage.clock.advance(1_000_000)
  await stage.drain()
  assert.deepEqual(stage.questions().toSorted(), [bill, bill, otherBill])
  assert.ok((await standing(stage)).includes('pickup_number'))
  assert.deepEqual([(await stateOf(stage)).leftAloneUntil, (await stateOf(stage)).trouble], [null, null])
})

test('an access that is not accepted, and a page for people, are shown to the operator and kept from the ledger', async (t) => {
  for (const [answer, reason, detail] of [
    [answers(401, 'who?'), 'access_denied', 'it answered 401'],
    [
      answers(200, '<html><title>Sign in</title></html>', { 'content-type': 'text/html' }),
      'unrecognized',
      'not_json: this is not JSON',
    ],
    [answers(302, '', { location: 'https://sign-in.example' }), 'unrecognized', 'it answered 302'],
    [answers(503), 'unreachable', 'it answered 503'],
  ] as const) {
    const stage = await openBadly(t, answer)
    assert.deepEqual(await failing(stage), [[reason, detail]])
    const state = await stateOf(stage)
    assert.deepEqual([state.trouble, state.answeredAt, state.numbers, state.failing], [detail, null, 1, 1])
    assert.deepEqual(await stage.rows('select from inbound_messages'), [])
    assert.ok(!JSON.stringify(stage.logged()).includes(apiKey))
  }
})

test('failures stretch the gap, up to a day; with other secrets it is asked again at once', async (t) => {
  const stage = await openBadly(t, answers(403))
  const gaps: number[] = []
  for (let days = 0; days < 8; days += 1) {
    gaps.push((await stage.numbers())[0]?.hours ?? assert.fail())
    await stage.pass(24)
  }
  assert.equal(gaps[0], 0.3)
  assert.deepEqual(
    gaps,
    gaps.toSorted((a, b) => a - b),
  )
  assert.ok((gaps.at(-1) ?? 0) <= 24 && stage.questions().length < 30)
  stage.publisher.answers(tells(noticeOf(bill)))
  const asked = stage.questions().length
  const { publisher } = stage
  await changeChannel(stage.service, {
    name: 'notices',
    asking: {
      profile: { base: publisher.base, auth: { keyHeaders: { 'x-api-key': 'apiKey' }, oauth: null } },
      secrets: { apiKey: 'another' },
    },
  })
  await stage.drain()
  assert.equal(stage.questions().length, asked + 1)
  assert.equal(publisher.asked.at(-1)?.headers['x-api-key'], 'another')
  assert.equal((await stateOf(stage)).trouble, null)
})

test('no notice yet is no trouble, whether a line answers with none or with 404', async (t) => {
  for (const answer of [tells(), answers(404), answers(204)]) {
    const stage = await openBadly(t, answer)
    const { trouble, failing: inVain } = await stateOf(stage)
    assert.deepEqual([trouble, inVain], [null, 0])
    assert.deepEqual(await stage.rows('select from inbound_messages'), [])
    const [next = assert.fail()] = await stage.numbers()
    assert.ok(next.hours > 1)
  }
})

test('a line that refuses several documents at once is asked for one at a time afterwards', async (t) => {
  const stage = await openAsking(t)
  await stage.openAsked({ how: { batchMax: 5 } })
  await changeChannel(stage.service, { name: 'notices', isEnabled: false })
  stage.carrier.answers({ json: journey(otherBill, 'sailed', ['LDFU1000023']) }, otherBill)
  stage.publisher.answers((asked, response) => {
    const isOne = asked.url.searchParams.get('transportDocumentReferences')?.includes(',') === false
    ;(isOne ? tells(noticeOf(bill)) : answers(400))(asked, response)
  })
  await stage.track(bill)
  await stage.track(otherBill)
  await stage.drain()
  await changeChannel(stage.service, { name: 'notices', isEnabled: true })
  await stage.drain()
  assert.deepEqual(stage.questions(), [`${bill},${otherBill}`])
  stage.clock.advance(hours)
  await stage.drain()
  assert.deepEqual(stage.questions().slice(1).toSorted(), [bill, otherBill])
})

test('pages that came are used although another did not come, and the question is repeated', async (t) => {
  const stage = await openBadly(t, (asked, response) => {
    if (asked.url.searchParams.has('cursor')) return answers(500)(asked, response)
    response.setHeader('next-page-cursor', 'two')
    tells(noticeOf(bill))(asked, response)
  })
  assert.ok((await standing(stage)).includes('pickup_number'))
  assert.deepEqual(await failing(stage), [['unreachable', 'it answered 500']])
  const { failures } = (await stage.numbers())[0] ?? assert.fail()
  assert.equal(failures, 1)
})

test('a process that ends before its answer is taken in loses nothing: another asks once the lease is over', async (t) => {
  const stage = await openAsking(t)
  await stage.openAsked()
  await changeChannel(stage.service, { name: 'notices', isEnabled: false })
  stage.publisher.answers(tells(noticeOf(bill)))
  await stage.track(bill)
  await stage.drain()
  await changeChannel(stage.service, { name: 'notices', isEnabled: true })
  // Killed with its question under way.
  assert.equal((await takeAskings(stage.service, 10)).length, 1)
  await stage.drain()
  assert.deepEqual(stage.questions(), [])
  stage.clock.advance(200_000)
  await stage.drain()
  assert.deepEqual(stage.questions(), [bill])
  assert.ok((await standing(stage)).includes('pickup_number'))
})

test('if the process ends after the answer was stored and before this was recorded, the answer is used once', async (t) => {
  const stage = await openBadly(t, tells(noticeOf(bill)))
  await stage.rows(
    `update asked_numbers set asked_at = null, succeeded_at = null, answer_hash = null, next_ask_at = now() - interval '10 years'`,
  )
  await stage.drain()
  assert.equal(stage.questions().length, 2)
  assert.equal((await stage.rows('select from inbound_messages')).length, 1)
  assert.equal((await stage.rows('select from hearings')).length, 1)
})

test('of two processes one asks; one whose lease ran out meanwhile changes nothing that the other noted', async (t) => {
  const stage = await openAsking(t)
  await stage.openAsked()
  await changeChannel(stage.service, { name: 'notices', isEnabled: false })
  await stage.track(bill)
  await stage.drain()
  await changeChannel(stage.service, { name: 'notices', isEnabled: true })
  const taken = await Promise.all([takeAskings(stage.service, 5), takeAskings(stage.service, 5)])
  const [slow = assert.fail(), ...others] = taken.flat()
  assert.equal(others.length, 0)
  stage.clock.advance(200_000)
  const [quick = assert.fail()] = await takeAskings(stage.service, 5)
  stage.publisher.answers(tells(noticeOf(bill)))
  await askChannel(stage.service, quick)
  const noted = () => stage.rows('select * from asked_numbers')
  const before = await noted()
  await askChannel(stage.service, slow)
  assert.deepEqual(await noted(), before)
  await stage.drain()
  assert.equal((await stage.rows('select from hearings')).length, 1)
})

test('the pace of the profile is kept, whatever is due', async (t) => {
  const stage = await openAsking(t)
  await stage.openAsked({ how: { rate: { perMinute: 1 } } })
  stage.carrier.answers({ json: journey(otherBill, 'sailed', ['LDFU1000023']) }, otherBill)
  await stage.track(bill)
  await stage.track(otherBill)
  await stage.drain()
  assert.equal(stage.questions().length, 1)
  stage.clock.advance(61_000)
  await stage.drain()
  assert.equal(stage.questions().length, 2)
})

test('it goes the one guarded way out: where this machine may not be reached, nothing is sent and the operator sees why', async (t) => {
  const stage = await openAsking(t)
  await stage.openAsked()
  await changeChannel(stage.service, { name: 'notices', isEnabled: false })
  await stage.track(bill)
  await stage.drain()
  await changeChannel(stage.service, { name: 'notices', isEnabled: true })
  const egress = createEgress({ allowedNetworks: [], allowLoopback: false })
  t.after(() => egress.close())
  const guarded = { ...stage.service, carrierEgress: () => egress }
  for (const job of await takeAskings(guarded, 5)) await askChannel(guarded, job)
  assert.deepEqual(stage.questions(), [])
  assert.match((await stateOf(stage)).trouble ?? '', /^refused: /)
})
