// A fixture made from a real answer: it gives the same result, and identifies neither the cargo nor a party.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { openDcsaSource } from '../../../src/connectors/dcsa/dcsa-source.ts'
import { standardProfile } from '../../../src/connectors/dcsa/profile.ts'
import { findDcsaProfile } from '../../../src/connectors/dcsa/profiles/lines.ts'
import { redactAnswer } from '../../../src/connectors/dcsa/redact.ts'
import type { PollRequest, Reading } from '../../../src/connectors/source.ts'
import type { EventObservation } from '../../../src/domain/statements/observation.ts'
import { parseContainerNumber, parseImoNumber } from '../../../src/domain/values/identifiers.ts'
import { addMs } from '../../../src/domain/values/time.ts'
import { eventsOf } from './events.ts'
import { readLineStories } from './line-story.ts'

const shiftDays = -91
const fixture = (name: string): Buffer => readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url))

function redact(body: Buffer): { readonly text: string; readonly replacementOf: (number: string) => string } {
  const redacted = redactAnswer(body, { shiftDays })
  assert.ok(redacted.ok, redacted.ok ? '' : redacted.reason)
  return redacted.value
}

const fetchedAt = '2026-01-20T00:00:00.000Z'
const source = openDcsaSource()

function read(body: Buffer, request: PollRequest, at: string): Reading {
  const profile = findDcsaProfile(request.scac) ?? { ...standardProfile, scac: request.scac, base: '' }
  return source.read({ status: 200, contentType: null, body, fetchedAt: at }, request, profile)
}

/** Everything that is read of an event without the replaced values; its time is moved back. */
function rowsOf(reading: Reading, days: number): readonly string[] {
  return eventsOf(reading)
    .map((event) => [timeOf(event, days), ...keptOf(event)].join(' | '))
    .sort()
}

function timeOf({ time }: EventObservation, days: number): string {
  if (time.kind === 'instant') return addMs(time.at, days * 86_400_000)
  const [day = '', rest = ''] = (time.kind === 'day' ? time.on : time.local).split('T')
  return `${time.kind} ${addMs(`${day}T00:00:00Z`, days * 86_400_000).slice(0, 10)} ${rest}`
}

function keptOf(event: EventObservation): readonly unknown[] {
  const { classifier, code, original, load, mode, callSequence, place } = event
  const { unlocode, timeZone, facilityCode, facilityType, terminalId } = place
  const isThere = [event.equipment, event.vessel?.imo, event.vessel?.name, event.voyage, event.callId]
  return [
    [classifier, code, original, load, mode, callSequence],
    [unlocode, timeZone, facilityCode, facilityType, terminalId],
    isThere.map((value) => value !== null && value !== undefined),
  ]
}

const issuesOf = (reading: Reading) =>
  reading.issues.map(({ kind, page, path, lost }) => `${kind} ${page} ${path} ${lost}`)

const answers: readonly (readonly [string, PollRequest, Buffer])[] = [
  ...readLineStories().map(
    ({ scac, variant, asks, answer }) => [`${scac} ${variant}`.trim(), { scac, ...asks }, answer] as const,
  ),
  ...(
    [
      'tnt-220-response',
      'tnt-220-response-wrong-attribute-values',
      'tnt-220-response-wrong-date-times',
      'tnt-220-response-wrong-event-ids',
      'tnt-300-response',
    ] as const
  ).map((name) => {
    const requested = { scac: 'HLCU', kind: 'bill_of_lading', number: 'HLCU123456789' } as const
    return [name, requested, fixture(name)] as const
  }),
]

describe('A redacted answer', () => {
  for (const [name, request, body] of answers) {
    it(`of ${name}, polled by ${request.kind}, is read like the original, except for what was replaced`, () => {
      const { text, replacementOf } = redact(body)
      const before = read(body, request, fetchedAt)
      const requested = { ...request, number: replacementOf(request.number) }
      const after = read(Buffer.from(text), requested, addMs(fetchedAt, shiftDays * 86_400_000))
      assert.deepEqual(rowsOf(after, -shiftDays), rowsOf(before, 0))
      assert.deepEqual(issuesOf(after), issuesOf(before))
      assert.deepEqual(after.events, before.events)
      assert.equal(after.outcome, before.outcome)
      assert.deepEqual(after.about.equipment.length, before.about.equipment.length)
      assert.deepEqual(after.about.billNumbers.length, before.about.billNumbers.length)
      const left = [...before.about.equipment, ...before.about.billNumbers, ...before.about.bookingNumbers]
      for (const number of left) assert.ok(!text.includes(number), `${number} is left`)
      for (const event of eventsOf(before)) {
        if (event.vessel?.imo) assert.ok(!text.includes(event.vessel.imo))
        if (event.vessel?.name) assert.ok(!text.includes(event.vessel.name))
      }
    })
  }

  it('keeps valid check digits valid and wrong check digits wrong', () => {
    const answer = ['MEDU4801232', 'MEDU4801233'].map((equipmentReference) => ({
      eventType: 'EQUIPMENT',
      equipmentReference,
      vessel: { vesselIMONumber: equipmentReference.endsWith('2') ? '9730189' : '9730188' },
    }))
    const [right, wrong] = JSON.parse(redact(Buffer.from(JSON.stringify(answer))).text)
    assert.equal(parseContainerNumber(right.equipmentReference).ok, true)
    assert.deepEqual(parseContainerNumber(wrong.equipmentReference), {
      ok: false,
      reason: 'wrong_check_digit',
    })
    assert.equal(parseImoNumber(right.vessel.vesselIMONumber).ok, true)
    assert.deepEqual(parseImoNumber(wrong.vessel.vesselIMONumber), { ok: false, reason: 'wrong_check_digit' })
  })

  it('contains no party, address or free text', () => {
    const answer = {
      events: [
        {
          eventType: 'EQUIPMENT',
          equipmentReference: 'MEDU4801232',
          transportEventTypeCode: 'Loaded MEDU4801232 at berth',
          description: 'Box MEDU4801232 for Example Imports',
          eventLocation: {
            UNLocationCode: 'NLRTM',
            locationName: 'Example Imports warehouse',
            address: { name: 'Example Imports', street: 'Some Street', streetNumber: '7', city: 'Rotterdam' },
          },
          documentParties: [{ party: { partyName: 'Example Imports', taxReference: 'NL004' } }],
          MEDU4801232: 'by number',
        },
      ],
    }
    const { text } = redact(Buffer.from(JSON.stringify(answer)))
    assert.doesNotMatch(text, /Example|Some Street|"7"|NL004|4801232/)
    assert.match(text, /NLRTM/)
    assert.match(text, /Rotterdam/)
    assert.match(text, /"locationName": "PLACE 1"/)
  })

  it('replaces a number consistently, with and without the line’s prefix, by one of the same form', () => {
    const { replacementOf, text } = redact(
      Buffer.from(
        JSON.stringify([
          { documentReferences: [{ documentReferenceType: 'TRD', documentReferenceValue: 'MEDUZQ004310' }] },
          { documentReferences: [{ documentReferenceType: 'TRD', documentReferenceValue: 'ZQ004310' }] },
        ]),
      ),
    )
    assert.equal(replacementOf('MEDUZQ004310'), `MEDU${replacementOf('ZQ004310')}`)
    assert.equal(replacementOf('MEDUZQ004310').length, 'MEDUZQ004310'.length)
    assert.doesNotMatch(text, /ZQ004310/)
  })

  it('is refused for an answer that is no JSON, because its parts are unknown', () => {
    assert.equal(redactAnswer(Buffer.from('<html>MEDU4801232</html>'), { shiftDays }).ok, false)
  })

  it('contains no original container number, wherever the line wrote it', () => {
    const container = 'MEDU4801232'
    const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(container, `x ${container} y`, 'CNSHG', 'LOAD', '2026-01-05T01:38:00Z', 1, null),
        fc.dictionary(
          fc.constantFrom('eventType', 'value', 'locationName', 'description', 'eventID', 'facilityCode', container),
          tie('node'),
        ),
        fc.array(tie('node'), { maxLength: 3 }),
      ),
    })).node
    fc.assert(
      fc.property(value, (rest) => {
        const body = Buffer.from(JSON.stringify([{ equipmentReference: container }, rest]))
        assert.ok(!redact(body).text.includes(container))
      }),
    )
  })
})
