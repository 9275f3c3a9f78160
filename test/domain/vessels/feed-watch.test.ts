// When a feed of positions counts as silent: nothing for a window of time, or a tenth of what it usually sends.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFeedWatch } from '../../../src/domain/vessels/feed-watch.ts'

const minuteMs = 60_000
const windowMs = 15 * minuteMs
const at = (minutes: number): string => new Date(minutes * minuteMs).toISOString()
const open = (before: Parameters<typeof openFeedWatch>[0]['before'] = null, startMinutes = 0) =>
  openFeedWatch({ windowMs, startMs: startMinutes * minuteMs, before })

test('a connected feed that never sends is silent from its beginning, once the window is over', () => {
  const watch = open()
  watch.opened(0)
  assert.equal(watch.read(14 * minuteMs).silentSince, null)
  assert.equal(watch.read(15 * minuteMs).silentSince, at(0))
  watch.closed('no message came before the timeout')
  watch.opened(16 * minuteMs)
  assert.equal(watch.read(17 * minuteMs).silentSince, at(0), 'a new connection that is silent too changes nothing')
  watch.heard(18 * minuteMs)
  assert.deepEqual(watch.read(18 * minuteMs), {
    connectedAt: at(16),
    endedBecause: 'no message came before the timeout',
    heardAt: at(18),
    usual: null,
    silentSince: null,
  })
})

test('a feed that sends less than a tenth of what it usually sends is silent until it sends more', () => {
  const watch = open()
  const send = (fromMinutes: number, perMinute: number): void => {
    for (let n = 0; n < 15 * perMinute; n++) watch.heard(fromMinutes * minuteMs + (n * windowMs) / (15 * perMinute))
  }
  for (let window = 0; window < 4; window++) send(window * 15, 20)
  assert.equal(watch.read(60 * minuteMs).usual, 300)
  send(60, 1)
  assert.equal(watch.read(75 * minuteMs).silentSince, at(60))
  assert.equal(watch.read(75 * minuteMs).usual, 300, 'a silent window is no usual one')
  send(75, 10)
  assert.equal(watch.read(90 * minuteMs).silentSince, null, 'half of the usual number is no silence')
})

test('a feed of few messages is silent only when nothing comes', () => {
  const watch = open()
  for (let minute = 0; minute < 60; minute++) watch.heard(minute * minuteMs)
  watch.heard(70 * minuteMs)
  assert.equal(watch.read(75 * minuteMs).silentSince, null)
  assert.equal(watch.read(85 * minuteMs).silentSince, at(70))
})

test('the process that takes over waits a window, and keeps a silence that it found', () => {
  const sending = { connectedAt: null, endedBecause: null, heardAt: at(0), usual: 300, silentSince: null }
  assert.equal(open(sending, 100).read(110 * minuteMs).silentSince, null, 'nobody listened meanwhile')
  assert.equal(open(sending, 100).read(115 * minuteMs).silentSince, at(0))
  const silent = open({ ...sending, silentSince: at(0) }, 100)
  assert.equal(silent.read(101 * minuteMs).silentSince, at(0))
  silent.heard(102 * minuteMs)
  assert.equal(silent.read(102 * minuteMs).silentSince, null)
})
