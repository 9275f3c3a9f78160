// Old snapshots are compressed together and moved to the file store, and everything that reads them goes on as before.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { downloadMessage } from '../../../src/modules/inbound-messages/messages.ts'
import { downloadSnapshot } from '../../../src/modules/provenance/get-snapshot.ts'
import { withStateAt } from '../../../src/modules/provenance/state-at.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { rereadAll } from '../../../src/pipeline/ledger/reread-history.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { fileStoreOf } from '../../../src/pipeline/response-archive/file-store.ts'
import { movePack } from '../../../src/pipeline/response-archive/move-pack.ts'
import { openSnapshots } from '../../../src/pipeline/response-archive/open-snapshots.ts'
import { checkAllPacks, packAll, readPackSums } from '../../../src/pipeline/response-archive/operate-packs.ts'
import { packSnapshots } from '../../../src/pipeline/response-archive/pack-snapshots.ts'
import { getSnapshots } from '../../../src/pipeline/response-archive/snapshots-sql.ts'
import { FileStoreError } from '../../../src/platform/files/file-store.ts'
import { notice } from '../../connectors/arrival-notice/notices.ts'
import { openS3Server, s3Key } from '../../support/s3-server.ts'
import { box, journey } from '../../support/tracking-harness.ts'
import { type IntakeStage, openIntake } from '../ingestion/ingestion-harness.ts'

const dayMs = 86_400_000
const bill = 'HLCUSHA260100077'
const stages = ['loaded', 'sailed', 'arrived', 'discharged'] as const
const noticeMessage = notice({
  transportDocumentReference: bill,
  charges: [],
  utilizedTransportEquipments: [{ equipment: { equipmentReference: box, ISOEquipmentCode: '45G1' } }],
  consignmentItems: [],
})
const foldOf = ({ service }: IntakeStage) => foldBy(readRules(service.config))
const quietly = { repair: false, differencesMax: 20, progress: () => {} }
const all = { again: false, made: () => {} }

/** Four answers of a line and a message of a partner, all of them a hundred days old. */
async function openOld(t: TestContext, env: Readonly<Record<string, string>> = {}): Promise<IntakeStage> {
  const stage = await openIntake(t, { env })
  await stage.open({ name: 'notices', source: 'arrival_notice', profile: { scac: 'HLCU' } })
  for (const [place, upTo] of stages.entries()) {
    stage.carrier.answers({ json: journey(bill, upTo) })
    if (place === 0) await stage.track(bill)
    await stage.drain()
    await stage.nextLook()
  }
  await stage.send('notices', noticeMessage)
  await stage.drain()
  stage.clock.set(stage.clock.now() + 100 * dayMs)
  return stage
}

async function bodiesOf(stage: IntakeStage): Promise<ReadonlyMap<string, string>> {
  const ids = (await stage.rows<{ id: string }>('select id from kept_snapshots')).map(({ id }) => id)
  const storedSnapshots = await getSnapshots(stage.service.pool, ids)
  const opened = await openSnapshots(stage.service, stage.service.pool, storedSnapshots)
  return new Map(opened.map(({ id, body }) => [id, body.toString()]))
}

const inRows = (stage: IntakeStage) =>
  stage.rows('select from kept_snapshots where num_nonnulls(body, sealed_body) > 0')

/** A second process has nothing in memory of what the first one has opened. */
const another = (stage: IntakeStage): IntakeStage => ({
  ...stage,
  service: { ...stage.service, encryption: { ...stage.service.encryption } },
})

const isUnavailable = (error: unknown): boolean => (error as { readonly code?: string }).code === 'unavailable'

const filesOf = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((each) =>
        each.isFile() ? [join(each.parentPath, each.name)] : [],
      )
    : []

test('packs answers and messages, which are read, shown, read again and rebuilt as before', async (t) => {
  const stage = await openOld(t)
  const { service, account } = stage
  const before = await bodiesOf(stage)
  assert.equal(before.size, 5)
  await packAll(service, all)
  assert.deepEqual(await inRows(stage), [])
  assert.deepEqual(await bodiesOf(another(stage)), before)
  const sums = await readPackSums(service)
  assert.equal(sums.snapshots, 5)
  assert.equal(sums.bodyBytes, [...before.values()].join('').length)
  assert.ok(sums.databaseBytes < sums.bodyBytes / 3, `${sums.databaseBytes} of ${sums.bodyBytes}`)
  const asked = await stage.rows<{ id: string }>(
    `select n.id from kept_snapshots n join subjects s on s.id = n.subject_id
       join channels c on c.id = s.credential_id where not c.is_told`,
  )
  for (const { id } of asked)
    assert.equal((await downloadSnapshot(another(stage).service, account, { id })).body.toString(), before.get(id))
  const [message] = await stage.rows<{ id: string }>('select id from inbound_messages')
  const body = await downloadMessage(service, account, { id: message?.id ?? '' })
  assert.deepEqual(JSON.parse(body.toString()), noticeMessage)
  assert.deepEqual((await rebuildProjections(another(stage).service, foldOf(stage), quietly)).differences, [])
  const present = foldOf(stage)
  const nextOf = <Source extends { readonly version: number }>(source: Source | null) =>
    source === null ? null : { ...source, version: source.version + 1 }
  const corrected = {
    ...present,
    findSource: (name: string) => nextOf(present.findSource(name)),
    findPushedSource: (name: string) => nextOf(present.findPushedSource(name)),
  }
  const report = await rereadAll(another(stage).service, corrected, () => stage.clock)
  assert.deepEqual([report.failed, report.added, report.retired], [[], 0, 0])
  assert.equal(report.snapshots, 5)
})

test('does not pack new snapshots or a message that still waits for a shipment', async (t) => {
  const stage = await openIntake(t)
  const { service } = stage
  await stage.open({ name: 'notices', source: 'arrival_notice', profile: { scac: 'HLCU' } })
  await stage.send('notices', noticeMessage)
  stage.carrier.answers({ json: journey('HLCUSHA260100078', 'loaded', ['LDFU1000023']) })
  await stage.track('HLCUSHA260100078')
  await stage.drain()
  stage.clock.set(stage.clock.now() + 13 * dayMs)
  await packAll(service, all)
  assert.equal((await inRows(stage)).length, 2)
  stage.clock.set(stage.clock.now() + 2 * dayMs)
  await packAll(service, all)
  assert.equal((await inRows(stage)).length, 1)
  stage.clock.set(stage.clock.now() + 200 * dayMs)
  await packAll(service, { ...all, again: true })
  assert.equal((await stage.rows('select from kept_snapshots where sealed_body is not null')).length, 1)
})

test('packs in only one process at a time, and not on the first day after an upgrade', async (t) => {
  const stage = await openOld(t)
  const { service } = stage
  await stage.rows(`update snapshot_walks set not_before = '2999-01-01'`)
  assert.equal(await packSnapshots(service), 0)
  await stage.rows(`update snapshot_walks set not_before = '2001-01-01'`)
  const other = await service.pool.connect()
  try {
    await other.query('begin')
    await other.query('select from snapshot_walks for update')
    assert.equal(await packSnapshots(service), 0)
    assert.equal((await inRows(stage)).length, 5)
    await other.query('rollback')
  } finally {
    other.release()
  }
  assert.equal(await packSnapshots(service), 1)
})

test('does not pack an answer and a message that were changed in their rows, and packs the others', async (t) => {
  const stage = await openOld(t)
  await stage.rows(
    `update kept_snapshots set sealed_body = set_byte(sealed_body, 40, get_byte(sealed_body, 40) # 1)
      where sealed_body is not null`,
  )
  await stage.rows(
    `update kept_snapshots set body = set_byte(body, 40, get_byte(body, 40) # 1)
      where id = (select min(id::text)::uuid from kept_snapshots where body is not null)`,
  )
  await packAll(stage.service, all)
  assert.equal((await inRows(stage)).length, 2)
  assert.equal(stage.logged().filter(({ event }) => event === 'snapshots.damaged').length, 2)
  assert.equal((await readPackSums(stage.service)).snapshots, 3)
})

test('detects a changed byte in a pack, and does not show data that fails verification', async (t) => {
  const stage = await openOld(t)
  await packAll(stage.service, all)
  assert.deepEqual(await checkAllPacks(another(stage).service, () => {}), [])
  // In the frame of the answers, which is the larger one.
  await stage.rows(
    `update snapshot_packs p set body = set_byte(body, f.at + 60, get_byte(body, f.at + 60) # 1)
       from (select pack_id, frame_at as at from kept_snapshots group by 1, 2 order by count(*) desc limit 1) f
      where p.id = f.pack_id`,
  )
  const broken = await checkAllPacks(another(stage).service, () => {})
  assert.equal(broken.filter(({ snapshotId }) => snapshotId === null).length, 1)
  assert.equal(broken.filter(({ snapshotId }) => snapshotId !== null).length, 4)
  await assert.rejects(bodiesOf(another(stage)), /does not open/)
  const repairing = rebuildProjections(another(stage).service, foldOf(stage), { ...quietly, repair: true })
  await assert.rejects(repairing, /does not open/, 'nothing is made of what cannot be read')
})

test('detects two swapped answers by their hashes', async (t) => {
  const stage = await openOld(t)
  await packAll(stage.service, all)
  await stage.rows(
    `update kept_snapshots n set body_at = o.body_at, body_bytes = o.body_bytes
       from kept_snapshots o
      where n.frame_at = o.frame_at and n.pack_id = o.pack_id and n.id <> o.id
        and n.id in (select id from kept_snapshots where body_at > 0 order by id limit 1)`,
  )
  const broken = await checkAllPacks(another(stage).service, () => {})
  assert.equal(broken.length, 1)
  assert.match(broken[0]?.why ?? '', /its hash is different/)
})

test('moves packs to the folder of files; reports a lost or changed file and never shows it', async (t) => {
  const stage = await openOld(t, { LANDFALL_SNAPSHOTS_MOVED_AFTER_DAYS: '30' })
  const { service } = stage
  const before = await bodiesOf(stage)
  await packAll(service, all)
  assert.equal((await readPackSums(service)).movedBytes, 0)
  stage.clock.set(stage.clock.now() + 31 * dayMs)
  await packAll(service, all)
  const sums = await readPackSums(service)
  assert.equal(sums.databaseBytes, 0)
  assert.ok(sums.movedBytes > 0)
  assert.deepEqual(await bodiesOf(another(stage)), before)
  assert.deepEqual((await rebuildProjections(another(stage).service, foldOf(stage), quietly)).differences, [])

  const files = filesOf(service.config.documents.folder ?? join(service.config.data.folder, 'files'))
  assert.equal(files.length, sums.packs)
  const [file = ''] = files
  const bytes = readFileSync(file)
  assert.ok(!bytes.includes(bill), 'the pack is encrypted')
  writeFileSync(file, Buffer.concat([bytes.subarray(0, 50), Buffer.from([1, 2, 3]), bytes.subarray(53)]))
  assert.ok((await checkAllPacks(another(stage).service, () => {})).length > 0)
  writeFileSync(file, bytes)
  assert.deepEqual(await checkAllPacks(another(stage).service, () => {}), [])
})

test('moves packs to a bucket, and keeps new packs in the database while the bucket is unreachable', async (t) => {
  const s3 = await openS3Server('packs')
  t.after(() => s3.close())
  const stage = await openOld(t, {
    LANDFALL_SNAPSHOTS_MOVED_AFTER_DAYS: '1',
    LANDFALL_FILES: 's3',
    LANDFALL_S3_ENDPOINT: s3.endpoint,
    LANDFALL_S3_BUCKET: 'packs',
    LANDFALL_S3_ACCESS_KEY: s3Key.accessKey,
    LANDFALL_S3_SECRET_KEY: s3Key.secretKey,
  })
  const { service, account } = stage
  const before = await bodiesOf(stage)
  await packAll(service, all)
  stage.clock.set(stage.clock.now() + 2 * dayMs)

  // It reports that it stored the file, and gives back another one.
  const files = fileStoreOf(service)
  const liar = { ...files, get: async () => Buffer.from('another') }
  t.mock.method(files, 'get', liar.get)
  assert.equal(await movePack(service), 0)
  assert.equal((await readPackSums(service)).movedBytes, 0)
  t.mock.restoreAll()
  assert.equal(await movePack(service), 1)
  await packAll(service, all)
  assert.equal((await readPackSums(service)).databaseBytes, 0)
  assert.deepEqual(await bodiesOf(another(stage)), before)

  await s3.close()
  await assert.rejects(bodiesOf(another(stage)), FileStoreError)
  const [answer] = await stage.rows<{ id: string }>(
    `select n.id from kept_snapshots n join subjects s on s.id = n.subject_id
       join channels c on c.id = s.credential_id where not c.is_told limit 1`,
  )
  await assert.rejects(downloadSnapshot(another(stage).service, account, { id: answer?.id ?? '' }), isUnavailable)
  const [shipment] = await stage.rows<{ id: string }>('select id from shipments')
  const moment = { shipmentId: shipment?.id ?? '', asOf: new Date(stage.clock.now()).toISOString() }
  await assert.rejects(
    withStateAt(another(stage).service, account, moment, async () => {}),
    isUnavailable,
  )
})

test('packs many poll targets into several packs, and an interrupted run continues where it stopped', async (t) => {
  const stage = await openOld(t)
  const { service } = stage
  // Three megabytes each, of which little can be saved.
  await stage.rows(
    `with filling as (
       select n.subject_id, i,
              convert_to((select string_agg(md5(i::text || ' ' || j), '') from generate_series(1, 98304) j), 'UTF8') as body
         from (select subject_id from kept_snapshots where body is not null limit 1) n, generate_series(1, 7) i)
     insert into kept_snapshots (id, subject_id, content_hash, status, content_type, body, recorded_at)
     select ('019c1500-0000-7000-8000-00000000000' || i)::uuid, subject_id,
            sha256(convert_to(200 || E'\\n', 'UTF8') || body), 200, 'text/plain', body, now()
       from filling`,
  )
  const before = await bodiesOf(stage)
  await stage.rows(`update snapshot_walks set not_before = '2001-01-01'`)
  assert.equal(await packSnapshots(service), 1)
  assert.ok((await inRows(stage)).length > 1)
  await packAll(another(stage).service, all)
  assert.deepEqual(await inRows(stage), [])
  assert.ok((await readPackSums(service)).packs > 2)
  assert.deepEqual(await bodiesOf(another(stage)), before)
})
