// Numbers in one batch support each other: for a leased container, the line of its batch neighbours is polled first.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { containerCheckDigit } from '../../../src/domain/values/identifiers.ts'
import { trackBatch } from '../../../src/modules/tracking-requests/track-batch.ts'
import { workBatchQueue } from '../../../src/modules/tracking-requests/work-queue.ts'
import { openCarrier } from '../../support/carrier.ts'
import { giveAccess } from '../../support/service.ts'
import { openStage, type Stage } from '../../support/tracking-harness.ts'

const box = (ten: string): string => `${ten}${containerCheckDigit(ten)}`

async function open(t: TestContext, env: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const stage = await openStage(t, { env })
  for (const scac of ['MSCU', 'MAEU', 'CMDU', 'ONEY', 'YMLU']) {
    const carrier = await openCarrier()
    t.after(() => carrier.close())
    await giveAccess(stage, { scac, profile: carrier.profile(scac) })
  }
  return stage
}

async function send(stage: Stage, items: readonly { readonly number: string; readonly scac?: string }[]) {
  const given = items.map(({ number, scac = null }) => ({
    kind: 'read' as const,
    input: {
      requestNumber: number,
      requestType: 'container' as const,
      scac,
      refNumbers: [],
      shipmentTags: [],
    } as never,
  }))
  return trackBatch(stage.service, stage.account, { items: given, isDryRun: false })
}

const firstAsked = async (stage: Stage, number: string): Promise<string | undefined> => {
  const { candidates } = await stage.row<{ candidates: readonly { readonly scac: string }[] }>(
    `select payload -> 'candidates' as candidates from ledger
      where kind = 'request_created' and payload ->> 'requestNumber' = $1`,
    [number],
  )
  return candidates[0]?.scac
}

test('for a leased container, polls the line of the other containers in its batch first', async (t) => {
  const stage = await open(t)
  const leased = box('TCNU123456')
  await send(stage, [{ number: leased }])
  assert.notEqual(await firstAsked(stage, leased), 'YMLU', 'alone it is anybody’s')
  const siblings = [box('BEAU654321'), box('TGHU333333')]
  await send(stage, [
    { number: siblings[0] ?? '' },
    { number: box('YMMU111111') },
    { number: siblings[1] ?? '' },
    { number: box('YMMU222222'), scac: 'YMLU' },
  ])
  for (const sibling of siblings) assert.equal(await firstAsked(stage, sibling), 'YMLU', sibling)
})

test('uses the other containers of the batch also for an item that waits for the rate limit', async (t) => {
  const stage = await open(t, { LANDFALL_RATE_LIMIT_CREATE: '2', LANDFALL_RATE_LIMIT_STORE: 'database' })
  const late = box('TCNU123456')
  await send(stage, [{ number: box('YMMU111111') }, { number: box('YMMU222222'), scac: 'YMLU' }, { number: late }])
  stage.clock.advance(61_000)
  await workBatchQueue(stage.service)
  assert.equal(await firstAsked(stage, late), 'YMLU')
})
