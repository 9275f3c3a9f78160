// The account's own work: what waits, what is under way with its rate, what was tried in vain, and nothing of others.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { workBatchQueue } from '../../../src/modules/tracking-requests/work-queue.ts'
import { countedMax } from '../../../src/pipeline/jobs/list-jobs-sql.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { giveAccess } from '../../support/service.ts'

let api: TestApi
let carrier: Carrier

before(async () => {
  api = await openTestApi({
    startAt: '2026-02-01T00:00:00Z',
    env: { LANDFALL_RATE_LIMIT_CREATE: '5', LANDFALL_RATE_LIMIT_STORE: 'database' },
  })
  carrier = await openCarrier()
  await giveAccess(api, { scac: 'HLCU', profile: carrier.profile('HLCU') })
})
after(async () => {
  await carrier.close()
  await api.close()
})

type Attributes = Readonly<Record<string, unknown>>
const jobsOf = async (key = api.key): Promise<ReadonlyMap<string, Attributes>> =>
  new Map(
    (await api.call({ url: '/v2/jobs', key })).many().map(({ attributes }) => [String(attributes['kind']), attributes]),
  )
const batchOf = (count: number, key = api.key) =>
  api.call({
    method: 'POST',
    url: '/v2/tracking_requests/batch',
    key,
    body: {
      data: Array.from({ length: count }, (_, at) => ({
        type: 'tracking_request',
        attributes: {
          request_type: 'bill_of_lading',
          request_number: `HLCUJOBS000000${String(at).padStart(2, '0')}`,
          scac: 'HLCU',
        },
      })),
    },
  })

test('lists every queue, also an empty one', async () => {
  const key = await api.newKey(await api.newAccount(), ['read'])
  const jobs = await jobsOf(key)
  assert.deepEqual([...jobs.keys()], ['reading', 'documents', 'emails', 'deliveries', 'charges'])
  for (const [kind, job] of jobs) assert.deepEqual([job['state'], job['waiting'], job['failing']], ['idle', 0, 0], kind)
})

test('shows the progress, rate and remaining time of a running batch', async () => {
  await batchOf(12)
  assert.equal((await jobsOf()).get('batch')?.['remaining_seconds'], 120, 'as the limit allows')
  api.clock.advance(60_000)
  while ((await jobsOf()).get('batch')?.['done'] !== 10) await workBatchQueue(api.service)
  const job = (await jobsOf()).get('batch') ?? {}
  assert.deepEqual(
    [job['state'], job['done'], job['total'], job['waiting'], job['per_minute'], job['remaining_seconds']],
    ['working', 10, 12, 2, 10, 60],
  )
  api.clock.advance(60_000)
  while ((await jobsOf()).has('batch')) await workBatchQueue(api.service)
})

test('shows the reason and the next attempt of a failed job, without internal details', async () => {
  await api.service.pool.query(
    `insert into tasks (account_id, tracking_request_id, kind, payload, attempts, last_error, not_before)
     select account_id, id, 'absorb', '{}', 3, 'relation "secret" does not exist', '2026-02-02T00:00:00Z'
       from tracking_requests where account_id = $1 limit 1`,
    [api.context.account.id],
  )
  const answer = await api.call({ url: '/v2/jobs' })
  assert.doesNotMatch(answer.text, /secret/)
  const job = (await jobsOf()).get('reading') ?? {}
  assert.equal(job['state'], 'failing')
  const [failure] = job['failures'] as readonly Attributes[]
  assert.match(String(failure?.['name']), /^HLCUJOBS/)
  assert.deepEqual(
    [failure?.['reason'], failure?.['attempts'], failure?.['next_attempt_at']],
    ['fault', 3, '2026-02-02T00:00:00Z'],
  )
})

test('shows the jobs of an account to no other account, and refuses a request without a key', async () => {
  const stranger = await jobsOf(await api.newKey(await api.newAccount(), ['read']))
  assert.equal(stranger.get('reading')?.['failing'], 0)
  assert.equal((await api.call({ url: '/v2/jobs', key: null })).status, 401)
})

test('stops counting at ten thousand waiting rows and states this in the answer', async () => {
  await api.service.pool.query(
    `insert into tasks (account_id, tracking_request_id, kind, payload)
     select $1, gen_random_uuid(), 'absorb', '{}' from generate_series(1, $2::int)`,
    [api.context.account.id, countedMax + 1],
  )
  const job = (await jobsOf()).get('reading') ?? {}
  assert.deepEqual([job['waiting'], job['waiting_is_more']], [countedMax, true])
})
