import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openPool } from '../../../src/db/database.ts'
import { databaseWindows, memoryWindows, type QuotaWindows } from '../../../src/modules/usage/quota-windows.ts'
import { openValkeyWindows } from '../../../src/modules/usage/valkey-windows.ts'
import { type ManualClock, manualClock, realClock } from '../../../src/platform/clock.ts'
import { uuidV7 } from '../../../src/platform/ids.ts'
import { openTestDatabase, type TestDatabase } from '../../support/database.ts'

const accountOf = () => uuidV7(Date.now())
const of = (accountId: string, limit: number, count = 1) => ({ accountId, bucket: 'default', limit, count }) as const

/** What every store of rate limits does, with a clock that the test moves. */
function countsAlike(open: (clock: ManualClock) => QuotaWindows): void {
  test('refuses the 101st request within 60 seconds, and accepts it when its wait is over', async () => {
    const clock = manualClock(1_700_000_000_000)
    const windows = open(clock)
    const accountId = accountOf()
    for (let turn = 0; turn < 100; turn += 1) {
      assert.equal((await windows.take(of(accountId, 100))).acquired, 1, String(turn))
      clock.advance(100)
    }
    const refused = await windows.take(of(accountId, 100))
    assert.equal(refused.acquired, 0)
    assert.deepEqual(refused.laterMs, [50_000])
    clock.advance(49_999)
    assert.equal((await windows.take(of(accountId, 100))).acquired, 0)
    clock.advance(1)
    assert.equal((await windows.take(of(accountId, 100))).acquired, 1)
    assert.equal((await windows.take(of(accountId, 100))).acquired, 0)
  })

  test('reports how many requests an account made in the last 60 seconds, without counting a new one', async () => {
    const clock = manualClock(1_700_000_000_000)
    const windows = open(clock)
    const accountId = accountOf()
    const held = () => windows.held({ accountId, bucket: 'default' })
    assert.equal(await held(), 0)
    await windows.take(of(accountId, 5, 2))
    clock.advance(30_000)
    await windows.take(of(accountId, 5))
    assert.deepEqual([await held(), await held()], [3, 3])
    clock.advance(30_000)
    assert.equal(await held(), 1)
  })

  test('limits each account and each bucket separately', async () => {
    const windows = open(manualClock(1_700_000_000_000))
    const [one, other] = [accountOf(), accountOf()]
    assert.equal((await windows.take(of(one, 1))).acquired, 1)
    assert.equal((await windows.take(of(one, 1))).acquired, 0)
    assert.equal((await windows.take(of(other, 1))).acquired, 1)
    assert.equal((await windows.take({ ...of(one, 1), bucket: 'infer' })).acquired, 1)
  })

  test('a batch gets the free slots at once, and a waiting time for each remaining item', async () => {
    const clock = manualClock(1_700_000_000_000)
    const windows = open(clock)
    const accountId = accountOf()
    await windows.take(of(accountId, 3))
    clock.advance(10_000)
    const { acquired: taken, laterMs } = await windows.take(of(accountId, 3, 7))
    assert.equal(taken, 2)
    assert.deepEqual(laterMs, [50_000, 60_000, 60_000, 110_000, 120_000])
  })

  test('an all-or-nothing reservation takes no slot if one is missing, and states when enough slots are free', async () => {
    const clock = manualClock(1_700_000_000_000)
    const windows = open(clock)
    const accountId = accountOf()
    const whole = (count: number) => windows.take({ ...of(accountId, 10, count), isWhole: true })
    assert.deepEqual(await whole(4), { acquired: 4, laterMs: [] })
    clock.advance(1_000)
    assert.deepEqual(await whole(3), { acquired: 3, laterMs: [] })
    clock.advance(1_000)
    assert.deepEqual(await whole(5), { acquired: 0, laterMs: [58_000, 58_000] })
    assert.deepEqual((await whole(8)).laterMs.at(-1), 59_000)
    assert.deepEqual(await whole(3), { acquired: 3, laterMs: [] })
    assert.deepEqual(await whole(1), { acquired: 0, laterMs: [58_000] })
    clock.advance(58_000)
    assert.equal((await whole(4)).acquired, 4)
  })

  test('a clock that is set back makes no request wait longer than a minute', async () => {
    const clock = manualClock(1_700_000_000_000)
    const windows = open(clock)
    const accountId = accountOf()
    await windows.take(of(accountId, 2, 2))
    clock.advance(-3_600_000)
    assert.deepEqual(await windows.take(of(accountId, 2)), { acquired: 0, laterMs: [60_000] })
    clock.advance(60_000)
    assert.equal((await windows.take(of(accountId, 2))).acquired, 1)
  })

  test('a lowered limit also counts the requests made under the higher limit', async () => {
    const clock = manualClock(1_700_000_000_000)
    const windows = open(clock)
    const accountId = accountOf()
    for (let turn = 0; turn < 10; turn += 1) {
      await windows.take(of(accountId, 10))
      clock.advance(1_000)
    }
    assert.deepEqual(await windows.take(of(accountId, 3)), { acquired: 0, laterMs: [57_000] })
  })
}

describe('request limits counted in memory', () => countsAlike(memoryWindows))

describe('request limits counted in the database', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database.close())

  countsAlike((clock) => databaseWindows(database.pool, clock))

  test('many concurrent requests from several pools get exactly the limit', async () => {
    const pools = [1, 2, 3].map(() => openPool({ connection: database.url, connectionsMax: 5 }))
    const windows = pools.map((pool) => databaseWindows(pool, null))
    const accountId = accountOf()
    try {
      const answers = await Promise.all(
        Array.from({ length: 300 }, (_, turn) => (windows[turn % 3] as QuotaWindows).take(of(accountId, 100))),
      )
      assert.equal(answers.filter(({ acquired: taken }) => taken === 1).length, 100)
      for (const { acquired: taken, laterMs } of answers) {
        if (taken === 1) continue
        assert.ok((laterMs[0] ?? 0) > 50_000 && (laterMs[0] ?? 0) <= 60_000, String(laterMs))
      }
      const batches = await Promise.all(
        Array.from({ length: 12 }, (_, turn) =>
          (windows[turn % 3] as QuotaWindows).take({ ...of(accountId, 100, 17), bucket: 'create' }),
        ),
      )
      assert.equal(
        batches.reduce((sum, { acquired: taken }) => sum + taken, 0),
        100,
      )
    } finally {
      for (const pool of pools) await pool.end()
    }
  })
})

/** The test starts its own server if the machine has the program; LANDFALL_TEST_VALKEY_URL names another server. */
const program = ['valkey-server', 'redis-server'].find((name) => spawnSync(name, ['--version']).status === 0)
const given = process.env['LANDFALL_TEST_VALKEY_URL']
const skip =
  given === undefined && program === undefined
    ? 'neither LANDFALL_TEST_VALKEY_URL nor valkey-server or redis-server on the PATH'
    : false

describe('request limits counted in Valkey', { skip }, () => {
  let url = given ?? ''
  let stop = async (): Promise<void> => {}
  before(async () => {
    if (given !== undefined || program === undefined) return
    const folder = mkdtempSync(join(tmpdir(), 'landfall-valkey-'))
    const port = await freePort()
    const child = spawn(program, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder])
    for await (const line of child.stdout.setEncoding('utf8')) if (/ready to accept/i.test(line)) break
    url = `redis://127.0.0.1:${port}`
    stop = async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
      rmSync(folder, { recursive: true })
    }
  })
  after(() => stop())

  test('many concurrent requests from several connections get exactly the limit, and wait long enough', async () => {
    const windows = [1, 2, 3].map(() => openValkeyWindows(url))
    const accountId = accountOf()
    try {
      const answers = await Promise.all(
        Array.from({ length: 300 }, (_, turn) => (windows[turn % 3] as QuotaWindows).take(of(accountId, 100))),
      )
      assert.equal(answers.filter(({ acquired: taken }) => taken === 1).length, 100)
      const first = windows[0] as QuotaWindows
      const refused = await first.take(of(accountId, 100, 250))
      assert.equal(refused.acquired, 0)
      assert.equal(refused.laterMs.length, 250)
      for (const [place, ms] of refused.laterMs.entries()) {
        const round = Math.floor(place / 100)
        assert.ok(ms > 55_000 + round * 60_000 && ms <= 60_000 * (round + 1), `${place}: ${ms}`)
      }
      assert.equal((await first.take(of(accountId, 30))).acquired, 0)
    } finally {
      for (const each of windows) each.close()
    }
  })

  test('treats a request time in the future as the present time', async () => {
    const { Valkey } = await import('iovalkey')
    const client = new Valkey(url)
    const windows = openValkeyWindows(url)
    const accountId = accountOf()
    try {
      const later = String((Date.now() + 3_600_000) * 1_000)
      await client.rpush(`landfall:limits:{${accountId}}:default`, later, later)
      const { acquired: taken, laterMs } = await windows.take(of(accountId, 2))
      assert.equal(taken, 0)
      assert.deepEqual(laterMs, [60_000])
    } finally {
      windows.close()
      client.disconnect()
    }
  })
})

test('notices an unreachable Valkey within two seconds', async () => {
  const windows = openValkeyWindows(`redis://127.0.0.1:${await freePort()}`)
  const startedAt = realClock.now()
  await assert.rejects(windows.take(of(accountOf(), 1)))
  assert.ok(realClock.now() - startedAt < 2_000)
  windows.close()
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
