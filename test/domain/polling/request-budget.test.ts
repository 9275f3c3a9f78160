import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { dealRoundRobin } from '../../../src/domain/polling/deal-round-robin.ts'
import {
  failurePauseMs,
  noUsage,
  type RequestLimits,
  type RequestUsage,
  requestPermit,
  returnUnsentRequests,
  type Urgency,
  urgencies,
} from '../../../src/domain/polling/request-budget.ts'

const startMs = Date.parse('2026-02-01T00:00:00Z')
const dayMs = 86_400_000
const windowsMs = { perSecond: 1_000, perMinute: 60_000, perHour: 3_600_000, perDay: dayMs } as const

function limitsOf(rate: RequestLimits['rate'], quota: RequestLimits['quota'] = {}): RequestLimits {
  return { rate, quota: quota }
}

/** When each of these requests is sent, if each is requested as early as possible. */
function sendAll(
  limits: RequestLimits,
  of: readonly { readonly waitMs: number; readonly requests: number; readonly urgency: Urgency }[],
) {
  let usage = noUsage
  let nowMs = startMs
  const sentMs: number[] = []
  for (const { waitMs, requests, urgency } of of) {
    nowMs += waitMs
    let permit = requestPermit(usage, limits, { nowMs, requests, urgency })
    for (let tries = 0; permit.kind === 'wait' && tries < 3; tries += 1) {
      nowMs = permit.untilMs
      permit = requestPermit(usage, limits, { nowMs, requests, urgency })
    }
    assert.equal(permit.kind, 'granted', 'what is waited for is granted then')
    if (permit.kind !== 'granted') break
    usage = permit.usage
    for (let sent = 0; sent < permit.requests; sent += 1) sentMs.push(nowMs)
  }
  return sentMs
}

describe('A budget of requests', () => {
  it('is respected in every window of each length, for any sequence of requests', () => {
    const requested = fc.array(
      fc.record({
        waitMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: dayMs })),
        requests: fc.integer({ min: 1, max: 30 }),
        urgency: fc.constantFrom(...urgencies),
      }),
      { maxLength: 60 },
    )
    const limit = fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined })
    const rates = fc.record({ perSecond: limit, perMinute: limit, perHour: limit, perDay: limit })
    fc.assert(
      fc.property(rates, requested, (rate, all) => {
        const sentMs = sendAll(limitsOf(rate), all)
        for (const [window, ofMs] of Object.entries(windowsMs)) {
          const most = rate[window as keyof typeof windowsMs]
          if (most === undefined) continue
          for (const [place, fromMs] of sentMs.entries()) {
            const within = sentMs.slice(place).filter((at) => at < fromMs + ofMs).length
            assert.ok(within <= most, `${within} of ${most} ${window}`)
          }
        }
      }),
      { numRuns: 200 },
    )
  })

  it('per day allows a burst of at most a fifth of the requests', () => {
    const one = { waitMs: 0, requests: 1, urgency: 'new' } as const
    const sentMs = sendAll(
      limitsOf({ perDay: 100 }),
      Array.from({ length: 100 }, () => one),
    )
    assert.equal(sentMs.filter((at) => at === startMs).length, 20)
    const onDay = sentMs.filter((at) => at < startMs + dayMs).length
    assert.ok(onDay > 95 && onDay <= 100, `${onDay}`)
  })

  it('reserves some of the saved requests for the urgent ones', () => {
    let usage: RequestUsage = noUsage
    const limits = limitsOf({ perDay: 100 })
    const takeAll = (urgency: Urgency): number => {
      for (let taken = 0; ; taken += 1) {
        const permit = requestPermit(usage, limits, { nowMs: startMs, requests: 1, urgency })
        if (permit.kind === 'wait') return taken
        usage = permit.usage
      }
    }
    assert.deepEqual(urgencies.toReversed().map(takeAll), [8, 4, 4, 4])
  })

  it('stops at its quota until the next UTC day or month, and takes back unsent requests', () => {
    const ask = (usage: RequestUsage, nowMs: number, requests = 1) =>
      requestPermit(usage, limitsOf({}, { perDay: 3, perMonth: 4 }), { nowMs, requests, urgency: 'new' })
    const first = ask(noUsage, startMs, 3)
    assert.ok(first.kind === 'granted')
    assert.deepEqual(ask(first.usage, startMs), { kind: 'wait', untilMs: startMs + dayMs })
    const again = ask(returnUnsentRequests(first.usage, 1, startMs), startMs)
    assert.ok(again.kind === 'granted')
    const nextDay = ask(again.usage, startMs + dayMs)
    assert.ok(nextDay.kind === 'granted')
    assert.deepEqual(ask(nextDay.usage, startMs + dayMs), {
      kind: 'wait',
      untilMs: Date.parse('2026-03-01T00:00:00Z'),
    })
  })

  it('pauses a channel after repeated failures, first for a minute, then longer, up to an hour', () => {
    const minutes = [0, 4, 5, 6, 7, 11, 50].map((failures) => (failurePauseMs(failures) ?? 0) / 60_000)
    assert.deepEqual(minutes, [0, 0, 1, 2, 4, 60, 60])
  })
})

describe('Due polls of a channel', () => {
  const turn = (urgency: number, account: string, count: number) => ({
    urgency,
    items: Array.from({ length: count }, (_, place) => `${account}${place}`),
  })
  const dealt = (turns: readonly ReturnType<typeof turn>[], room: number, limits = limitsOf({}), before = 0) =>
    dealRoundRobin({
      queues: turns,
      spending: noUsage,
      limits,
      dealt: before,
      capacity: room,
      nowMs: startMs,
      requestsOf: () => 1,
    })

  it('are picked class by class, and within a class from each account in turn', () => {
    const { picks } = dealt([turn(3, 'a', 3), turn(0, 'b', 5), turn(0, 'c', 1), turn(1, 'd', 1)], 7)
    assert.deepEqual(
      picks.map(({ item }) => item),
      ['b0', 'c0', 'b1', 'b2', 'b3', 'b4', 'd0'],
    )
  })

  it('are picked from the least urgent class once in eight polls', () => {
    const { picks } = dealt([turn(0, 'new', 20), turn(3, 'calm', 20)], 16)
    const places = picks.flatMap(({ item }, place) => (item.startsWith('calm') ? [place] : []))
    assert.deepEqual(places, [7, 15])
  })

  it('get, for each urgency class, the time of the next possible request when the limits allow none now', () => {
    const { picks, waits } = dealt([turn(0, 'new', 5), turn(3, 'calm', 5)], 10, limitsOf({ perDay: 10 }))
    assert.equal(picks.length, 2)
    assert.ok((waits.get('new') ?? 0) > startMs && (waits.get('calm') ?? 0) >= (waits.get('new') ?? 0))
  })
})
