// The example of docs/writing-a-terminal.md is asked and read as the page says.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Observation } from '../../../src/core/statements/observation.ts'
import type { EventTime } from '../../../src/core/values/time.ts'
import { createEgress } from '../../../src/platform/egress.ts'
import { readDescription } from '../../../src/sources/facility/description.ts'
import { facilityProfileSchema } from '../../../src/sources/facility/profile.ts'
import { startLine } from '../line-server.ts'
import { hear, source, terminalOf } from './answers.ts'

const page = readFileSync(new URL('../../../docs/writing-a-terminal.md', import.meta.url), 'utf8')

function example(kind: string): string {
  return new RegExp(`^\`\`\`${kind}\n([^]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? assert.fail(kind)
}

const whenOf = (time: EventTime) =>
  time.kind === 'day' ? time.on : time.kind === 'instant' ? time.at : time.local

function shown(said: Observation): readonly [string, unknown] {
  if (said.kind === 'event') return [[said.code, said.mode].filter(Boolean).join(' '), whenOf(said.time)]
  if (said.fact === 'holds')
    return [
      said.fact,
      said.value.map(({ name, description }) => (name === 'other' ? `${name}: ${description}` : name)),
    ]
  if (said.fact === 'pod_terminal') return [said.fact, terminalOf(said.value)]
  if (said.fact === 'fee') return [said.fact, `${said.value.type} ${said.value.status}`]
  const { fact, value } = said
  return [fact, typeof value === 'object' && value !== null && 'kind' in value ? whenOf(value) : value]
}

test('its example is asked for by a real request and heard as the page says', async (t) => {
  const read = readDescription(JSON.parse(example('description')))
  assert.ok(read.ok)
  const profile = source.parseProfile(read.value.answer)
  assert.ok(profile.ok)
  const pier = await startLine((_, response) => response.end(example('answer')))
  t.after(() => pier.close())
  const asking = source.asking?.parseProfile({ ...read.value.asking, base: pier.base })
  assert.ok(asking?.ok)
  const egress = createEgress({ allowedNetworks: [], allowLoopback: true })
  const access = { profile: asking.value, secrets: { apiKey: 'k' } }
  const numbers = [{ kind: 'container', number: 'APZU4812090' } as const]
  const result = await source.asking?.fetch(numbers, access, { egress, now: () => Date.now() })
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

test('its description that is like another can be read', () => {
  const read = readDescription(JSON.parse(example('like')))
  assert.ok(read.ok && source.parseProfile(read.value.answer).ok)
  const queue = readDescription(JSON.parse(example('queue')))
  assert.ok(queue.ok && source.parseProfile(queue.value.answer).ok)
  assert.ok(source.asking?.parseProfile(queue.value.asking).ok)
  assert.ok(source.asking?.parseProfile(JSON.parse(example('subscribed'))).ok)
})

test('it names every member that an answer may have', () => {
  const [, table = ''] = /^## What it answers$([\s\S]*)/m.exec(page) ?? []
  for (const name of Object.keys(facilityProfileSchema.properties)) {
    if (name === 'remarks') continue
    assert.ok(new RegExp(`\`${name}[\`.:]`).test(table), name)
  }
})
