// A carrier that changes its answers: the operator and the accounts see the same day what is new.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { writePages } from '../../../src/connectors/pages.ts'
import { insertAttestation } from '../../../src/modules/attestations/attestations-sql.ts'
import { shapeOfAnswer } from '../../../src/modules/sources/answer-shape-of.ts'
import { attestAccess } from '../../../src/modules/sources/attest-access.ts'
import { checkAccess } from '../../../src/modules/sources/check-access.ts'
import { scoreSources } from '../../../src/modules/sources/score-sources.ts'
import { reportShapeChanges, watchShapes } from '../../../src/modules/sources/watch-shapes.ts'
import { attest } from '../../support/attestations.ts'
import { openCommandLine } from '../../support/command-line.ts'
import { journey, openStage, type Stage } from '../../support/tracking-harness.ts'

const numberOf = (place: number): string => `HLCUSHA2609${String(place).padStart(5, '0')}`

test('a new member of the answers of a carrier is a fault for a day, in the log once, and in the scorecard', async (t) => {
  const stage = await openStage(t)
  const { service } = stage
  let more: object = {}
  stage.carrier.answersTo((query) => ({
    json: journey(query.get('transportDocumentReference') ?? '', 'sailed').map((each) => ({ ...each, ...more })),
  }))
  const track = async (place: number): Promise<void> => {
    stage.clock.advance(60_000)
    await stage.track(numberOf(place))
    await stage.drain()
    await watchShapes(service)
  }
  await track(0)
  assert.equal(await watchShapes(service), 0, 'nothing new was answered')
  // As if two hundred answers had been read.
  await stage.rows('update answer_shapes set answers = 200')
  await track(1)
  await reportShapeChanges(service)
  assert.deepEqual(service.operatorIssues.active(), [])
  more = { remarks: 'CHANGED' }
  await track(2)
  await reportShapeChanges(service)
  assert.deepEqual(service.operatorIssues.active(), ['answers_changed'])
  assert.match(
    await service.metrics.write(),
    /^landfall_line_shape_changed_total\{scac="HLCU",change="new_member"\} 1$/m,
  )
  const changesOf = async (as = stage.account) =>
    (await scoreSources(service, as))
      .find(({ code }) => code === 'HLCU')
      ?.changes.map(({ kind, member }) => [kind, member])
  assert.deepEqual(await changesOf(), [['new_member', '[].remarks string']])
  stage.clock.advance(2 * 86_400_000)
  await reportShapeChanges(service)
  assert.deepEqual(service.operatorIssues.active(), [])
})

let databaseUrl = ''
const { folder, call } = openCommandLine(() => ({ DATABASE_URL: databaseUrl }))

type Json = Readonly<Record<string, unknown>>

const without = (event: Json, member: string): Json =>
  Object.fromEntries(Object.entries(event).filter(([name]) => name !== member))

/** A line whose answers `change` changes, and a pass of the watch after each answer. */
async function openWatched(t: TestContext) {
  // Commands have the real clock.
  const stage = await openStage(t, { startAt: `${new Date().toISOString().slice(0, 16)}:00Z` })
  databaseUrl = stage.databaseUrl
  let change = (event: Json): Json => event
  stage.carrier.answersTo((query) => ({
    json: journey(query.get('transportDocumentReference') ?? '', 'sailed').map((each) =>
      change({ ...each, note: 'x' }),
    ),
  }))
  let place = 0
  return {
    stage,
    answersWith: (to: typeof change) => {
      change = to
    },
    track: async (answers: number): Promise<void> => {
      for (let n = 0; n < answers; n++) {
        stage.clock.advance(60_000)
        place += 1
        await stage.track(numberOf(place))
        await stage.drain()
        await watchShapes(stage.service)
      }
      await reportShapeChanges(stage.service)
    },
  }
}

/** As if two hundred answers like those before had been read. */
const settle = (stage: Stage) =>
  stage.rows(
    `update answer_shapes set answers = 200, members =
       (select jsonb_object_agg(key, '{"first": 1, "last": 200, "answers": 200}'::jsonb) from jsonb_each(members))`,
  )

const reasonOf = (stage: Stage): string =>
  String(
    stage
      .logged()
      .findLast(({ event, cause }) => String(event).startsWith('trouble.') && cause === 'answers_changed')?.['reason'],
  )

test('a new member, type or code and a vanished member are named the same day with their share and an example', async (t) => {
  const { stage, answersWith, track } = await openWatched(t)
  await track(1)
  await settle(stage)
  answersWith((each) => ({
    ...without(each, 'note'),
    transportCall: { ...(each['transportCall'] as Json), transportCallSequenceNumber: '1' },
    ...(each['equipmentEventTypeCode'] === 'LOAD' && { equipmentEventTypeCode: 'LDNG' }),
    plannedBerth: 'PLANTED HAULAGE of MSKU1234567',
  }))
  await track(1)
  assert.deepEqual(stage.service.operatorIssues.active(), ['answers_changed'])
  const since = new Date(stage.clock.now()).toISOString().replace('.000', '')
  const reason = reasonOf(stage)
  for (const change of ['new member [].plannedBerth string', 'new code [].equipmentEventTypeCode = LDNG'])
    assert.ok(reason.includes(`${change} in 1 of 50 answers since ${since}`), reason)
  const newType = 'new type [].transportCall.transportCallSequenceNumber string'
  assert.ok(reason.includes(`${newType} in 1 of 50 answers since ${since}`), reason)
  assert.match(reason, /^HLCU: [\s\S]* sources changes HLCU --redact example\.json\.$/)
  assert.doesNotMatch(reason, /missing|PLANTED/)
  await track(19)
  const listed = await call('sources changes HLCU')
  assert.equal(listed.code, 0, listed.err)
  assert.match(listed.out, /^HLCU {2}missing member \[\]\.note string in 20 of 20 answers since /m)
  assert.match(listed.out, /^HLCU {2}new member \[\]\.plannedBerth string in 20 of 50 answers since /m)
  const file = join(folder, 'example.json')
  const example = await call(`sources changes HLCU --redact ${file}`)
  assert.equal(example.code, 0, example.err)
  assert.equal(example.err.match(/^ {2}(?:new|missing)/gm)?.length, 5, example.err)
  assert.doesNotMatch(example.err, /not, because/)
  const text = readFileSync(file, 'utf8')
  for (const planted of ['PLANTED', 'MSKU1234567', 'LDFU1000018', 'HLCUSHA2609', 'King of the Seas', '"note"'])
    assert.ok(!text.includes(planted), planted)
  assert.match(text, /"plannedBerth": ""/)
  assert.match(text, /"equipmentEventTypeCode": "LDNG"/)
  assert.match(text, /"transportCallSequenceNumber": "1"/)
  const [line] = JSON.parse((await call('sources changes --json')).out)
  assert.deepEqual(line.changes.map(({ change }: { change: string }) => change).toSorted(), [
    'missing_member',
    'missing_member',
    'new_code',
    'new_member',
    'new_type',
  ])
})

test('a change that the redaction removes has no example, and the operator reads why', async (t) => {
  const { stage, answersWith, track } = await openWatched(t)
  await track(1)
  await settle(stage)
  answersWith((each) => ({ ...each, MSKU1234567: 1 }))
  await track(1)
  const { code, err } = await call(`sources changes HLCU --redact ${join(folder, 'removed.json')}`)
  assert.equal(code, 1)
  assert.match(err, /No example is written: the redaction removes the change/)
  assert.equal((await call('sources changes MAEU --redact x.json')).code, 1)
  assert.equal((await call('sources changes --redact x.json')).code, 2)
  assert.equal((await call('sources changes ZZZZ')).code, 2)
})

test('the first answers of a channel are compared with what other installations attested of the line', async (t) => {
  const { stage, answersWith, track } = await openWatched(t)
  const attested = journey(numberOf(1), 'sailed').map((each) => ({ ...each, note: 'x', weight: 1 }))
  const { pool } = stage.service
  await insertAttestation(pool, attest({ installation: 'one', answer: attested, answers: 200 }))
  await insertAttestation(pool, attest({ installation: 'two', answer: [{ invented: 1 }], line: 'MAEU' }))
  await track(1)
  assert.deepEqual(stage.service.operatorIssues.active(), [], 'a member that is rare may not have come yet')
  answersWith((each) => ({ ...without(each, 'eventCreatedDateTime'), weight: '1', shipperName: 'PLANTED' }))
  await track(1)
  assert.match(
    reasonOf(stage),
    /^HLCU: new type \[\]\.weight string \(other than attested\) in 1 of 2 answers since \S+:00Z, new member \[\]\.shipperName string \(other than attested\) in 1 of 2 answers /,
  )
  await track(2)
  const changes = (await stage.row<{ changes: Json[] }>('select changes from answer_shapes')).changes
  assert.equal(changes.length, 2, 'each is noted once')
})

test('a member that all attested answers had and the first twenty here have not is named', async (t) => {
  const { stage, answersWith, track } = await openWatched(t)
  const attested = journey(numberOf(1), 'sailed').map((each) => ({ ...each, note: 'x' }))
  await insertAttestation(stage.service.pool, attest({ installation: 'one', answer: attested, answers: 30 }))
  answersWith((each) => without(each, 'eventCreatedDateTime'))
  await track(19)
  assert.deepEqual(stage.service.operatorIssues.active(), [])
  await track(1)
  assert.match(
    reasonOf(stage),
    /^HLCU: missing member eventCreatedDateTime \(other than attested\) in 20 of 20 answers since /,
  )
})

test('an attestation rests on all answers that the installation has read of the line', async (t) => {
  const { stage, track } = await openWatched(t)
  await track(3)
  const target = { scac: 'HLCU', number: numberOf(1), kind: null, isPaid: false, isVerifying: false }
  const check = await checkAccess(stage.service, stage.account, target)
  const attestation = await attestAccess(stage.service, stage.account, { check, showsCodes: false })
  assert.deepEqual(
    [attestation.answers, attestation.events],
    [4, { answers: 4, read: 16, partly: 0, lost: 0, share: 1 }],
  )
})

test('the shape of an answer of several pages is that of all pages that are JSON', () => {
  const pageOf = (text: string) => ({
    status: 200,
    contentType: 'application/json',
    body: Buffer.from(text),
    truncated: false,
  })
  const answerOf = (...texts: readonly string[]) => writePages({ pages: texts.map(pageOf), complete: true }, '')
  assert.deepEqual(
    shapeOfAnswer(answerOf('[{"a":1}]', '[{"b":"x"}]', '<html>')),
    new Set(['[].a number', '[].b string']),
  )
  assert.equal(shapeOfAnswer(answerOf('<html>', '')), null)
})
