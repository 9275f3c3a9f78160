/** The handwritten scenario scripts: what a line states about each agrees with its handwritten outcome. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findLine } from '../../sandbox/lines.ts'
import { getPlace } from '../../sandbox/places.ts'
import { Asker, codeOf, type DcsaEvent } from './ask.ts'

const FOLDER = new URL('../../sandbox/scenarios/', import.meta.url)
const stories = readdirSync(FOLDER).filter((file) => file.endsWith('.txt'))

test('every scenario script has an outcome file, and there are at least ten', () => {
  const told = readdirSync(FOLDER).filter((file) => file.endsWith('.story'))
  assert.deepEqual(told.map((file) => file.replace('.story', '.txt')).sort(), [...stories].sort())
  assert.ok(stories.length >= 10)
})

for (const file of stories) {
  test(`the line sends the events of ${file.replace('.txt', '')} as written in its outcome file`, async (t) => {
    const lines = readFileSync(new URL(file, FOLDER), 'utf8').split('\n')
    const values = (word: string) =>
      lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.split(/\s+/).slice(1))
    const [scac = '', kind = '', number = ''] = values('ask')[0] ?? []
    assert.ok(findLine(scac)?.kinds.some((known) => known === kind))
    assert.equal(values('epoch')[0]?.[0], '2026-01-01T00:00:00Z')
    const asker = await Asker.start(t)
    for (const [at = '', outcome] of values('at')) {
      asker.setTime(at)
      const events = await asker.events(scac, kind, number)
      if (outcome === 'not_found') assert.equal(events.length, 0)
      else if (values('box').length === 0) assert.ok(events.some((event) => /CANC|VOID/.test(codeOf(event))))
      else
        assert.deepEqual(
          journeys(events, scac, lines),
          lines.filter((line) => /^(ACT|EST|box) /.test(line)),
        )
    }
  })
}

/** The events of each container in the notation: per visit and code the latest statement, estimates only of the future. */
function journeys(events: readonly DcsaEvent[], scac: string, lines: readonly string[]): readonly string[] {
  return lines
    .filter((line) => line.startsWith('box '))
    .flatMap((line) => {
      const box = line.slice(4)
      const oldestFirst = events.toSorted((a, b) => (a.eventCreatedDateTime < b.eventCreatedDateTime ? -1 : 1))
      const trip = latestTrip(oldestFirst.filter((event) => isOf(event, box)))
      const actuals = new Map<string, DcsaEvent>()
      for (const event of trip.filter(({ eventClassifierCode }) => eventClassifierCode === 'ACT')) {
        actuals.set(slotOf(event), event)
      }
      const told = [...actuals.values()].sort((a, b) => (momentOf(a) < momentOf(b) ? -1 : 1))
      const isAshore = told.some((event) => codeOf(event) === 'DISC' && slotPlace(event) === lastPlace(trip))
      const ahead = trip.filter(
        (e) => e.eventClassifierCode === 'EST' && codeOf(e) === 'ARRI' && !actuals.has(slotOf(e)),
      )
      return [line, ...[...told, ...(isAshore ? [] : ahead.slice(-1))].map((event) => write(event, scac))]
    })
}

function isOf(event: DcsaEvent, box: string): boolean {
  if (event.eventType === 'SHIPMENT') return false
  if (event.eventType === 'EQUIPMENT') return event.equipmentReference === box
  return event.references === undefined || event.references.some(({ referenceValue }) => referenceValue === box)
}

function latestTrip(events: readonly DcsaEvent[]): readonly DcsaEvent[] {
  const booking = (event: DcsaEvent | undefined) => event?.documentReferences[0]?.documentReferenceValue
  return events.filter((event) => booking(event) === booking(events.at(-1)))
}

function slotOf(event: DcsaEvent): string {
  return `${codeOf(event)} ${event.transportCall?.transportCallID}`
}

function slotPlace(event: DcsaEvent): string | undefined {
  return event.transportCall?.UNLocationCode
}

function lastPlace(events: readonly DcsaEvent[]): string | undefined {
  return slotPlace(events.findLast((event) => codeOf(event) === 'ARRI') ?? (events.at(-1) as DcsaEvent))
}

/** For sorting only, a local time without zone is read in the zone of its place. */
function momentOf({ eventDateTime, transportCall }: DcsaEvent): string {
  if (eventDateTime.length !== 19)
    return eventDateTime.length === 10 ? eventDateTime : new Date(eventDateTime).toISOString()
  const { zone } = getPlace(transportCall?.UNLocationCode ?? '')
  assert.equal(zone, 'Asia/Shanghai')
  return new Date(`${eventDateTime}+08:00`).toISOString()
}

function write(event: DcsaEvent, scac: string): string {
  const { eventDateTime: time } = event
  const when =
    time.length === 10 ? time : time.length === 19 ? time.slice(0, 16) : `${new Date(time).toISOString().slice(0, 16)}Z`
  const load = (event.emptyIndicatorCode ?? '-').padEnd(5)
  return `${event.eventClassifierCode} ${codeOf(event)} ${load} ${slotPlace(event) ?? '-'} ${when} carrier:${scac}`
}
