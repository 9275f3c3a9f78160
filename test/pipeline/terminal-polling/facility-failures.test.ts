// If the answer of a terminal cannot be used, the operator is warned, nothing is lost, and the question is repeated.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { listPollStates } from '../../../src/modules/channels/poll-config.ts'
import { listSourceOverviews } from '../../../src/modules/sources/list-sources.ts'
import { startLine } from '../../connectors/line-server.ts'
import { box, journey, otherBox } from '../../support/tracking-harness.ts'
import { openIntake } from '../ingestion/ingestion-harness.ts'

const bill = 'HLCUSHA260100077'
const answer = {
  verified: false,
  stands: [{ port: 'USLAX' }],
  boxes: '/units/*',
  number: '/nbr',
  facts: { yard_location: { at: '/spot' } },
}

async function openTrouble(t: TestContext, profile: Readonly<Record<string, unknown>> = {}) {
  const stage = await openIntake(t)
  let now: { readonly status: number; readonly body: string; readonly headers?: Record<string, string> } = {
    status: 200,
    body: '{"units":[]}',
  }
  const pier = await startLine((_, response) => {
    response.writeHead(now.status, { 'content-type': 'application/json', ...now.headers })
    response.end(now.body)
  })
  t.after(() => pier.close())
  stage.carrier.answers({ json: journey(bill, 'discharged', [box, otherBox]) }, bill)
  await stage.open({
    name: 'pier',
    source: 'facility',
    speaker: { kind: 'terminal', code: 'Y258' },
    profile: answer,
    pollConfig: {
      profile: { base: pier.base, path: '/{secret:apiKey}/{numbers}', batchMax: 20, rate: {}, ...profile },
      secrets: { apiKey: 'K-s3cret' },
    },
  })
  return {
    ...stage,
    pier,
    answers: (status: number, body: string, headers: Record<string, string> = {}) => {
      now = { status, body, headers }
    },
    trouble: async () => [...(await listPollStates(stage.service)).values()][0],
    spots: () =>
      stage.rows<{ spot: string | null }>(
        `select projection ->> 'yardLocation' as spot from containers order by number`,
      ),
  }
}

for (const [what, status, body, says, rests] of [
  ['an HTML page', 200, '<html>Sign in</html>', /not_json/, true],
  ['an error in JSON', 200, '{"error":"try later"}', /wrong_structure/, true],
  ['a rate limit (429)', 429, '', /it answered 429/, true],
  ['rejected credentials', 401, '{}', /it answered 401/, true],
  ['credentials without credits', 403, '{}', /it answered 403/, true],
  ['a server error', 500, 'K-s3cret is no key', /it answered 500/, true],
  ['a rejected request', 400, '{}', /it answered 400/, false],
] as const) {
  test(`reports ${what} to the operator, retries, and changes no container`, async (t) => {
    const stage = await openTrouble(t)
    stage.answers(status, body)
    await stage.track(bill)
    await stage.drain()
    const state = await stage.trouble()
    assert.match(state?.trouble ?? '', says)
    assert.equal(state?.cooldownUntil !== null, rests)
    assert.ok(!JSON.stringify([state, stage.logged()]).includes('K-s3cret'))
    assert.deepEqual(await stage.spots(), [{ spot: null }, { spot: null }])
    stage.answers(200, JSON.stringify({ units: [{ nbr: box, spot: 'A' }] }))
    await stage.pass(2)
    assert.equal((await stage.trouble())?.trouble, null)
    assert.deepEqual(await stage.spots(), [{ spot: 'A' }, { spot: null }])
  })
}

test('uses the complete part of an incomplete answer', async (t) => {
  const stage = await openTrouble(t)
  const whole = JSON.stringify({
    units: [
      { nbr: box, spot: 'A' },
      { nbr: otherBox, spot: 'B' },
    ],
  })
  stage.answers(200, whole.slice(0, -12))
  await stage.track(bill)
  await stage.drain()
  assert.deepEqual(await stage.spots(), [{ spot: 'A' }, { spot: null }])
})

test('polls a terminal again that does not know a container yet, without an operator issue', async (t) => {
  const stage = await openTrouble(t)
  await stage.track(bill)
  await stage.drain()
  assert.deepEqual([(await stage.trouble())?.trouble, stage.pier.asked.length], [null, 1])
  stage.answers(404, '')
  await stage.pass(4)
  assert.equal((await stage.trouble())?.trouble, null)
  assert.ok(stage.pier.asked.length > 1)
})

test('a terminal that bills each request has a default daily quota if none is set, and this is shown', async (t) => {
  const stage = await openTrouble(t, { isBilled: true })
  const logged = (name: string) => stage.logged().filter(({ event }) => event === name)
  assert.partialDeepStrictEqual(logged('credential.without_ceiling'), [{ level: 'warn', perDay: 100 }])
  stage.answers(200, JSON.stringify({ units: [{ nbr: box, spot: 'A' }] }))
  await stage.track(bill)
  await stage.drain()
  assert.equal(stage.pier.asked.length, 1)
  await stage.rows(
    `update channel_queue set spending = spending || '{"today": 99, "month": 99}' where lane = 'askings'`,
  )
  await stage.pass(4)
  assert.equal(stage.pier.asked.length, 2, 'the hundredth, and no other that day')
  assert.equal(logged('ceiling.reached').length, 1)
  const pier = (await listSourceOverviews(stage.service, stage.account)).find(({ name }) => name === 'pier')
  assert.deepEqual([pier?.isBilled, pier?.cooldownReason], [true, 'ceiling'])
  assert.deepEqual([pier?.budget?.quota, pier?.budget?.isQuotaDefault], [{ perDay: 100 }, true])
  await stage.pass(24)
  assert.ok(stage.pier.asked.length > 2, 'another day')
})

test('does not poll a terminal during a pause that the terminal asked for', async (t) => {
  const stage = await openTrouble(t)
  stage.answers(429, '', { 'retry-after': '1800' })
  await stage.track(bill)
  await stage.drain()
  const asked = stage.pier.asked.length
  stage.clock.set(stage.clock.now() + 1_700_000)
  await stage.drain()
  assert.equal(stage.pier.asked.length, asked)
})
