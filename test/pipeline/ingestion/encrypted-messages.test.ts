// A message of a partner is nowhere in the database unencrypted, and everything that uses it works.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { findPushedSource } from '../../../src/connectors/pushed-source-registry.ts'
import { downloadMessage } from '../../../src/modules/inbound-messages/messages.ts'
import { encryptOldMessages } from '../../../src/pipeline/ingestion/encrypt-old-messages.ts'
import { expireWaiting } from '../../../src/pipeline/ingestion/expire-waiting.ts'
import { replayMessageParts } from '../../../src/pipeline/ingestion/replay-message-parts.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { rereadAll } from '../../../src/pipeline/ledger/reread-history.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { decryptBody, encryptSnapshot } from '../../../src/pipeline/response-archive/encrypted-bodies.ts'
import { createEncryption } from '../../../src/platform/encryption.ts'
import { notice } from '../../connectors/arrival-notice/notices.ts'
import { findInClear } from '../../support/find-in-clear.ts'
import { testSecret } from '../../support/service.ts'
import { box, journey } from '../../support/tracking-harness.ts'
import { type IntakeStage, openIntake } from './ingestion-harness.ts'

const bill = 'HLCUSHA260100077'
const pin = 'PIN-4711-SECRET'
const party = 'Verschwiegene Handels GmbH'
const ofNotices = { name: 'notices', source: 'arrival_notice', profile: { scac: 'HLCU' } } as const
const message = notice({
  transportDocumentReference: bill,
  pickupInformation: { pickupNumber: pin },
  documentParties: [{ partyFunction: 'CN', party: { partyName: party } }],
  charges: [{ chargeName: 'Demurrage', chargeCode: 'DEM', currencyAmount: 99, currencyCode: 'USD' }],
  utilizedTransportEquipments: [{ equipment: { equipmentReference: box, ISOEquipmentCode: '45G1' } }],
  consignmentItems: [],
})

async function openTracked(t: Parameters<typeof openIntake>[0]): Promise<IntakeStage> {
  const stage = await openIntake(t)
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.track(bill)
  await stage.drain()
  await stage.open(ofNotices)
  return stage
}

const foldOf = ({ service }: IntakeStage) => foldBy(readRules(service.config))

async function assertRebuilt(stage: IntakeStage): Promise<void> {
  const quietly = { repair: false, differencesMax: 20, progress: () => {} }
  assert.deepEqual((await rebuildProjections(stage.service, foldOf(stage), quietly)).differences, [])
}

const body = Buffer.from(JSON.stringify(message))

/** As an earlier program stored it. */
async function unseal({ service, rows }: IntakeStage): Promise<void> {
  const { pool, encryption: encryptor } = service
  for (const table of ['kept_snapshots', 'inbound_messages'] as const) {
    const place = table === 'kept_snapshots' ? 'snapshots' : table
    const encryptedRows = await rows<{ id: string; bytes: Buffer }>(
      `select id, sealed_body as bytes from ${table} where sealed_body is not null`,
    )
    for (const { id, bytes } of encryptedRows) {
      const clear = decryptBody(encryptor, { kind: 'sealed', encrypted: bytes }, { table: place, id })
      const head = table === 'kept_snapshots' ? '200\n' : ''
      const hash = createHash('sha256').update(head).update(clear).digest()
      await pool.query({
        text: `update ${table} set sealed_body = null, body = $2, content_hash = $3 where id = $1`,
        values: [id, clear, hash],
      })
    }
  }
}

test('stores all text of a message encrypted, and the message can still be downloaded and read again', async (t) => {
  const stage = await openTracked(t)
  const { service, account } = stage
  const { messageId } = await stage.send('notices', message)
  await stage.drain()
  for (const word of [pin, party, '"partyFunction"']) assert.deepEqual(await findInClear(service.pool, word), [], word)
  // There is also no hash with which somebody who knows the rest of the message can find a short number by trying.
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16)
  assert.deepEqual(await findInClear(service.pool, hash), [])
  assert.deepEqual(await downloadMessage(service, account, { id: messageId }), body)
  await assertRebuilt(stage)
  const present = foldOf(stage)
  const corrected = {
    ...present,
    findPushedSource: (name: string) => {
      const source = present.findPushedSource(name)
      return source === null ? null : { ...source, version: source.version + 1 }
    },
  }
  const report = await rereadAll(service, corrected, () => stage.clock)
  assert.deepEqual([report.failed, report.added, report.retired], [[], 0, 0])
  assert.ok(report.snapshots > 0)
  await service.pool.query('update mentions set is_unmapped = true')
  assert.deepEqual(await replayMessageParts(service, { accountId: account.account.id, messageId }), {
    parts: 1,
    understood: 1,
  })
  await stage.drain()
  await assertRebuilt(stage)
  assert.deepEqual(await findInClear(service.pool, pin), [])
})

test('deletes a message that no shipment needed together with its encrypted content', async (t) => {
  const stage = await openIntake(t)
  await stage.open(ofNotices)
  await stage.send('notices', message)
  await stage.drain()
  stage.clock.advance(100 * 86_400_000)
  assert.equal(await expireWaiting(stage.service), 1)
  assert.deepEqual(await stage.rows('select id from kept_snapshots'), [])
  assert.deepEqual(await stage.rows('select id from inbound_messages where sealed_body is not null'), [])
})

test('stores equal content of a poll target once, and rejects a different body under the same idempotency key', async (t) => {
  const stage = await openTracked(t)
  await stage.send('notices', message, 'first')
  await stage.send('notices', message, 'second')
  assert.equal((await stage.rows('select 1 from kept_snapshots where sealed_body is not null')).length, 1)
  assert.equal((await stage.send('notices', message, 'first')).isRepeated, true)
  await assert.rejects(stage.send('notices', { ...message, typeLabel: 'other' }, 'first'), {
    code: 'invalid',
  })
})

test('recognises a delivery that is sent again if it was stored before keys were encrypted', async (t) => {
  const stage = await openTracked(t)
  await stage.send('notices', message)
  const source = findPushedSource('arrival_notice') ?? assert.fail('no such source')
  const key = source.splitDelivery(body, { scac: 'HLCU' }).parts[0]?.deliveryKey
  const { rowCount } = await stage.service.pool.query({
    text: `update mentions set delivery_key = $1 where delivery_key <> $1`,
    values: [key],
  })
  assert.equal(rowCount, 1)
  const again = await stage.send('notices', message)
  assert.deepEqual(
    again.items.map(({ result }) => result),
    ['repeated'],
  )
})

test('messages stored unencrypted can be read, and are encrypted step by step even after an interruption', async (t) => {
  const stage = await openTracked(t)
  const { service, account } = stage
  const label = (nth: number) => ({ ...message, typeLabel: `copy ${nth}` })
  const sent = { arrivalNotices: Array.from({ length: 3 }, (_, nth) => label(nth)) }
  const { messageId } = await stage.send('notices', sent, 'of before')
  await unseal(stage)
  await service.pool.query(
    `update mentions set delivery_key = 'clear ' || part; update inbound_messages set body = body`,
  )
  await stage.drain()
  assert.ok((await findInClear(service.pool, pin)).length > 0)
  assert.deepEqual(await downloadMessage(service, account, { id: messageId }), Buffer.from(JSON.stringify(sent)))
  assert.equal((await stage.send('notices', sent, 'of before')).isRepeated, true)
  await assertRebuilt(stage)

  // One process works on one of the parts, and then another process takes the message.
  const inTheWay = await service.pool.connect()
  await inTheWay.query('begin')
  await inTheWay.query('select from kept_snapshots where body is not null and status = 200 for update')
  assert.equal(await encryptOldMessages(service), 0, 'nothing waits for whoever is at it')
  await inTheWay.query('rollback')
  inTheWay.release()
  const holder = await service.pool.connect()
  await holder.query('begin')
  await holder.query('select from inbound_messages for update')
  assert.equal(await encryptOldMessages(service), 0, 'a message that somebody is at is left to them')
  await holder.query('rollback')
  holder.release()

  assert.equal(await encryptOldMessages(service), 3, 'its parts')
  await assertRebuilt(stage)
  assert.deepEqual(await findInClear(service.pool, pin), ['inbound_messages.body'])
  assert.equal(await encryptOldMessages(service), 1, 'the message')
  assert.equal(await encryptOldMessages(service), 0)
  assert.deepEqual(await findInClear(service.pool, pin), [])
  assert.equal((await stage.send('notices', sent, 'of before')).isRepeated, true)
  await assertRebuilt(stage)
  assert.ok(
    (await stage.rows(`select from kept_snapshots where body is not null`)).length > 0,
    'what was asked is as it was answered',
  )
})

test('encrypts old unencrypted content even if an encrypted copy exists', async (t) => {
  const stage = await openTracked(t)
  await stage.send('notices', message, 'old')
  await unseal(stage)
  await stage.service.pool.query(`update mentions set delivery_key = 'of before'`)
  await stage.send('notices', message, 'new')
  assert.equal(
    (await stage.rows('select 1 from kept_snapshots n where body is not null or sealed_body is not null')).length,
    3,
  )
  while ((await encryptOldMessages(stage.service)) > 0);
  assert.deepEqual(await findInClear(stage.service.pool, pin), [])
  await stage.drain()
  await assertRebuilt(stage)
})

test('cannot decrypt a body that was moved to another row, and the error names the row', async (t) => {
  const stage = await openTracked(t)
  const { service, account } = stage
  const one = await stage.send('notices', message)
  const other = await stage.send('notices', { ...message, typeLabel: 'other' })
  await service.pool.query({
    text: `update inbound_messages set sealed_body = (select sealed_body from inbound_messages where id = $1) where id = $2`,
    values: [one.messageId, other.messageId],
  })
  await assert.rejects(
    downloadMessage(service, account, { id: other.messageId }),
    new RegExp(`inbound_messages ${other.messageId} does not open`),
  )
  assert.deepEqual(await downloadMessage(service, account, { id: one.messageId }), body)
})

test('a rebuild reports a damaged message that still waits, and fails at a damaged message that was used', async (t) => {
  const stage = await openTracked(t)
  const { service } = stage
  const flip = () =>
    service.pool.query(`update kept_snapshots set sealed_body = set_byte(sealed_body, 40, get_byte(sealed_body, 40) # 1)
                         where sealed_body is not null`)
  const check = { repair: true, differencesMax: 20, progress: () => {} }
  await stage.send('notices', message)
  await flip()
  const { differences, isRepaired } = await rebuildProjections(service, foldOf(stage), check)
  assert.deepEqual(
    differences.map(({ table, kind }) => [table, kind]),
    [['snapshots', 'different']],
  )
  assert.equal(isRepaired, false)
  await flip()
  await stage.drain()
  await assertRebuilt(stage)
  await flip()
  await assert.rejects(
    rebuildProjections(service, foldOf(stage), check),
    /^Error: Ledger entry \d+ \(heard\) cannot be folded: The body of snapshots .* does not open/,
  )
})

test('retries a message that cannot be decrypted, and uses it once the secret is correct', async (t) => {
  const stage = await openTracked(t)
  const { service } = stage
  await stage.send('notices', message)
  const { encryption: encryptor } = service
  Object.assign(service, { encryption: createEncryption('another secret for tests, long enough') })
  await stage.drain()
  const [task] = await stage.rows<{ last_error: string }>('select last_error from tasks')
  assert.match(task?.last_error ?? '', /^The body of snapshots .* does not open/)
  Object.assign(service, { encryption: encryptor })
  stage.clock.advance(3_600_000)
  await stage.drain()
  assert.equal((await stage.rows(`select from ledger where kind = 'heard'`)).length, 1)
  await assertRebuilt(stage)
})

test('an earlier program finds no unreadable bytes in encrypted columns, and stores new messages', async (t) => {
  const stage = await openTracked(t)
  const { pool } = stage.service
  await stage.send('notices', message)
  const seen = await stage.rows<{ body: Buffer }>('select body from snapshots')
  assert.ok(seen.length > 0 && seen.every((row) => row.body !== null))
  const stored = await pool.query({
    text: `insert into snapshots (id, subject_id, content_hash, status, content_type, body, recorded_at)
           select gen_random_uuid(), subject_id, $1, 200, null, $2, recorded_at from kept_snapshots limit 1
           on conflict (subject_id, content_hash) do update set status = snapshots.status returning id`,
    values: [Buffer.from('hash'), Buffer.from('clear')],
  })
  assert.equal(stored.rowCount, 1)
})

test('encrypted bytes can be decrypted only in the row that they were encrypted for', () => {
  const encryptor = createEncryption(testSecret)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), fc.boolean(), (bytes, isLong) => {
      const clear = Buffer.from(isLong ? Buffer.concat(Array.from({ length: 20 }, () => bytes)) : bytes)
      const at = { table: 'snapshots', id: 'a' } as const
      const { encryptedBody, contentHash } = encryptSnapshot(encryptor, {
        id: 'a',
        status: 200,
        body: clear,
      })
      const stored = { kind: 'sealed', encrypted: encryptedBody } as const
      assert.deepEqual(decryptBody(encryptor, stored, at), clear)
      assert.throws(() => decryptBody(encryptor, stored, { ...at, id: 'b' }), /snapshots b does not open/)
      assert.throws(() => decryptBody(encryptor, stored, { ...at, table: 'inbound_messages' }))
      assert.deepEqual(encryptSnapshot(encryptor, { id: 'b', status: 200, body: clear }).contentHash, contentHash)
      assert.notDeepEqual(contentHash, createHash('sha256').update('200\n').update(clear).digest())
    }),
  )
})
