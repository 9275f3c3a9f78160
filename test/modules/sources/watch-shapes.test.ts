// A carrier that changes its answers: the operator and the accounts see the same day what is new.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scoreSources } from '../../../src/modules/sources/score-sources.ts'
import { reportShapeChanges, watchShapes } from '../../../src/modules/sources/watch-shapes.ts'
import { journey, openStage } from '../../support/tracking-harness.ts'

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
