import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Context } from '../../src/service/context.ts'
import { type KeptAnswer, type Run, runOnce } from '../../src/service/idempotency/run-once.ts'
import { releaseLeasesOfTheDead } from '../../src/service/setup/release-leases.ts'
import { openTestService, type TestService } from '../support/service.ts'

let running: TestService
let context: Context
before(async () => {
  running = await openTestService()
  context = await running.newAccount()
})
after(() => running.close())

const asked = (key: string) => ({ route: 'POST /v2/webhooks', key, content: '/v2/webhooks\n{}' })
const answer: KeptAnswer = { status: 201, headers: { 'content-type': 'x' }, body: Buffer.from([0, 255, 10]) }
const start = async (key: string): Promise<Run> => {
  const run = await runOnce(running.service, context, asked(key))
  assert.equal(run.kind, 'run')
  return run as Run
}

test('whoever has waited long enough for the first is told to come again', async () => {
  const first = await start('slow')
  await assert.rejects(runOnce(running.service, context, asked('slow'), 60), {
    code: 'conflict',
    retryAfterSeconds: 5,
  })
  await first.keep(answer)
  assert.deepEqual(await runOnce(running.service, context, asked('slow')), { kind: 'replay', answer })
})

test('whoever waits runs when the first has failed', async () => {
  const first = await start('failing')
  const second = runOnce(running.service, context, asked('failing'))
  await first.forget()
  assert.equal((await second).kind, 'run')
  await ((await second) as Run).forget()
})

test('a process that was frozen past its lease does not overwrite the answer of the one that took over', async () => {
  const frozen = await start('frozen')
  running.clock.advance(10_000)
  const next = await start('frozen')
  await next.keep(answer)
  await frozen.keep({ ...answer, body: Buffer.from('stale') })
  assert.deepEqual(await runOnce(running.service, context, asked('frozen')), { kind: 'replay', answer })
  assert.ok(running.logged().some(({ event }) => event === 'idempotency.answer_lost'))
})

test('after a crash of the only process its keys are free at once', async () => {
  const dead = await start('dead')
  await releaseLeasesOfTheDead(running.service)
  const next = await start('dead')
  await next.forget()
  await dead.forget()
})
