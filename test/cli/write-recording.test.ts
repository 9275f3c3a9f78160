// A recording of an answer: read as the answer was, with what a person expects, and with nothing that identifies anybody.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseExpectation } from '../../src/cli/sources/recorded-values.ts'
import { checkRecording, parseRecording, writeDifference } from '../../src/cli/sources/recording.ts'
import { writeRecording } from '../../src/cli/sources/write-recording.ts'
import { findLineAccess } from '../../src/connectors/line-access.ts'
import { writePages } from '../../src/connectors/pages.ts'
import type { NumberKind } from '../../src/connectors/source.ts'
import { type PastedAccess, projectAnswer } from '../../src/modules/sources/read-answer.ts'
import { defaultRules } from '../../src/pipeline/ledger/rules.ts'
import { answerWith, content, asked as cosco } from '../connectors/cosco/answer.ts'
import { equipmentEvent, transportEvent } from '../connectors/dcsa/events.ts'

interface Given {
  readonly scac?: string
  readonly kind?: NumberKind
  readonly number?: string
  readonly at?: string
  readonly access?: PastedAccess
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly expect?: readonly string[]
  readonly secrets?: readonly string[]
}

function record(body: Buffer, given: Given = {}) {
  const { scac = 'MSCU', kind = 'bill_of_lading', number = 'MEDUZQ004310', at = '2026-03-01T00:00:00.000Z' } = given
  const answered = { status: 200, contentType: given.contentType ?? null }
  const access = given.access ?? null
  const read = projectAnswer(defaultRules, { scac, kind, number, body, at, answered, ...(access && { access }) })
  const [container = null] = read.reading.containers
  const expected = (given.expect ?? []).map((text) => {
    const parsed = parseExpectation(text, container?.number ?? null)
    assert.ok(parsed.ok, parsed.ok ? '' : parsed.reason)
    return parsed.value
  })
  const snapshot = { ...answered, body, fetchedAt: at }
  return writeRecording({
    snapshot,
    access,
    headers: given.headers ?? {},
    read,
    expected,
    secrets: given.secrets ?? [],
  })
}

function recorded(body: Buffer, given?: Given) {
  const written = record(body, given)
  assert.ok(written.ok, written.ok ? '' : written.reason)
  return { ...written.value, recording: parseRecording(written.value.text) }
}

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../connectors/dcsa/fixtures/${name}.json`, import.meta.url))
const evergreen = { scac: 'EGLV', number: 'EGLV143600412785' } as const
const withoutAliases: PastedAccess = {
  source: 'dcsa',
  profile: {
    ...findLineAccess('EGLV')?.profile,
    enumAliases: {},
    base: 'https://customer-4711.example',
    auth: { keyHeaders: { 'x-key-of-ours': 'apiKey' }, oauth: null },
    headers: { 'x-customer': 'Example Imports' },
  },
}

describe('A recording', () => {
  it('of an answer that is read wrongly fails, and passes once the profile is mended', () => {
    const expect = ['estimated.vessel_arrived@USTIW = 2026-03-06', 'vessel_departed@CNNGB = 2026-01-25']
    const { recording, differences } = recorded(fixture('line-eglv'), { ...evergreen, access: withoutAliases, expect })
    assert.deepEqual(recording.profile, { enumAliases: {} })
    const found = checkRecording(recording).map(writeDifference)
    assert.deepEqual(found, differences.map(writeDifference))
    assert.equal(found.length, 1)
    assert.match(found[0] ?? '', /^EITU\d{7} estimated\.vessel_arrived@USTIW: expected 202\d-\d\d-\d\d, read nothing$/)
    assert.deepEqual(checkRecording({ ...recording, profile: { enumAliases: { PLAN: 'PLN' } } }), [])
    assert.deepEqual(checkRecording({ ...recording, profile: {} }), [], 'the shipped profile reads it right')
  })

  it('without expectations expects what was read', () => {
    const { recording, differences } = recorded(fixture('line-eglv'), evergreen)
    assert.deepEqual(differences, [])
    const found = checkRecording({ ...recording, profile: { enumAliases: {} } }).map(writeDifference)
    assert.equal(found.length, 2)
    assert.equal(found[0], 'shipment portOfDischarge: expected USTIW, read nothing')
    assert.match(found[1] ?? '', /^EITU\d{7} milestone: expected EST vessel_arrived USTIW .*, read nothing$/)
  })

  it('has what was read, and nothing of the access but what decides how answers are read', () => {
    const { text, recording } = recorded(fixture('line-eglv'), { ...evergreen, access: withoutAliases })
    assert.equal(recording.source, 'dcsa')
    assert.equal(recording.read.verdict, 'found')
    assert.equal(recording.read.containers.length, 1)
    assert.match(recording.read.lines.join('\n'), /ACT LOAD\s+LADEN CNNGB/)
    assert.doesNotMatch(text, /customer|x-key|auth|EITU9201376|143600412785|EVER MERIDIAN|9811775|0612-031E/)
  })

  it('moves expected times by the days of the answer, and replaces expected names as in the answer', () => {
    const expect = ['pod_vessel_name = EVER MERIDIAN', 'pod_vessel_imo=9811775', 'pod_vessel_name = EVER AFTER']
    const { recording, differences, text } = recorded(fixture('line-eglv'), { ...evergreen, expect })
    assert.deepEqual(
      recording.expected.map(({ value }) => value),
      ['SHIP 1', recording.expected[1]?.value, 'SHIP 2'],
    )
    assert.deepEqual(differences.map(writeDifference), ['shipment pod_vessel_name: expected SHIP 2, read SHIP 1'])
    assert.doesNotMatch(text, /EVER/)
  })

  it('keeps an expected day at its place the same day, also when it is moved into another season', () => {
    const discharged = { equipmentEventTypeCode: 'DISC', eventDateTime: '2026-05-03T07:30:00Z' }
    const body = Buffer.from(JSON.stringify([equipmentEvent(discharged)]))
    const given = { scac: 'ACLU', number: 'HHL71800000', at: '2026-06-01T00:00:00.000Z' }
    for (let times = 0; times < 30; times += 1)
      assert.deepEqual(recorded(body, { ...given, expect: ['vessel_discharged@USLAX=2026-05-03'] }).differences, [])
  })

  it('of several pages is read as one answer', () => {
    const pages = [transportEvent({}), equipmentEvent({})].map((event) => ({
      status: 200,
      contentType: 'application/json; charset=utf-8; of=Example',
      body: Buffer.from(JSON.stringify([event])),
      truncated: false,
    }))
    const { body, contentType } = writePages({ pages, complete: false }, '2026-03-01T00:00:00.000Z')
    const { recording } = recorded(body, { contentType: contentType ?? '', number: 'HHL71800000', scac: 'ACLU' })
    assert.deepEqual(
      recording.answer.pages.map(({ status, content_type: type }) => [status, type]),
      [
        [200, 'application/json'],
        [200, 'application/json'],
      ],
    )
    assert.equal(recording.answer.is_complete, false)
    assert.deepEqual(checkRecording(recording), [])
  })

  it('of an answer of COSCO replaces its numbers, names and weights, and keeps its places and moves', () => {
    const body = answerWith(content)
    const { text, recording } = recorded(body, { ...cosco, expect: ['CSNU6276212:rail_departed@USLAX=2026-02-03'] })
    assert.deepEqual(checkRecording(recording), [])
    assert.doesNotMatch(text, /6276212|4398907|6412345670|EXAMPLE BRIDGE|K31436|17720|V2167699827|039E/)
    assert.match(text, /West Basin Container Terminal,Los Angeles,California,United States/)
  })

  it('is refused for an answer that is not JSON, and in a language whose members are not known', () => {
    const page = record(Buffer.from('<html>MEDU4801232</html>'))
    assert.match(page.ok ? '' : page.reason, /it is not JSON/)
    const test = record(Buffer.from('{}'), { access: { source: 'test', profile: {} } })
    assert.match(test.ok ? '' : test.reason, /^Only answers of DCSA Track & Trace and of COSCO can be redacted/)
  })

  it('is refused when a secret would be in it, also a line of a key', () => {
    const body = Buffer.from(JSON.stringify([transportEvent({ transportEventTypeCode: 'abc "of us"' })]))
    const given = { scac: 'ACLU', number: 'HHL71800000' }
    assert.ok(record(body, given).ok)
    for (const secret of ['abc "of us"', '-----BEGIN KEY-----\nabc "of us"\n-----END KEY-----']) {
      const written = record(body, { ...given, secrets: [secret] })
      assert.deepEqual(written, { ok: false, reason: 'A secret would be in the recording. Nothing was written.' })
    }
  })

  it('has no number, name, address or secret, wherever the line wrote it', () => {
    const [container, bill, ship, party] = ['MEDU4801232', 'MEDUZQ004310', 'EXAMPLE SEAWAYS', 'Example Imports']
    const [address, secret] = ['anna@imports.example', 'k3y-of-nobody']
    const planted = [container, bill, ship, party, address, secret]
    const text = fc.oneof(
      fc.constantFrom(...planted),
      fc.constantFrom(...planted).map((each) => `x ${each} y`),
      fc.constantFrom('CNSHG', 'LOAD', 'Rotterdam', '2026-01-05T01:38:00Z'),
    )
    const names = ['value', 'city', 'description', 'customerName', 'eventID', 'facilityCode', 'name', 'type', container]
    const rest = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.dictionary(fc.constantFrom(...names), tie('node')),
        fc.array(tie('node'), { maxLength: 3 }),
      ),
    })).node
    let writtenCount = 0
    fc.assert(
      fc.property(rest, text, (more, code) => {
        const vessel = { vesselIMONumber: '9321483', vesselName: ship }
        const head = {
          documentReferences: [{ documentReferenceType: 'TRD', documentReferenceValue: bill }],
          documentParties: [{ party: { partyName: party, email: address } }],
          more,
        }
        const events = [
          equipmentEvent({ ...head, equipmentReference: container, facilityCode: code }),
          transportEvent({ ...head, transportCall: { UNLocationCode: 'USLAX', modeOfTransport: 'VESSEL', vessel } }),
        ]
        const written = record(Buffer.from(JSON.stringify(events)), { secrets: [secret] })
        if (!written.ok) return
        writtenCount += 1
        for (const each of [...planted, 'ZQ004310', '9321483'])
          assert.ok(!written.value.text.toLowerCase().includes(each.toLowerCase()), `${each} is left`)
      }),
    )
    assert.ok(writtenCount > 20, `${writtenCount} were written`)
  })
})

describe('An expectation', () => {
  const parse = (text: string, container: string | null = 'MEDU4801232') => {
    const parsed = parseExpectation(text, container)
    return parsed.ok ? parsed.value : parsed.reason
  }

  it('is a container, a milestone or attribute, a place and a value', () => {
    const { container, ...rest } = {
      container: 'MEDU4801232',
      name: 'vessel_discharged',
      place: 'USLAX',
      value: '2026-05-03',
    }
    assert.deepEqual(parse('vessel_discharged@uslax = 2026-05-03'), { container, ...rest })
    assert.deepEqual(parse('CSNU6276212: vessel_discharged@USLAX=2026-05-03'), { container: 'CSNU6276212', ...rest })
    assert.deepEqual(parse('empty_in=-'), { container, name: 'empty_in', place: null, value: null })
    assert.deepEqual(parse('pod_eta_at=2026-05-03T10:30-07:00', null), {
      container: null,
      name: 'pod_eta_at',
      place: null,
      value: '2026-05-03T10:30-07:00',
    })
  })

  it('is refused with what is wrong and the nearest name', () => {
    assert.equal(
      parse('vesel_discharged=2026-05-03'),
      'vesel_discharged is not a milestone or attribute. Did you mean vessel_discharged?',
    )
    assert.equal(parse('current_status=availble'), 'availble is not a status. Did you mean available?')
    assert.match(String(parse('vessel_discharged=May')), /^"May" is not a time/)
    assert.equal(parse('vessel_discharged@Los=2026-05-03'), 'Los is not a UN/LOCODE.')
    assert.equal(parse('port_of_lading_locode=Shanghai'), 'Shanghai is not a UN/LOCODE.')
    assert.equal(parse('MEDU48:empty_in=-'), 'MEDU48 is not a container number.')
    assert.equal(parse('MEDU4801232:pod_eta_at=-'), 'pod_eta_at is an attribute of the shipment, not of a container.')
    assert.equal(parse('seal_number@USLAX=1'), 'seal_number has no place.')
    assert.equal(parse('empty_in=-', null), 'Which container? Write <container>:empty_in=-')
    assert.equal(parse('seal_number='), 'seal_number needs a value, or - for none.')
    assert.match(String(parse('something')), /^"something" is not <milestone or attribute>/)
  })
})
