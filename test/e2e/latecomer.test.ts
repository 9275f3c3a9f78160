/** A user who starts long after the sandbox caught up with the real clock sees a journey continue as well. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { authorize, type Door, readServed, track } from './newcomer.ts'
import { openDataFolder } from './prepared-folder.ts'
import { freePorts, startProgram, withoutThreads } from './program.ts'
import type { Asked } from './truth.ts'

test('a sandbox number still gets new events every day after the sandbox clock has reached the real time', async (t) => {
  const data = await openDataFolder()
  t.after(() => data.remove())
  const program = startProgram({
    dataFolder: data.path,
    ports: await freePorts(),
    env: { ...withoutThreads, LANDFALL_SANDBOX_SPEED: '10000000' },
  })
  const client: Door = { program, key: await program.up }
  const clock = async (): Promise<number> =>
    Date.parse(((await (await fetch(`${program.sandboxUrl}/sandbox/clock`)).json()) as { now: string }).now)
  await eventually(async () => Date.now() - (await clock()) < 1_000, {
    late: () => 'it does not catch up',
  })

  const asked = await eventually(
    async () => {
      const url = `${program.sandboxUrl}/sandbox/numbers?lively=true&kind=container&limit=1`
      return ((await (await fetch(url)).json()) as readonly Asked[])[0] ?? null
    },
    { late: () => 'nothing begins' },
  )
  const offer = await fetch(`${program.apiUrl}/portal/suggestions`, { headers: authorize(client.key) })
  const { suggestions } = (await offer.json()) as { readonly suggestions: readonly { about: string }[] }
  assert.ok(suggestions.some(({ about }) => about.includes('has just begun')))
  const attributes = { request_type: asked.kind, request_number: asked.number, scac: asked.scac }
  const request = await track(client, attributes)
  const seen: string[] = []
  await eventually(
    async () => {
      const { served } = await readServed(client, request)
      const now = served.map(({ name, at }) => `${name} ${String(at)}`).join('\n')
      if (now !== seen.at(-1)) seen.push(now)
      return seen.length > 5
    },
    { everyMs: 500, late: () => `it stood still:\n${seen.join('\n--\n')}` },
  )
  assert.equal(await program.kill('SIGTERM'), 0)
})
