// Every example of docs/sending.md is read with the result that the page states.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { noticeBytesMax, openArrivalNoticeSource } from '../../src/connectors/arrival-notice/arrival-notice-source.ts'
import { eventBytesMax, openPushedDcsaSource } from '../../src/connectors/dcsa/pushed-dcsa-source.ts'
import { refusedMax } from '../../src/connectors/json-delivery.ts'
import { messagePartsMax, type PushedSource } from '../../src/connectors/pushed-source.ts'
import { openStatementsSource, statementBytesMax } from '../../src/connectors/statements/statements-source.ts'
import { factNames } from '../../src/domain/statements/facts.ts'
import { eventCodes } from '../../src/domain/values/codes.ts'
import { readParts } from './pushed-harness.ts'

const page = readFileSync(new URL('../../docs/sending.md', import.meta.url), 'utf8')

function examples(language: string): readonly Buffer[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) =>
    Buffer.from(text),
  )
}

function readExamples<Profile>(language: string, source: PushedSource<Profile>, written: unknown) {
  const profile = source.parseProfile(written)
  assert.ok(profile.ok)
  return examples(language).map((body) => {
    const { parts, faults } = source.splitDelivery(body, profile.value)
    assert.deepEqual(faults, [])
    return readParts(source, parts, profile.value)
  })
}

test('the Track & Trace example of the sending page gives a discharge and its retraction', () => {
  const [stated, retracted] = readExamples('dcsa', openPushedDcsaSource(), { scac: 'MAEU' })
  const [event] = stated?.[0]?.observations.filter(({ kind }) => kind === 'event') ?? []
  assert.deepEqual(retracted?.[0]?.withdrawn, [event?.key])
  assert.deepEqual(
    [...(stated ?? []), ...(retracted ?? [])].flatMap(({ issues }) => issues),
    [],
  )
})

test('the arrival notice of the sending page is read without an issue', () => {
  const [readings] = readExamples('arrival-notice', openArrivalNoticeSource(), { scac: 'HLCU' })
  assert.equal(readings?.[0]?.observations.length, 5)
  assert.deepEqual(readings?.[0]?.issues, [])
})

test('the polling example of the sending page is a valid profile and gives exactly the required secrets', () => {
  const { polling } = openArrivalNoticeSource()
  const [written = assert.fail()] = examples('asking')
  const { profile, secrets } = JSON.parse(written.toString())
  const parsed = polling?.parseProfile(profile)
  assert.ok(polling !== undefined && parsed?.ok)
  assert.deepEqual(polling.secretNames(parsed.value), Object.keys(secrets))
  assert.equal(polling.batchMax(parsed.value), 10)
})

test('the statements of the sending page are read without an issue, one per line and in a list', () => {
  const [inLines, inList] = readExamples('statements', openStatementsSource(), {})
  assert.deepEqual([inLines?.length, inList?.length], [5, 2])
  for (const { issues } of [...(inLines ?? []), ...(inList ?? [])]) assert.deepEqual(issues, [])
})

test('the sending page names every fact, and each event name and code on it can be read', () => {
  for (const name of factNames) assert.ok(page.includes(`\`${name}\``), name)
  const [, list = ''] = /^Events: (.*?); every event code/m.exec(page) ?? []
  const source = openStatementsSource()
  const words = [...list.matchAll(/`(\w+)`/g)].map(([, word = '']) => word)
  assert.equal(words.length, 12)
  for (const says of [...words, ...eventCodes]) {
    const body = Buffer.from(JSON.stringify({ container: 'APZU4812090', says, at: '2026-02-03' }))
    assert.deepEqual(source.splitDelivery(body, {}).faults, [], says)
  }
})

test('the limits on the sending page are the limits in the code', () => {
  for (const limit of [messagePartsMax, refusedMax, eventBytesMax, noticeBytesMax, statementBytesMax])
    assert.ok(page.includes(` ${limit.toLocaleString('en')} `), String(limit))
})
