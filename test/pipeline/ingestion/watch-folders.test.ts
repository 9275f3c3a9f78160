// Files that are put into the folder of a channel: each is read completely and once, by any process; only the folder
// decides about the channel.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { changeChannel, createChannel, getChannel } from '../../../src/modules/channels/channels.ts'
import { ingestDelivery } from '../../../src/pipeline/ingestion/ingest-delivery.ts'
import { inboundFolder, watchFolders } from '../../../src/pipeline/ingestion/watch-folders.ts'
import { openTestService, testSecret } from '../../support/service.ts'
import { journey } from '../../support/tracking-harness.ts'
import { type IntakeStage, openIntake } from './ingestion-harness.ts'

const bill = 'HLCUSHA260100077'
const quietMs = 10_000
const makesPipe = 'mkfifo'

interface FolderStage extends IntakeStage {
  readonly base: string
  /** Names in a folder of a channel, sorted, without its subfolders. */
  readonly names: (...parts: readonly string[]) => readonly string[]
  readonly lay: (folder: string, name: string, content: Buffer | string) => string
  /** Waits until the new file has not changed for long enough. */
  readonly settle: () => Promise<number>
}

async function openFolders(t: TestContext): Promise<FolderStage> {
  const base = mkdtempSync(join(tmpdir(), 'landfall-inbound-'))
  t.after(() => rmSync(base, { recursive: true }))
  const stage = await openIntake(t, { env: { LANDFALL_INBOUND_FOLDER: base } })
  return {
    ...stage,
    base,
    names: (...parts) =>
      readdirSync(join(base, ...parts))
        .filter((name) => !['taking', 'taken', 'refused', 'answers'].includes(name))
        .toSorted(),
    lay: (folder, name, content) => {
      mkdirSync(join(base, folder), { recursive: true })
      writeFileSync(join(base, folder, name), content)
      return join(base, folder, name)
    },
    settle: async () => {
      await watchFolders(stage.service)
      stage.clock.advance(quietMs)
      return watchFolders(stage.service)
    },
  }
}

const messages = (stage: IntakeStage) =>
  stage.rows<{ channel: string; account: string | null; parts: number }>(
    `select c.name as channel, m.account_id as account, m.parts from inbound_messages m
       join channels c on c.id = m.channel_id order by m.received_at, m.id`,
  )
const arrived = (number = bill) => JSON.stringify(journey(number, 'arrived').slice(-1))
/** A message 315 about a container, in an interchange that needs an acknowledgement. */
const x12 = (control: string) =>
  `ISA*00*          *00*          *ZZ*PIER           *ZZ*LANDFALL       *260201*1200*U*00401*${control}*0*P*>~GS*QO*PIER*LANDFALL*20260201*1200*${Number(control)}*X*004010~ST*315*0001~B4***CT*20260117*0900**LDFU*100001*L*45R1*LOS ANGELES*UN*8~SE*3*0001~GE*1*${Number(control)}~IEA*1*${control}~`

test('stores, uses and moves a file in the folder of a channel', async (t) => {
  const stage = await openFolders(t)
  await stage.open({ folder: 'hapag' })
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.track(bill)
  await stage.drain()
  stage.lay('hapag', 'events 1.json', arrived())
  assert.equal(await stage.settle(), 1)
  await stage.drain()
  assert.ok((await stage.milestones()).includes('vessel_arrived'))
  assert.deepEqual(stage.names('hapag'), [])
  assert.deepEqual(stage.names('hapag', 'taking'), [])
  assert.match(stage.names('hapag', 'taken').join(' '), /^[0-9a-f-]{36}_events_1\.json$/)
  const logLines = stage.logged().filter(({ event }) => event === 'file.taken')
  assert.deepEqual(
    logLines.map(({ channel, outcome }) => ({ channel, outcome })),
    [{ channel: 'hapag', outcome: 'taken' }],
  )
  assert.doesNotMatch(JSON.stringify(logLines), /events/, 'names of files are words of the sender')
})

test('does not read a file that still grows or is named as incomplete', async (t) => {
  const stage = await openFolders(t)
  await stage.open({ folder: 'hapag' })
  const whole = arrived()
  const path = stage.lay('hapag', 'events.json', whole.slice(0, 100))
  for (const name of ['a.part', 'b.TMP', 'c.filepart', '.d.json', 'e~']) stage.lay('hapag', name, whole)
  await watchFolders(stage.service)
  stage.clock.advance(quietMs - 1)
  appendFileSync(path, whole.slice(100))
  assert.equal(await watchFolders(stage.service), 0)
  stage.clock.advance(quietMs - 1)
  assert.equal(await watchFolders(stage.service), 0, 'it changed a moment ago')
  stage.clock.advance(1)
  assert.equal(await watchFolders(stage.service), 1)
  assert.deepEqual(stage.names('hapag'), ['.d.json', 'a.part', 'b.TMP', 'c.filepart', 'e~'])
  renameSync(join(stage.base, 'hapag', 'a.part'), join(stage.base, 'hapag', 'a.json'))
  assert.equal(await stage.settle(), 1)
  assert.deepEqual(
    (await messages(stage)).map(({ parts }) => parts),
    [1, 1],
  )
})

test('rejects a file that is not regular, too large or empty, and writes the reason beside it', async (t) => {
  const stage = await openFolders(t)
  await stage.open({ folder: 'hapag' })
  const secret = stage.lay('.', 'secret.json', arrived())
  stage.lay('hapag', 'empty.json', '')
  stage.lay('hapag', 'large.json', '')
  truncateSync(join(stage.base, 'hapag', 'large.json'), 33 * 1_048_576)
  symlinkSync(secret, join(stage.base, 'hapag', 'link.json'))
  symlinkSync(stage.base, join(stage.base, 'hapag', 'folder-link'))
  linkSync(secret, join(stage.base, 'hapag', 'second.json'))
  execFileSync(makesPipe, [join(stage.base, 'hapag', 'pipe.json')])
  mkdirSync(join(stage.base, 'hapag', 'archive'))
  assert.equal(await stage.settle(), 6)
  assert.deepEqual(stage.names('hapag'), ['archive'])
  assert.deepEqual(await messages(stage), [])
  assert.equal(readFileSync(secret, 'utf8'), arrived())
  const refused = stage.names('hapag', 'refused').map((name) => name.slice(37))
  assert.deepEqual(
    refused.toSorted(),
    ['empty.json', 'folder-link', 'large.json', 'link.json', 'pipe.json', 'second.json']
      .flatMap((name) => [name, `${name}.reason.txt`])
      .toSorted(),
  )
  const reason = stage.names('hapag', 'refused').find((name) => name.endsWith('large.json.reason.txt')) ?? ''
  assert.match(readFileSync(join(stage.base, 'hapag', 'refused', reason), 'utf8'), /^It has 34603008 bytes/)
})

test('does not write to a folder that is a symbolic link, and continues with other folders', async (t) => {
  const stage = await openFolders(t)
  await stage.open({ folder: 'hapag' })
  await stage.open({ name: 'other', folder: 'other' })
  const outside = join(stage.base, 'outside')
  mkdirSync(outside)
  stage.lay('hapag', 'events.json', arrived())
  symlinkSync(outside, join(stage.base, 'hapag', 'taken'))
  stage.lay('other', 'events.json', arrived())
  assert.equal(await stage.settle(), 1)
  assert.deepEqual(readdirSync(outside), [])
  assert.deepEqual(
    (await messages(stage)).map(({ channel }) => channel),
    ['other'],
  )
  assert.equal(stage.logged().filter(({ event }) => event === 'file.failed').length, 1, 'told once, then it rests')
})

test('if a process is killed before moving an ingested file, the next process moves the file without using it again', async (t) => {
  const stage = await openFolders(t)
  await stage.open({ folder: 'pier', name: 'pier', source: 'x12', profile: {}, acknowledges: '997' })
  const id = '0190f5a2-0000-7000-8000-000000000001'
  await watchFolders(stage.service)
  // The state after the kill: committed, but not acknowledged and not moved.
  stage.lay('pier/taking', `${id}_hold.edi`, x12('000000007'))
  await ingestDelivery(stage.service, await getChannel(stage.service, 'pier'), {
    body: Buffer.from(x12('000000007')),
    contentType: null,
    idempotencyKey: `file:${id}`,
  })
  assert.equal(await watchFolders(stage.service), 0)
  stage.clock.advance(59_000)
  assert.equal(await watchFolders(stage.service), 0, 'whoever claimed it may still be at it')
  stage.clock.advance(1_000)
  assert.equal(await watchFolders(stage.service), 1)
  assert.equal((await messages(stage)).length, 1)
  assert.deepEqual(stage.names('pier', 'taken'), [`${id}_hold.edi`])
  const [answer = ''] = stage.names('pier', 'answers')
  assert.equal(answer, `${id}_hold.edi.997`)
  assert.match(readFileSync(join(stage.base, 'pier', 'answers', answer), 'utf8'), /^ISA.*~AK1\*QO\*7~/)
})

test('two processes that watch one folder use each file once', async (t) => {
  const stage = await openFolders(t)
  await stage.open({ folder: 'pier', name: 'pier', source: 'x12', profile: {}, acknowledges: '997' })
  const other = await openTestService({
    startAt: new Date(stage.service.clock.now()).toISOString(),
    env: { LANDFALL_INBOUND_FOLDER: stage.base },
    on: {
      database: { url: stage.databaseUrl, pool: stage.service.pool, close: async () => {} },
      secret: testSecret,
    },
  })
  const count = 30
  for (let file = 1; file <= count; file += 1) stage.lay('pier', `${file}.edi`, x12(String(file).padStart(9, '0')))
  const both = () => Promise.all([watchFolders(stage.service), watchFolders(other.service)])
  await both()
  for (const { clock } of [stage, other]) clock.advance(quietMs)
  const [one = 0, two = 0] = await both()
  await other.close()
  assert.equal(one + two, count)
  assert.equal((await messages(stage)).length, count)
  assert.equal(stage.names('pier', 'taken').length, count)
  assert.equal(stage.names('pier', 'answers').length, count)
  const numbers = stage
    .names('pier', 'answers')
    .map((name) => Number(readFileSync(join(stage.base, 'pier', 'answers', name), 'latin1').split('*')[13]))
  assert.deepEqual(
    numbers.toSorted((a, b) => a - b),
    Array.from({ length: count }, (_, index) => index + 1),
    'no number is left out or used twice',
  )
})

test('the folder decides the channel of a file, and a file that is placed again is a new delivery', async (t) => {
  const stage = await openFolders(t)
  const second = await stage.newAccount()
  await stage.open({ name: 'one', folder: 'one', source: 'statements', profile: {} })
  await stage.open({ name: 'two', folder: 'two', source: 'statements', profile: {}, as: second })
  const line = JSON.stringify({ bill, says: 'hold', value: { name: 'customs', status: 'hold' } })
  for (const folder of ['one', 'two', 'one']) {
    const path = stage.lay(folder, 'one.json', line)
    utimesSync(path, 1_700_000_000, 1_700_000_000)
    assert.equal(await stage.settle(), 1)
  }
  assert.deepEqual(
    (await messages(stage)).map(({ channel, account }) => ({ channel, account })),
    [
      { channel: 'one', account: stage.account.account.id },
      { channel: 'two', account: second.account.id },
      { channel: 'one', account: stage.account.account.id },
    ],
  )
  await stage.drain()
  assert.equal((await stage.rows('select 1 from mentions')).length, 3)
})

test('a folder belongs to one channel, stays below the base, and pauses while its channel is closed', async (t) => {
  const stage = await openFolders(t)
  await stage.open({ folder: 'hapag' })
  const account = { id: stage.account.account.id, isSandbox: false }
  const other = {
    account,
    speaker: { kind: 'shipping_line', code: 'HLCU' },
    source: 'dcsa',
    profile: { scac: 'HLCU' },
    isFirstHand: true,
    keyKind: 'bearer',
  } as const
  for (const folder of ['hapag', '..', 'a/b', '.a', 'A', '', 'a '])
    await assert.rejects(createChannel(stage.service, { ...other, name: 'other', folder }), folder)
  await createChannel(stage.service, { ...other, name: 'other' })
  await assert.rejects(changeChannel(stage.service, { name: 'other', folder: 'hapag' }))
  stage.lay('hapag', 'events.json', arrived())
  await changeChannel(stage.service, { name: 'hapag', isEnabled: false })
  assert.equal(await stage.settle(), 0)
  await changeChannel(stage.service, { name: 'hapag', isEnabled: true, folder: null })
  await changeChannel(stage.service, { name: 'other', folder: 'hapag' })
  assert.equal(await stage.settle(), 1)
  assert.deepEqual(
    (await messages(stage)).map(({ channel }) => channel),
    ['other'],
  )
})

test('accepts file names that are not text and very long ones', async (t) => {
  const stage = await openFolders(t)
  await stage.open({ folder: 'hapag' })
  await watchFolders(stage.service)
  const folder = Buffer.from(`${join(stage.base, 'hapag')}/`)
  for (const name of [Buffer.from([0x61, 0xff, 0xfe, 0x0a]), Buffer.from('x'.repeat(255))])
    writeFileSync(Buffer.concat([folder, name]), arrived())
  assert.equal(await stage.settle(), 2)
  assert.equal((await messages(stage)).length, 2)
  assert.deepEqual(stage.names('hapag'), [])
})

test('leaves files in place while the database is down, and uses them when it is back', async (t) => {
  const stage = await openFolders(t)
  await stage.open({ folder: 'hapag' })
  stage.lay('hapag', 'events.json', arrived())
  await watchFolders(stage.service)
  stage.clock.advance(quietMs)
  const { pool } = stage.service
  const { connect } = pool
  let calls = 0
  // The channels can still be read; then the database cannot be reached.
  pool.connect = ((...asked: Parameters<typeof connect>) => {
    calls += 1
    if (calls > 1) return Promise.reject(new Error('away'))
    return connect.apply(pool, asked)
  }) as typeof connect
  assert.equal(await watchFolders(stage.service), 0)
  pool.connect = connect
  assert.equal(stage.names('hapag', 'taking').length, 1)
  await watchFolders(stage.service)
  stage.clock.advance(60_000)
  assert.equal(await watchFolders(stage.service), 1)
  assert.equal((await messages(stage)).length, 1)
  assert.ok(existsSync(join(inboundFolder(stage.service.config), 'hapag', 'taken')))
})
