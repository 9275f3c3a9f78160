/** The sandbox is a function of seed, epoch and time: reproducible, never ahead of its clock, and without lost data. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sandboxTime } from '../../sandbox/clock.ts'
import { LANES } from '../../sandbox/lanes.ts'
import { findLine, LINES } from '../../sandbox/lines.ts'
import { DAY } from '../../sandbox/local-time.ts'
import { checkDigit } from '../../sandbox/numbers.ts'
import { getPlace } from '../../sandbox/places.ts'
import { Asker, codeOf, type DcsaEvent } from './ask.ts'

test('the same seed and time give identical answers, and another seed other numbers', async (t) => {
  const [one, two, other] = await Promise.all([Asker.start(t), Asker.start(t), Asker.start(t, 80, 2)])
  // The second sandbox was queried at another time before.
  two.setDay(20)
  await two.numbers()
  two.setDay(80)
  const numbers = await one.numbers()
  assert.deepEqual(await two.numbers(), numbers)
  const generated = (list: typeof numbers) =>
    list.filter(({ scenario }) => !scenario.startsWith('story_')).map((n) => n.number)
  const elsewhere = new Set(generated(await other.numbers()))
  assert.ok(generated(numbers).filter((number) => elsewhere.has(number)).length < 5)
  for (const { scac, kind, number } of numbers.slice(0, 200)) {
    const [a, b] = await Promise.all([one.ask(scac, kind, number), two.ask(scac, kind, number)])
    assert.equal(a.text, b.text)
  }
})

test('every listed number has events, and none is stated or has happened in the future', async (t) => {
  const asker = await Asker.start(t)
  const numbers = await asker.numbers()
  assert.ok(numbers.length > 500)
  assert.equal(new Set(numbers.map(({ scac }) => scac)).size, 38)
  for (const { scac, kind, number, scenario } of numbers.slice(0, 900)) {
    const events = await asker.events(scac, kind, number)
    assert.notEqual(events.length, 0, `${scac} ${kind} ${number}`)
    for (const event of events) {
      assert.ok(Date.parse(event.eventCreatedDateTime) <= asker.now)
      const at = /[Z+-]\d?\d?:?\d?\d?$/.test(event.eventDateTime.slice(19)) ? Date.parse(event.eventDateTime) : null
      // One scenario is about a line that does just that.
      if (event.eventClassifierCode === 'ACT' && at !== null && scenario !== 'story_dated_ahead') {
        assert.ok(at <= Date.parse(event.eventCreatedDateTime), `${scac} ${number} ${codeOf(event)}`)
      }
    }
  }
})

test('events of a number stay unchanged later, unless a line with complete answers omits them', async (t) => {
  const asker = await Asker.start(t, 40)
  const numbers = (await asker.numbers()).filter(({ kind }) => kind !== 'container').slice(0, 250)
  const before = await Promise.all(numbers.map(({ scac, kind, number }) => asker.events(scac, kind, number)))
  asker.setDay(46.5)
  let kept = 0
  for (const [n, { scac, kind, number, scenario }] of numbers.entries()) {
    const later = new Map((await asker.events(scac, kind, number)).map((event) => [event.eventID, event]))
    const isWhole = findLine(scac)?.quirks.has('whole_picture') === true
    const mayChange = isWhole && /corrected|retracted/.test(scenario)
    for (const event of before[n] ?? []) {
      const again = later.get(event.eventID)
      const isFirm = event.eventClassifierCode === 'ACT' && !mayChange
      if (isFirm || !isWhole) assert.ok(again, `${scac} ${number}: ${codeOf(event)} is gone`)
      if (again === undefined) continue
      assert.deepEqual(again, event)
      kept += 1
    }
  }
  assert.ok(kept > 1000)
})

test('a bill becomes known, passes every stage and ends with the empty return', async (t) => {
  const asker = await Asker.start(t, 10)
  const [bill] = await asker.numbers('&scac=ACLU&kind=bill_of_lading&stage=not_manifested')
  assert.ok(bill)
  assert.equal((await asker.ask('ACLU', 'bill_of_lading', bill.number)).status, 404)
  const stages = new Set<string>()
  for (let day = 10; day < 70; day += 0.5) {
    asker.setDay(day)
    const now = (await asker.numbers('&scac=ACLU&kind=bill_of_lading')).find(({ number }) => number === bill.number)
    if (now !== undefined) stages.add(now.stage)
  }
  assert.ok(stages.has('sailing') && stages.has('discharged') && stages.has('empty_returned'), [...stages].join())
})

test('a line states the same events as the journey that the sandbox simulates', async (t) => {
  const asker = await Asker.start(t)
  const numbers = await asker.numbers('&scac=WHLC&kind=container&stage=empty_returned&scenario=direct')
  assert.notEqual(numbers.length, 0)
  for (const { number } of numbers) {
    const [truth] = JSON.parse((await asker.get(`/sandbox/journeys/${number}`)).text)
    const events = await asker.events('WHLC', 'container', number)
    const said = events.filter((event) => event.eventClassifierCode === 'ACT' && event.eventType !== 'SHIPMENT')
    const plain = (event: DcsaEvent): string =>
      `${new Date(event.eventDateTime).toISOString()} ${codeOf(event)} ${event.transportCall?.UNLocationCode}`
    const true_ = truth.containers[0].events.map(
      (e: { at: string; event: string; place: string }) => `${e.at} ${e.event} ${e.place}`,
    )
    assert.deepEqual(said.map(plain).sort(), true_.sort())
  }
})

test('at least thirty shipping lanes exist, all their lines are known, and each line has a lane', () => {
  assert.ok(LANES.length >= 30)
  assert.ok(LANES.every(({ lines }) => lines.every((scac) => findLine(scac)?.scac === scac)))
  for (const { scac } of LINES)
    assert.ok(
      LANES.some(({ lines }) => lines.includes(scac)),
      scac,
    )
  for (const { chains } of LANES)
    for (const code of chains.flatMap(({ places }) => places)) assert.ok(getPlace(code).zone)
})

test('container numbers have a valid ISO 6346 check digit', async (t) => {
  assert.equal(checkDigit('CSQU305438'), 3)
  const asker = await Asker.start(t)
  for (const { number } of await asker.numbers('&kind=container')) {
    assert.match(number, /^[A-Z]{3}U\d{7}$/)
    assert.equal(String(checkDigit(number)), number.at(-1))
  }
})

test('the list of numbers contains every scenario and stage', async (t) => {
  const asker = await Asker.start(t)
  const numbers = await asker.numbers()
  const scenarios = new Set(numbers.map(({ scenario }) => scenario))
  const wanted =
    'rolled different_fates late_containers cancelled late_manifest corrected retracted container_reused bill_entered_late direct transshipment feeder barge rail rail_interchange same_port_twice eta_slips eta_jitter'
  for (const scenario of wanted.split(' ')) assert.ok([...scenarios].includes(scenario as never), scenario)
  const stages = new Set(numbers.map(({ stage }) => stage))
  for (const stage of 'booked empty_out gated_in sailing at_transshipment discharged rail gated_out empty_returned cancelled'.split(
    ' ',
  )) {
    assert.ok([...stages].includes(stage as never), stage)
  }
})

test('the clock catches up and never passes the real time', () => {
  const anchorReal = Date.UTC(2026, 5, 1)
  const setting = { anchorReal, anchorSim: anchorReal - 90 * DAY, speed: 86_400 }
  assert.equal(sandboxTime(setting, anchorReal), anchorReal - 90 * DAY)
  assert.equal(sandboxTime(setting, anchorReal + 10_000), anchorReal - 80 * DAY + 0)
  for (const later of [80_000, 90_002, 200_000, 10 * DAY]) {
    assert.ok(sandboxTime(setting, anchorReal + later) <= anchorReal + later)
  }
  assert.equal(sandboxTime(setting, anchorReal + DAY), anchorReal + DAY)
})
