/**
 * How many files of src/ run for one event, from the line's answer to the signed webhook. Files that are loaded and run
 * nothing do not count. The bound is what it takes today; it is lowered when it takes less, and not raised.
 */

import assert from 'node:assert/strict'
import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { registerAllResources } from '../../src/api/json-api/all-resources.ts'
import { openRenderer } from '../../src/api/notifications/notification-document.ts'
import { deliverDue } from '../../src/pipeline/delivery/start-deliveries.ts'
import { numberEvents } from '../../src/pipeline/event-sequence/number-events.ts'
import { foldBy } from '../../src/pipeline/ledger/fold.ts'
import { readRules } from '../../src/pipeline/ledger/rules.ts'
import { pollCarrier, takeDuePolls } from '../../src/pipeline/polling/due-polls.ts'
import { workTasks } from '../../src/pipeline/polling/work-tasks.ts'
import { journey, openStage, type Stage } from '../support/tracking-harness.ts'
import { openReceiver, subscribe } from '../support/webhooks-harness.ts'

const bill = 'HLCUSHA260100005'
const filesMax = 243

async function pollToWebhook({ service }: Stage): Promise<void> {
  const rules = readRules(service.config)
  for (const job of await takeDuePolls(service, 5)) await pollCarrier(service, rules, job)
  await Promise.all(await workTasks(service, foldBy(rules), 1))
  await numberEvents(service)
  await deliverDue(service, { render: openRenderer(service) })
}

/** The files of src/ of which a function runs during `work`. A file that is only loaded by it does not count. */
async function filesExecuted(work: () => Promise<void>): Promise<readonly string[]> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await session.post('Profiler.stopPreciseCoverage')
  session.disconnect()
  const ran = result.filter(({ url, functions }) => {
    // What begins with the file is the module itself, which runs when it is loaded.
    const called = functions.flatMap(({ ranges }) => ranges.slice(0, 1)).filter(({ count }) => count > 0)
    return url.startsWith('file:') && called.some(({ startOffset }) => startOffset > 0)
  })
  const paths = ran.map(({ url }) => relative('.', fileURLToPath(url)))
  return paths.filter((path) => path.startsWith('src/')).toSorted()
}

test(`processing one event runs code in at most ${filesMax} source files, from the poll to the webhook`, async (t) => {
  registerAllResources()
  const stage = await openStage(t)
  const receiver = await openReceiver()
  t.after(() => receiver.close())
  await subscribe(stage.service, stage.account, {
    url: receiver.url,
    events: ['container.transport.vessel_departed'],
  })
  stage.carrier.answers({ json: journey(bill, 'loaded') })
  await stage.track(bill)
  await stage.drain()
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.rows('update subjects set next_look_at = $1', [new Date(stage.clock.now()).toISOString()])
  const files = await filesExecuted(() => pollToWebhook(stage))
  assert.equal(receiver.received.length, 1)
  t.diagnostic(`one event runs ${files.length} files of src/`)
  assert.ok(files.length > 50)
  assert.ok(files.length <= filesMax, files.join('\n'))
})
