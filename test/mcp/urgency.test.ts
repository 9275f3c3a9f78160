import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeTime } from '../../src/mcp/presenters/local-time.ts'
import { writeUrgency } from '../../src/mcp/presenters/urgency.ts'
import type { ContainerReading } from '../../src/modules/containers/list-containers-sql.ts'

const zone = 'America/Los_Angeles'
const asked = { lastSucceededAt: '2026-02-10T00:00:00.000Z', trackingStoppedAt: null }

const atPort = { portOfDischarge: { place: null }, destination: null }

function container(lfd: string | null, happened: readonly string[] = []): ContainerReading {
  const freeTime = { line: null, terminal: lfd === null ? null : { kind: 'day', on: lfd }, rail: null }
  return {
    projection: { freeTime, pickupTimeZone: zone, saidBy: {}, ...atPort },
    status: 'available',
    calculatedFreeDays: [],
    happened: happened.map((name) => ({ name, callKey: 'USLAX#1', time: { kind: 'day', on: '2026-02-01' } })),
  } as unknown as ContainerReading
}

test('days are counted in the time zone of the place, and the last free day is free until it ends there', () => {
  // 23:30 of the tenth in Los Angeles.
  const now = '2026-02-11T07:30:00.000Z'
  const at = (lfd: string) => writeUrgency(container(lfd), asked, now)
  assert.deepEqual([at('2026-02-10').urgency, at('2026-02-10').days_until_lfd], ['today', 0])
  assert.deepEqual([at('2026-02-09').urgency, at('2026-02-09').days_until_lfd], ['overdue', -1])
  assert.deepEqual([at('2026-02-12').urgency, at('2026-02-12').days_until_lfd], ['soon', 2])
  assert.deepEqual([at('2026-03-12').urgency, at('2026-03-12').days_until_lfd], ['ok', 30])
})

test('no urgency is given if tracking stopped, no source answered, or the last answer is old', () => {
  const now = '2026-02-18T00:00:00.000Z'
  for (const doubtful of [
    { ...asked, trackingStoppedAt: '2026-02-10T00:00:00.000Z' },
    { ...asked, lastSucceededAt: null },
    { ...asked, lastSucceededAt: '2026-02-09T00:00:00.000Z' },
  ]) {
    const urgency = writeUrgency(container('2026-02-18'), doubtful, now)
    assert.deepEqual([urgency.urgency, urgency.urgency_suppressed, urgency.days_until_lfd], [null, true, null])
  }
  assert.equal(
    writeUrgency(container('2026-02-18'), { ...asked, lastSucceededAt: '2026-02-11T00:00:00.000Z' }, now)
      .urgency_suppressed,
    false,
  )
})

test('a container that was picked up, or has no last free day, is not urgent', () => {
  const now = '2026-02-10T00:00:00.000Z'
  assert.equal(writeUrgency(container('2026-02-01', ['full_out']), asked, now).urgency, 'none')
  assert.equal(writeUrgency(container(null), asked, now).urgency, 'none')
})

test('a time is shown with its original precision, in local time of the place', () => {
  assert.equal(
    writeTime({ kind: 'instant', at: '2026-07-01T00:00:00.000Z' }, zone),
    '2026-06-30T17:00:00-07:00[America/Los_Angeles]',
  )
  assert.equal(
    writeTime({ kind: 'instant', at: '2026-07-01T00:00:00.000Z' }, 'Asia/Kolkata'),
    '2026-07-01T05:30:00+05:30[Asia/Kolkata]',
  )
  assert.equal(writeTime({ kind: 'instant', at: '2026-07-01T00:00:00.000Z' }, null), '2026-07-01T00:00:00Z')
  assert.equal(writeTime({ kind: 'day', on: '2026-07-01' }, zone), '2026-07-01')
  assert.equal(writeTime({ kind: 'local', local: '2026-07-01T08:00:00' }, null), '2026-07-01T08:00:00')
  assert.equal(
    writeTime({ kind: 'local', local: '2026-07-01T08:00:00' }, zone),
    '2026-07-01T08:00:00-07:00[America/Los_Angeles]',
  )
  assert.equal(writeTime(null, zone), null)
})

test('the earliest last free day of line, terminal and railway determines the urgency', () => {
  const now = '2026-02-10T12:00:00.000Z'
  const day = (on: string) => ({ kind: 'day', on })
  const of = (happened: readonly string[]) =>
    writeUrgency(
      {
        ...container(null, happened),
        projection: {
          freeTime: { line: day('2026-02-14'), terminal: day('2026-02-11'), rail: day('2026-02-13') },
          pickupTimeZone: zone,
          saidBy: {},
          ...atPort,
        },
      } as unknown as ContainerReading,
      asked,
      now,
    )
  assert.equal(of([]).days_until_lfd, 1)
  assert.match(of([]).urgency_reason, /Free time ends Wed 11 Feb, tomorrow, says the terminal/)
  const onRail = of(['vessel_discharged', 'rail_loaded'])
  assert.equal(onRail.days_until_lfd, 3)
  assert.match(onRail.urgency_reason, /says the railway/)
  assert.equal(of(['rail_loaded', 'vessel_discharged']).days_until_lfd, 1, 'a train brought it to the ship')
})
