import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { eventNames } from '../../../src/domain/changes/event-table.ts'
import { openTestApi } from '../../support/api.ts'
import { announce, arrived, discharged } from '../../support/webhooks-harness.ts'
import { listen } from './events-reader.ts'

const guide = readFileSync(new URL('../../../docs/events.md', import.meta.url), 'utf8')

interface PrintedEvent {
  readonly sequence: number
  readonly event: string
  readonly document: { readonly data: { readonly id: string } }
}
interface Example {
  readonly follow: (options: {
    readonly base: string
    readonly key: string
    readonly load: () => Promise<number>
    readonly handle: (told: PrintedEvent) => Promise<void>
    readonly signal?: AbortSignal
  }) => Promise<{ readonly stopped: number } | undefined>
}

test("the guide's consumer, as printed, uses each event once, continues after a crash, and stops without a key", async () => {
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(guide) ?? []
  const { follow } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as Example
  const api = await openTestApi()
  try {
    const base = await listen(api)
    const context = await api.newAccount()
    const key = await api.newKey(context, ['read'])
    const ids = [...(await announce(api.service, context, [arrived, discharged, arrived]))]
    const handled: PrintedEvent[] = []
    const load = async () => handled.at(-1)?.sequence ?? 0
    const crash = new AbortController()
    await follow({
      base,
      key,
      load,
      signal: crash.signal,
      handle: async (told) => {
        if (handled.length === 2) {
          crash.abort()
          throw new Error('the power went')
        }
        handled.push(told)
      },
    })
    assert.equal(handled.length, 2)
    ids.push(...(await announce(api.service, context, [discharged])))
    const done = new AbortController()
    await follow({
      base,
      key,
      load,
      signal: done.signal,
      handle: async (told) => {
        handled.push(told)
        if (handled.length === 4) done.abort()
      },
    })
    assert.deepEqual(
      handled.map(({ document }) => document.data.id),
      ids,
    )
    assert.deepEqual(
      handled.map(({ sequence, event }) => [sequence, event]),
      [
        [1, arrived],
        [2, discharged],
        [3, arrived],
        [4, discharged],
      ],
    )
    const stopped = await follow({ base, key: `${key.slice(0, -1)}_`, load, handle: async () => {} })
    assert.equal(stopped?.stopped, 401)
  } finally {
    await api.close()
  }
})

test('the guide states the number of events correctly', () => {
  assert.ok(guide.includes(`all ${eventNames.length} are in the feed`))
})
