// If the answer of a terminal cannot be used, the operator is warned, nothing is lost, and the question is repeated.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { listAskings } from '../../../src/service/hearing/intake/asked-channel.ts'
import { listWaysIn } from '../../../src/service/hearing/sources/list-sources.ts'
import { startLine } from '../../sources/line-server.ts'
import { box, journey, otherBox } from '../tracking-harness.ts'
import { openIntake } from './intake-harness.ts'

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
    asking: {
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
    trouble: async () => [...(await listAskings(stage.service)).values()][0],
    spots: () =>
      stage.rows<{ spot: string | null }>(
        `select projection ->> 'yardLocation' as spot from containers order by number`,
      ),
  }
}

for (const [what, status, body, says, rests] of [
  ['a page for people', 200, '<html>Sign in</html>', /not_json/, true],
  ['an error in JSON', 200, '{"error":"try later"}', /wrong_structure/, true],
  ['too many questions', 429, '', /it answered 429/, true],
  ['an access that is not accepted', 401, '{}', /it answered 401/, true],
  ['an access without credits', 403, '{}', /it answered 403/, true],
  ['a fault of its own', 500, 'K-s3cret is no key', /it answered 500/, true],
  ['a refusal of the question', 400, '{}', /it answered 400/, false],
] as const) {
  test(`${what} is reported to the operator and tried again, and changes no box`, async (t) => {
    const stage = await openTrouble(t)
    stage.answers(status, body)
    await stage.track(bill)
    await stage.drain()
    const state = await stage.trouble()
    assert.match(state?.trouble ?? '', says)
    assert.equal(state?.leftAloneUntil !== null, rests)
    assert.ok(!JSON.stringify([state, stage.logged()]).includes('K-s3cret'))
    assert.deepEqual(await stage.spots(), [{ spot: null }, { spot: null }])
    stage.answers(200, JSON.stringify({ units: [{ nbr: box, spot: 'A' }] }))
    await stage.pass(2)
    assert.equal((await stage.trouble())?.trouble, null)
    assert.deepEqual(await stage.spots(), [{ spot: 'A' }, { spot: null }])
  })
}

test('of an incomplete answer the complete part is used', async (t) => {
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

test('a terminal that does not know a box yet is asked again, and that is no trouble', async (t) => {
  const stage = await openTrouble(t)
  await stage.track(bill)
  await stage.drain()
  assert.deepEqual([(await stage.trouble())?.trouble, stage.pier.asked.length], [null, 1])
  stage.answers(404, '')
  await stage.pass(4)
  assert.equal((await stage.trouble())?.trouble, null)
  assert.ok(stage.pier.asked.length > 1)
})

test('a terminal that charges for questions has a default ceiling each day if none is set, and this is shown', async (t) => {
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
  const pier = (await listWaysIn(stage.service, stage.account)).find(({ name }) => name === 'pier')
  assert.deepEqual([pier?.isBilled, pier?.leftAloneBecause], [true, 'ceiling'])
  assert.deepEqual([pier?.budget?.ceiling, pier?.budget?.isCeilingSupposed], [{ perDay: 100 }, true])
  await stage.pass(24)
  assert.ok(stage.pier.asked.length > 2, 'another day')
})

test('a terminal that asks for a pause is not asked for that long', async (t) => {
  const stage = await openTrouble(t)
  stage.answers(429, '', { 'retry-after': '1800' })
  await stage.track(bill)
  await stage.drain()
  const asked = stage.pier.asked.length
  stage.clock.set(stage.clock.now() + 1_700_000)
  await stage.drain()
  assert.equal(stage.pier.asked.length, asked)
})
