import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { limitsOf, parseDcsaProfile, secretNames } from '../../../src/connectors/dcsa/profile.ts'
import { findDcsaProfile, lineProfiles } from '../../../src/connectors/dcsa/profiles/lines.ts'
import { sandboxProfile } from '../../../src/connectors/dcsa/profiles/sandbox.ts'
import { writeQuestion } from '../../../src/connectors/dcsa/question.ts'
import { allShippingLines } from '../../../src/reference/shipping-lines.ts'
import { profile } from './events.ts'

describe('The shipped profiles', () => {
  it('cover exactly the lines with a DCSA API, and none is marked as verified', () => {
    const scacs = 'MAEU SEAU SEJJ SAFM MSCU CMDU APLU ANNU HLCU ONEY YMLU EGLV HDMU ZIMU'.split(' ')
    assert.deepEqual(
      lineProfiles.map((line) => line.profile.scac),
      scacs,
    )
    for (const line of lineProfiles) {
      assert.deepEqual(parseDcsaProfile(JSON.parse(JSON.stringify(line.profile))), {
        ok: true,
        value: line.profile,
      })
      assert.equal(line.profile.verified, false)
    }
  })

  it('list the secrets that an operator has to give, and contain none', () => {
    const names = lineProfiles.map((line) => `${line.profile.scac} ${secretNames(line.profile).join(' ')}`)
    assert.ok(names.includes('MAEU clientId clientSecret consumerKey'))
    assert.ok(names.includes('MSCU certificate clientId privateKey'))
    assert.ok(names.includes('HLCU clientId clientSecret'))
    for (const line of lineProfiles) assert.ok(secretNames(line.profile).length > 0)
  })

  it('are changed by the entry of docs/writing-a-profile.md to the second product of Maersk', () => {
    const page = readFileSync(new URL('../../../docs/writing-a-profile.md', import.meta.url), 'utf8')
    const [, text = ''] = /^```public-access\n([\s\S]*?)^```$/m.exec(page) ?? []
    const [entry] = JSON.parse(text) as readonly [{ scac: string; profile: object; secrets: object }]
    const parsed = parseDcsaProfile({ ...findDcsaProfile(entry.scac), ...entry.profile })
    assert.ok(parsed.ok, parsed.ok ? '' : parsed.reason)
    assert.deepEqual(secretNames(parsed.value), Object.keys(entry.secrets))
    assert.deepEqual(limitsOf(parsed.value), {
      rate: { perHour: 20 },
      concurrency: 2,
      quota: { perDay: 100 },
      isQuotaDefault: true,
    })
    const request = { scac: 'MAEU', kind: 'bill_of_lading', number: 'MAEU123456789' } as const
    assert.equal(
      writeQuestion(parsed.value, request)?.href,
      'https://api.maersk.com/track-and-trace/public-events?transportDocumentReference=123456789',
    )
  })

  it('have day-only times exactly where the list of lines states it', () => {
    for (const { profile: shipped } of lineProfiles) {
      const listed = allShippingLines().find(({ scac }) => scac === shipped.scac)
      assert.equal(shipped.hasDayOnlyTimes, listed?.dataGaps.datesOnly ?? false, shipped.scac)
    }
  })

  it('each limit the rate and the concurrency of requests', () => {
    for (const { profile: shipped } of lineProfiles) {
      const { rate, concurrency } = limitsOf(shipped)
      assert.ok(Object.keys(rate).length > 0 && concurrency > 0, shipped.scac)
    }
  })
})

describe('A profile', () => {
  it('that is invalid is refused, and the reason names its first wrong field', () => {
    const refusal = (value: unknown): string => {
      const parsed = parseDcsaProfile(value)
      return parsed.ok ? 'accepted' : parsed.reason
    }
    assert.match(refusal({ ...profile, base: 'ftp://x' }), /^\/base /)
    assert.match(refusal({ ...profile, base: 'https://user:password@x' }), /^\/base /)
    assert.match(refusal({ ...profile, timeoutMs: -1 }), /^\/timeoutMs /)
    assert.match(refusal({ ...profile, colour: 'red' }), /colour|additional/i)
    assert.notEqual(refusal(null), 'accepted')
    assert.equal(refusal(profile), 'accepted')
  })
})

describe('The request', () => {
  const ask = (
    scac: string,
    kind: 'container' | 'bill_of_lading' | 'booking',
    number: string,
    more = {},
  ): string | undefined => writeQuestion(findDcsaProfile(scac) ?? profile, { scac, kind, number, ...more })?.href

  it('has the form that each line requires', () => {
    assert.equal(
      ask('MAEU', 'bill_of_lading', 'MAEU123456789'),
      'https://api.maersk.com/track-and-trace-private/events?transportDocumentReference=123456789&limit=100',
    )
    assert.equal(
      ask('ONEY', 'container', 'TCLU1234568'),
      'https://apis.one-line.com/v2/cargotracking/events?equipmentReference=TCLU1234568&eventType=TRANSPORT&eventType=EQUIPMENT&limit=100',
    )
    assert.equal(
      ask('CMDU', 'booking', 'ABC1234567'),
      'https://apis.cma-cgm.net/operation/trackandtrace/v1/events?carrierBookingReference=ABC1234567&eventType=TRANSPORT%2CEQUIPMENT&limit=100',
    )
    assert.equal(
      ask('MSCU', 'container', 'MEDU1234560'),
      'https://api.tech.msc.com/msc/trackandtrace/v2.2/events?equipmentReference=MEDU1234560',
    )
  })

  it('to Yang Ming has no prefix in a bill or booking number', () => {
    assert.match(ask('YMLU', 'bill_of_lading', 'YMLUI226000431') ?? '', /transportDocumentReference=I226000431$/)
    assert.match(ask('YMLU', 'booking', 'I226000431') ?? '', /carrierBookingReference=I226000431$/)
    assert.match(ask('YMLU', 'container', 'YMLU8000431') ?? '', /equipmentReference=YMLU8000431$/)
  })

  it('never removes the owner code from a container number', () => {
    assert.match(ask('MAEU', 'container', 'MAEU1234560') ?? '', /equipmentReference=MAEU1234560/)
  })

  it('has the operator’s id where the line requires it', () => {
    const since = { createdSince: '2026-01-01T00:00:00Z' }
    assert.match(ask('MAEU', 'booking', '1', since) ?? '', /eventCreatedDateTime=gte%3A2026-01-01T00%3A00%3A00Z$/)
    assert.match(ask('HLCU', 'booking', '1', since) ?? '', /eventCreatedDateTime%3Agte=2026-01-01T00%3A00%3A00Z$/)
  })
})

describe('The sandbox’s profiles', () => {
  it('exist for every line, are valid, and poll by the kinds of number that the line can be tracked by', () => {
    for (const line of allShippingLines()) {
      const made = sandboxProfile(line.scac, 'http://127.0.0.1:4000/')
      assert.ok(made !== null && parseDcsaProfile(made).ok, line.scac)
      assert.equal(made.base + made.path, `http://127.0.0.1:4000/${line.scac.toLowerCase()}/v2/events`)
      assert.equal(made.parameters.container !== null, line.tracksBy.container)
      assert.deepEqual(secretNames(made), [])
    }
    assert.equal(sandboxProfile('XXXX', 'http://127.0.0.1:4000'), null)
  })

  it('have the same deviations from the standard as the real line', () => {
    assert.equal(sandboxProfile('EGLV', 'http://127.0.0.1:4000')?.hasDayOnlyTimes, true)
    assert.equal(sandboxProfile('MAEU', 'http://127.0.0.1:4000')?.body, 'events')
    assert.equal(sandboxProfile('MAEU', 'http://127.0.0.1:4000')?.restatesTransport, false, 'it tells true times')
    assert.deepEqual(sandboxProfile('ZIMU', 'http://127.0.0.1:4000')?.mayLack, ['transportCall'])
  })
})
