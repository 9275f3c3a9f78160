// The example of docs/writing-a-terminal.md is polled and read as the page describes.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readDescription } from '../../../src/connectors/terminal-api/description.ts'
import { facilityProfileSchema } from '../../../src/connectors/terminal-api/profile.ts'
import type { Observation } from '../../../src/domain/statements/observation.ts'
import type { EventTime } from '../../../src/domain/values/time.ts'
import { createEgress } from '../../../src/platform/egress.ts'
import { startLine } from '../line-server.ts'
import { hear, source, terminalOf } from './answers.ts'

const page = readFileSync(new URL('../../../docs/writing-a-terminal.md', import.meta.url), 'utf8')

function example(kind: string): string {
  return new RegExp(`^\`\`\`${kind}\n([^]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? assert.fail(kind)
}

const whenOf = (time: EventTime) => (time.kind === 'day' ? time.on : time.kind === 'instant' ? time.at : time.local)

function shown(stated: Observation): readonly [string, unknown] {
  if (stated.kind === 'event') return [[stated.code, stated.mode].filter(Boolean).join(' '), whenOf(stated.time)]
  if (stated.fact === 'holds')
    return [
      stated.fact,
      stated.value.map(({ name, description }) => (name === 'other' ? `${name}: ${description}` : name)),
    ]
  if (stated.fact === 'pod_terminal') return [stated.fact, terminalOf(stated.value)]
  if (stated.fact === 'fee') return [stated.fact, `${stated.value.type} ${stated.value.status}`]
  const { fact, value } = stated
  return [fact, typeof value === 'object' && value !== null && 'kind' in value ? whenOf(value) : value]
}

test('the example of the terminal page is polled by a real request, and its answer is read as the page states', async (t) => {
  const read = readDescription(JSON.parse(example('description')))
  assert.ok(read.ok)
  const profile = source.parseProfile(read.value.answer)
  assert.ok(profile.ok)
  const pier = await startLine((_, response) => response.end(example('answer')))
  t.after(() => pier.close())
  const polling = source.polling?.parseProfile({ ...read.value.asking, base: pier.base })
  assert.ok(polling?.ok)
  const egress = createEgress({ allowedNetworks: [], allowLoopback: true })
  const access = { profile: polling.value, secrets: { apiKey: 'k' } }
  const numbers = [{ kind: 'container', number: 'APZU4812090' } as const]
  const result = await source.polling?.fetch(numbers, access, { egress, now: () => Date.now() })
  assert.equal(pier.asked[0]?.url.pathname, '/v1/import/APZU4812090')
  assert.equal(pier.asked[0]?.headers['x-api-key'], 'k')
  assert.ok(result?.kind === 'answered')
  const reading = hear(profile.value, result.snapshot.body.toString(), 'APZU4812090')
  assert.deepEqual(Object.fromEntries((reading?.observations ?? []).map(shown)), JSON.parse(example('heard')))
  assert.deepEqual(
    reading?.issues.map(({ kind, path }) => `${kind} ${path}`),
    ['unmapped_code /holds/1/type'],
  )
})

test('the descriptions on the terminal page that are based on another one are valid', () => {
  const read = readDescription(JSON.parse(example('like')))
  assert.ok(read.ok && source.parseProfile(read.value.answer).ok)
  const queue = readDescription(JSON.parse(example('queue')))
  assert.ok(queue.ok && source.parseProfile(queue.value.answer).ok)
  assert.ok(source.polling?.parseProfile(queue.value.asking).ok)
  assert.ok(source.polling?.parseProfile(JSON.parse(example('subscribed'))).ok)
})

test('the terminal page names every member that an answer description may have', () => {
  const [, table = ''] = /^## What it answers$([\s\S]*)/m.exec(page) ?? []
  for (const name of Object.keys(facilityProfileSchema.properties)) {
    if (name === 'remarks') continue
    assert.ok(new RegExp(`\`${name}[\`.:]`).test(table), name)
  }
})
