// Every example of docs/sending.md is read with the result that the page states.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { factNames } from '../../src/core/notation/notation-values.ts'
import { eventCodes } from '../../src/core/values/codes.ts'
import { noticeBytesMax, openArrivalNoticeSource } from '../../src/sources/arrival-notice/arrival-notice.ts'
import { eventBytesMax, openPushedDcsaSource } from '../../src/sources/dcsa/pushed.ts'
import { partsMax, refusedMax } from '../../src/sources/json-delivery.ts'
import { openStatementsSource, statementBytesMax } from '../../src/sources/statements/statements.ts'
import type { ToldSource } from '../../src/sources/told.ts'
import { readParts } from './told-harness.ts'

const page = readFileSync(new URL('../../docs/sending.md', import.meta.url), 'utf8')

function examples(language: string): readonly Buffer[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) =>
    Buffer.from(text),
  )
}

function readExamples<Profile>(language: string, source: ToldSource<Profile>, written: unknown) {
  const profile = source.parseProfile(written)
  assert.ok(profile.ok)
  return examples(language).map((body) => {
    const { parts, faults } = source.partsOf(body, profile.value)
    assert.deepEqual(faults, [])
    return readParts(source, parts, profile.value)
  })
}

test('its Track & Trace is a discharge, and a retraction that reaches it', () => {
  const [said, retracted] = readExamples('dcsa', openPushedDcsaSource(), { scac: 'MAEU' })
  const [event] = said?.[0]?.observations.filter(({ kind }) => kind === 'event') ?? []
  assert.deepEqual(retracted?.[0]?.withdrawn, [event?.key])
  assert.deepEqual(
    [...(said ?? []), ...(retracted ?? [])].flatMap(({ issues }) => issues),
    [],
  )
})

test('its arrival notice is read without an issue', () => {
  const [readings] = readExamples('arrival-notice', openArrivalNoticeSource(), { scac: 'HLCU' })
  assert.equal(readings?.[0]?.observations.length, 5)
  assert.deepEqual(readings?.[0]?.issues, [])
})

test('its way of asking is one, and needs the secrets that it gives', () => {
  const { asking } = openArrivalNoticeSource()
  const [written = assert.fail()] = examples('asking')
  const { profile, secrets } = JSON.parse(written.toString())
  const parsed = asking?.parseProfile(profile)
  assert.ok(asking !== undefined && parsed?.ok)
  assert.deepEqual(asking.secretNames(parsed.value), Object.keys(secrets))
  assert.equal(asking.batchMax(parsed.value), 10)
})

test('its statements are read without an issue, one a line and in a list', () => {
  const [inLines, inList] = readExamples('statements', openStatementsSource(), {})
  assert.deepEqual([inLines?.length, inList?.length], [5, 2])
  for (const { issues } of [...(inLines ?? []), ...(inList ?? [])]) assert.deepEqual(issues, [])
})

test('it names every fact, and every word of events that there is is read', () => {
  for (const name of factNames) assert.ok(page.includes(`\`${name}\``), name)
  const [, list = ''] = /^Events: (.*?); every event code/m.exec(page) ?? []
  const source = openStatementsSource()
  const words = [...list.matchAll(/`(\w+)`/g)].map(([, word = '']) => word)
  assert.equal(words.length, 12)
  for (const says of [...words, ...eventCodes]) {
    const body = Buffer.from(JSON.stringify({ container: 'APZU4812090', says, at: '2026-02-03' }))
    assert.deepEqual(source.partsOf(body, {}).faults, [], says)
  }
})

test('its limits are those of the code', () => {
  for (const limit of [partsMax, refusedMax, eventBytesMax, noticeBytesMax, statementBytesMax])
    assert.ok(page.includes(` ${limit.toLocaleString('en')} `), String(limit))
})
