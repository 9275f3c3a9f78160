/** A small simulation of polling: within every rate limit, fair to all accounts, and data no older than planned. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulatePolling } from '../qa/bench/polling-world.ts'

test('simulated polling of many containers keeps rate limits, treats accounts fairly and updates as planned', () => {
  const world = { containers: 40_000, days: 2, lines: 4, accounts: 100, tickSeconds: 20, seed: 3 }
  const made = simulatePolling({ ...world, shareOf: (line) => (line === 0 ? 0.8 : 1.6) })
  for (const [window, share] of Object.entries(made.fullest)) assert.ok(share <= 1, `${window} ${share}`)
  assert.ok(made.fullest.perDay > 0.85, 'what is allowed is used')
  const a = Object.fromEntries(made.ages.map((each) => [each.stage, each.meanHours]))
  const [atSea = 0, near = 0, ending = 0] = [a['at sea'], a['near port'], a['free time ends']]
  assert.ok(ending < 2 && ending < near && near < atSea && atSea < 14, JSON.stringify(a))
  const { small, large } = made
  assert.ok(small.containers === 10 && large.containers > 100)
  assert.ok(small.looks >= 0.8 * Math.min(large.looks, small.containers), `${small.looks} and ${large.looks}`)
  assert.ok(made.newWaitMinutes < 10, `${made.newWaitMinutes} min for a new request`)
})

test('the polling simulation gives the same day for the same seed', () => {
  const world = {
    containers: 2_000,
    days: 1,
    lines: 2,
    accounts: 10,
    tickSeconds: 60,
    seed: 1,
    shareOf: () => 1,
  }
  assert.deepEqual(simulatePolling(world), simulatePolling(world))
})
