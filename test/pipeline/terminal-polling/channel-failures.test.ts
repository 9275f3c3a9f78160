// A channel whose answer is bad or missing, or comes while a process ends: nothing is lost, nothing is used twice, and
// the operator sees it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeChannel } from '../../../src/modules/channels/channels.ts'
import { listPollStates } from '../../../src/modules/channels/poll-config.ts'
import { takeDueChannelPolls } from '../../../src/pipeline/terminal-polling/due-channel-polls.ts'
import { pollChannel } from '../../../src/pipeline/terminal-polling/poll-channel.ts'
import { createEgress } from '../../../src/platform/egress.ts'
import { journey } from '../../support/tracking-harness.ts'
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
} from './polled-channel-harness.ts'

async function stateOf(stage: AskingStage) {
  const [state = assert.fail()] = (await listPollStates(stage.service)).values()
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

test('pauses all polls of a line that asks for a pause, and resumes them afterwards', async (t) => {
  const stage = await openBadly(t, answers(429, '', { 'retry-after': '1800' }))
  assert.deepEqual(await failing(stage), [['unreachable', 'it answered 429']])
  const { cooldownUntil: leftAloneUntil, trouble } = await stateOf(stage)
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
  assert.deepEqual([(await stateOf(stage)).cooldownUntil, (await stateOf(stage)).trouble], [null, null])
})

test('shows the operator rejected credentials and HTML pages, and keeps them out of the ledger', async (t) => {
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

test('failed polls extend the polling interval of a channel up to a day; new secrets cause a poll at once', async (t) => {
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
    pollConfig: {
      profile: { base: publisher.base, auth: { keyHeaders: { 'x-api-key': 'apiKey' }, oauth: null } },
      secrets: { apiKey: 'another' },
    },
  })
  await stage.drain()
  assert.equal(stage.questions().length, asked + 1)
  assert.equal(publisher.asked.at(-1)?.headers['x-api-key'], 'another')
  assert.equal((await stateOf(stage)).trouble, null)
})

test('a missing notice is no operator issue, whether the line answers with an empty list or 404', async (t) => {
  for (const answer of [tells(), answers(404), answers(204)]) {
    const stage = await openBadly(t, answer)
    const { trouble, failing: inVain } = await stateOf(stage)
    assert.deepEqual([trouble, inVain], [null, 0])
    assert.deepEqual(await stage.rows('select from inbound_messages'), [])
    const [next = assert.fail()] = await stage.numbers()
    assert.ok(next.hours > 1)
  }
})

test('polls a line for one document at a time after it refuses several at once', async (t) => {
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

test('uses the pages that were received although another failed, and polls again', async (t) => {
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

test('if a process ends before it stores an answer, another process polls again when the lease expires', async (t) => {
  const stage = await openAsking(t)
  await stage.openAsked()
  await changeChannel(stage.service, { name: 'notices', isEnabled: false })
  stage.publisher.answers(tells(noticeOf(bill)))
  await stage.track(bill)
  await stage.drain()
  await changeChannel(stage.service, { name: 'notices', isEnabled: true })
  // Killed with its question under way.
  assert.equal((await takeDueChannelPolls(stage.service, 10)).length, 1)
  await stage.drain()
  assert.deepEqual(stage.questions(), [])
  stage.clock.advance(200_000)
  await stage.drain()
  assert.deepEqual(stage.questions(), [bill])
  assert.ok((await standing(stage)).includes('pickup_number'))
})

test('uses an answer once if the process ends after storing it and before recording the poll', async (t) => {
  const stage = await openBadly(t, tells(noticeOf(bill)))
  await stage.rows(
    `update asked_numbers set asked_at = null, succeeded_at = null, answer_hash = null, next_ask_at = now() - interval '10 years'`,
  )
  await stage.drain()
  assert.equal(stage.questions().length, 2)
  assert.equal((await stage.rows('select from inbound_messages')).length, 1)
  assert.equal((await stage.rows('select from hearings')).length, 1)
})

test('only one of two processes polls, and a process with an expired lease overwrites nothing', async (t) => {
  const stage = await openAsking(t)
  await stage.openAsked()
  await changeChannel(stage.service, { name: 'notices', isEnabled: false })
  await stage.track(bill)
  await stage.drain()
  await changeChannel(stage.service, { name: 'notices', isEnabled: true })
  const taken = await Promise.all([takeDueChannelPolls(stage.service, 5), takeDueChannelPolls(stage.service, 5)])
  const [slow = assert.fail(), ...others] = taken.flat()
  assert.equal(others.length, 0)
  stage.clock.advance(200_000)
  const [quick = assert.fail()] = await takeDueChannelPolls(stage.service, 5)
  stage.publisher.answers(tells(noticeOf(bill)))
  await pollChannel(stage.service, quick)
  const noted = () => stage.rows('select * from asked_numbers')
  const before = await noted()
  await pollChannel(stage.service, slow)
  assert.deepEqual(await noted(), before)
  await stage.drain()
  assert.equal((await stage.rows('select from hearings')).length, 1)
})

test('polls a channel no faster than its profile allows, however many polls are due', async (t) => {
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

test('sends nothing to a forbidden local address, and shows the operator why', async (t) => {
  const stage = await openAsking(t)
  await stage.openAsked()
  await changeChannel(stage.service, { name: 'notices', isEnabled: false })
  await stage.track(bill)
  await stage.drain()
  await changeChannel(stage.service, { name: 'notices', isEnabled: true })
  const egress = createEgress({ allowedNetworks: [], allowLoopback: false })
  t.after(() => egress.close())
  const guarded = { ...stage.service, carrierEgress: () => egress }
  for (const job of await takeDueChannelPolls(guarded, 5)) await pollChannel(guarded, job)
  assert.deepEqual(stage.questions(), [])
  assert.match((await stateOf(stage)).trouble ?? '', /^refused: /)
})
