import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MentionedNumber } from '../../../src/connectors/pushed-source.ts'
import { isKeyOf } from '../../../src/connectors/source.ts'
import { openStatementsSource } from '../../../src/connectors/statements/statements-source.ts'
import { findTerminal } from '../../../src/reference/terminals.ts'
import { bytesOf, readParts, settled, snapshotOf } from '../pushed-harness.ts'

const source = openStatementsSource()
const profile = {}
const box: MentionedNumber = { kind: 'container', number: 'APZU4812090' }
type Json = Readonly<Record<string, unknown>>

function statement(changes: Json = {}): Json {
  return {
    container: 'APZU4812090',
    bill: 'HHL71800000',
    says: 'vessel_discharged',
    at: '2026-02-03T10:00:00-08:00',
    place: 'USLAX',
    id: 'gate-1',
    written_at: '2026-02-03T10:05:00-08:00',
    ...changes,
  }
}

function read(changes: Json = {}, subject = box) {
  return source.read(snapshotOf(bytesOf(statement(changes))), { speaker: 'terminal', messageSubject: subject }, profile)
}

function saidBy(changes: Json) {
  const [observation] = read(changes).observations
  if (observation === undefined)
    throw new Error(
      read(changes)
        .issues.map(({ detail }) => detail)
        .join(),
    )
  return observation
}

const faultsOf = (body: unknown) =>
  source.splitDelivery(bytesOf(body), profile).faults.map(({ kind, path, detail }) => `${kind} ${path} ${detail}`)
const lines = (...each: readonly unknown[]) =>
  each.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')

describe('A statement', () => {
  it('names an event by its own name or by DCSA’s codes', () => {
    const word = saidBy({})
    const codes = saidBy({ says: 'DISC', load: 'LADEN', mode: 'VESSEL' })
    assert.deepEqual(word, codes)
    assert.ok(word.kind === 'event')
    const { code, load, mode, classifier, time, place, key, equipment, statedAt } = word
    assert.deepEqual(
      [code, load, mode, classifier, time, place.unlocode, place.timeZone, key, equipment, statedAt],
      [
        'DISC',
        'LADEN',
        'VESSEL',
        'ACT',
        { kind: 'instant', at: '2026-02-03T18:00:00.000Z' },
        'USLAX',
        'America/Los_Angeles',
        'gate-1',
        'APZU4812090',
        '2026-02-03T18:05:00.000Z',
      ],
    )
    assert.equal(read().outcome, 'found')
  })

  it('keeps the precision of a time, without adding a zone or an hour', () => {
    assert.deepEqual(saidBy({ at: '2026-02-03' }), { ...saidBy({}), time: { kind: 'day', on: '2026-02-03' } })
    const wallClock = { kind: 'local', local: '2026-02-03T10:00:00' }
    assert.deepEqual(saidBy({ at: '2026-02-03T10:00' }), { ...saidBy({}), time: wallClock })
  })

  it('may name a terminal by a spelling that carriers use, together with its port', () => {
    const name = 'PUSAN NEWPORT COMPANY LIMITED'
    const pnc = findTerminal({ provider: 'SMDG', code: 'PNC', unlocode: 'KRPUS' })
    assert.equal(pnc?.nickname, 'PNC')
    const placeIn = (place: Json) => {
      const stated = saidBy({ place })
      return stated.kind === 'event' ? stated.place.terminalId : undefined
    }
    assert.equal(placeIn({ unlocode: 'KRPUS', name }), pnc?.id)
    assert.equal(placeIn({ unlocode: 'KRINC', name }), null)
    assert.equal(placeIn({ name }), null)
  })

  it('keeps the text of an event without a code, and the name and facility code of an unknown place', () => {
    const place = { name: 'Yard 7', facility_code: 'X1', facility_type: 'DEPO' }
    const event = saidBy({ says: 'other', words: 'SHIFTED', classifier: 'estimated', place })
    assert.ok(event.kind === 'event')
    assert.deepEqual([event.code, event.original, event.classifier], [null, 'SHIFTED', 'EST'])
    assert.deepEqual([event.place.unlocode, event.place.name, event.place.facilityCode], [null, 'Yard 7', 'X1'])
    assert.deepEqual(
      read({ place }).issues.map(({ kind, path }) => `${kind} ${path}`),
      ['unknown_place /place'],
    )
  })

  it('states a fact by its name and value', () => {
    const fact = (says: string, value: unknown) => {
      const rest = { ...statement({ says, value }), at: undefined, place: undefined }
      const [stated] = source.read(
        snapshotOf(bytesOf(rest)),
        { speaker: 'terminal', messageSubject: box },
        profile,
      ).observations
      return stated?.kind === 'fact' ? stated.value : undefined
    }
    assert.deepEqual(fact('pickup_lfd_terminal', '2026-02-07'), { kind: 'day', on: '2026-02-07' })
    assert.deepEqual(fact('hold', { name: 'customs', status: 'released' }), {
      name: 'customs',
      status: 'released',
      description: null,
    })
    assert.deepEqual(fact('fee', { type: 'demurrage', status: 'due', amount: 120, currency: 'USD' }), {
      type: 'demurrage',
      status: 'due',
      amount: 120,
      currencyCode: 'USD',
      description: null,
    })
    assert.deepEqual(fact('holds', []), [])
    assert.equal(fact('available', true), true)
    assert.equal(fact('weight_kg', 18_250.5), 18_250.5)
    assert.equal(fact('delivered', null), null)
    assert.equal(fact('booking_number', ' abc709951 '), 'ABC709951')
  })

  it('without an id gets a key from its content and its document number', () => {
    const keyOf = (changes: Json) => saidBy({ id: undefined, ...changes }).key
    assert.equal(keyOf({}), 'ACT|DISC|LADEN|VESSEL|USLAX|-|-|APZU4812090|HHL71800000')
    assert.equal(keyOf({ bill: undefined }), 'ACT|DISC|LADEN|VESSEL|USLAX|-|-|APZU4812090|2026-02-03')
    assert.equal(keyOf({ bill: undefined, classifier: 'EST' }), 'EST|DISC|LADEN|VESSEL|USLAX|-|-|APZU4812090')
    const hold = (name: string, description?: string) =>
      keyOf({ says: 'hold', at: undefined, place: undefined, value: { name, status: 'hold', description } })
    assert.equal(hold('customs', 'exam'), 'hold|customs|APZU4812090|HHL71800000')
    assert.equal(hold('other', 'fumigation'), 'hold|other:FUMIGATION|APZU4812090|HHL71800000')
  })

  it('states the bill and booking of the journey, once for all its containers', () => {
    const documentsOf = (changes: Json) =>
      read(changes)
        .observations.slice(1)
        .map((stated) => [
          stated.kind === 'fact' && stated.fact,
          stated.kind === 'fact' && stated.value,
          stated.equipment,
          stated.key,
        ])
    assert.deepEqual(documentsOf({ booking: ' abc709951 ' }), [
      ['bill_of_lading_number', 'HHL71800000', null, 'bill_of_lading_number|HHL71800000'],
      ['booking_number', 'ABC709951', null, 'booking_number|ABC709951'],
    ])
    assert.deepEqual(documentsOf({ bill: undefined }), [])
    assert.deepEqual(documentsOf({ retracted: true }), [], 'nothing is learnt from what is taken back')
    const itself = { says: 'bill_of_lading_number', value: 'HHL71800000', at: undefined, place: undefined }
    assert.deepEqual(documentsOf(itself), [], 'said already')
  })

  it('retracts an earlier statement, with its content or by its id alone', () => {
    const { key } = saidBy({})
    const whole = read({ retracted: true, written_at: '2026-02-04T00:00:00Z' })
    assert.deepEqual([whole.observations[0]?.isRetracted, whole.observations[0]?.key], [true, key])
    assert.deepEqual(
      settled([read(), whole]).map(({ key: of, isRetracted }) => [of, isRetracted]),
      [
        ['bill_of_lading_number|HHL71800000', false],
        [key, true],
      ],
      'the bill is still the journey’s',
    )
    const bare = { container: 'APZU4812090', id: 'gate-1', retracted: true }
    const { withdrawn, observations } = source.read(
      snapshotOf(bytesOf(bare)),
      { speaker: 'terminal', messageSubject: box },
      profile,
    )
    assert.deepEqual([withdrawn.every((id) => isKeyOf(id, key)), withdrawn.length, observations], [true, 1, []])
    assert.equal(read({ id: undefined, retracted: true }).withdrawn[0], saidBy({ id: undefined }).key)
  })

  it('that a booking is cancelled cancels the request for this booking, and not the request for its bill', () => {
    const cancelled = {
      container: undefined,
      at: undefined,
      place: undefined,
      says: 'booking_cancelled',
      value: true,
    }
    const changes = { ...cancelled, booking: 'ABC709951' }
    assert.equal(read(changes, { kind: 'booking', number: 'ABC709951' }).outcome, 'cancelled')
    assert.equal(read(changes, { kind: 'bill_of_lading', number: 'HHL71800000' }).outcome, 'known_without_data')
  })

  it('with blanks in its numbers is found without them', () => {
    const [part] = source.splitDelivery(bytesOf(statement({ bill: 'hhl 718 00000' })), profile).parts
    assert.equal(part?.about[0]?.number, 'HHL71800000')
    const bill: MentionedNumber = { kind: 'bill_of_lading', number: 'HHL71800000' }
    assert.equal(read({ bill: 'hhl 718 00000' }, bill).outcome, 'found')
  })

  it('is not read for a number that it does not name', () => {
    const { outcome, observations } = read({}, { kind: 'booking', number: 'ABC709951' })
    assert.deepEqual([outcome, observations], ['other_number', []])
  })

  it('written in the future or about years ahead is not believed', () => {
    for (const changes of [{ written_at: '2027-01-01T00:00:00Z' }, { at: '2029-01-01' }]) {
      const { observations, issues } = read(changes)
      assert.deepEqual([observations, issues.map(({ kind }) => kind)], [[], ['implausible_time']])
    }
  })
})

describe('A delivery of statements', () => {
  it('is one statement, a list, an object with a list, or one per line', () => {
    const two = [statement(), statement({ id: 'gate-2', container: 'LDFU1000018' })]
    for (const body of [two, { statements: two }, lines(...two), `\ufeff\r\n${lines(...two)}\r\n\n`]) {
      const { parts, faults } = source.splitDelivery(bytesOf(body), profile)
      assert.deepEqual(faults, [])
      assert.deepEqual(
        parts.map(({ about }) => about.map(({ number }) => number).join(' ')),
        ['HHL71800000 APZU4812090', 'HHL71800000 LDFU1000018'],
      )
      const read = readParts(source, parts, profile).flatMap(({ observations }) => observations)
      assert.equal(read.filter(({ kind }) => kind === 'event').length, 2)
    }
    assert.equal(source.splitDelivery(Buffer.from(JSON.stringify(two[0], null, 2)), profile).parts.length, 1)
  })

  it('reports line and member of each error, and keeps the valid lines', () => {
    const body = lines(
      statement(),
      'no JSON',
      statement({ id: 'b', at: 'yesterday' }),
      '',
      statement({ id: 'c', place: { unlocode: 'LAX' } }),
      statement({ id: 'd', container: 'APZA4812091' }),
      '[1]',
      '{"id":"e"',
      statement({ id: 'f' }),
    )
    assert.equal(source.splitDelivery(bytesOf(body), profile).parts.length, 2)
    assert.deepEqual(faultsOf(body), [
      'not_json /2 line 2: not a complete JSON object, and each line must have one',
      'unreadable_time /3/at line 3: at: "yesterday" is not an ISO 8601 time',
      'wrong_type /5/place/unlocode line 5: place/unlocode: this is not a UN/LOCODE, which has two letters of the country and three of the place',
      'bad_equipment /6/container line 6: container: unknown category',
      'wrong_structure /7 this is not a JSON object',
      'not_json /8 line 8: not a complete JSON object, and each line must have one',
    ])
  })

  it('accepts a container with a wrong or missing check digit, and reports an issue', () => {
    for (const [container, number] of [
      ['APZU4812091', 'APZU4812091'],
      ['APZU481209', 'APZU4812090'],
    ] as const) {
      const [part] = source.splitDelivery(bytesOf(statement({ container })), profile).parts
      const subject = { kind: 'container', number } as const
      const reading = source.read(
        snapshotOf(part?.body ?? Buffer.alloc(0)),
        { speaker: 'terminal', messageSubject: subject },
        profile,
      )
      assert.equal(reading.observations[0]?.equipment, number)
      assert.deepEqual(
        reading.issues.map(({ kind, path, lost }) => `${kind} ${path} ${lost}`),
        ['check_digit /container nothing'],
      )
    }
  })

  it('numbers the statements of a list from one', () => {
    assert.deepEqual(faultsOf([statement(), statement({ says: 'gated' })]), [
      'unknown_code /1/says statement 2: says: "gated" is not the name of an event or a fact',
    ])
  })

  it('refuses members that are unknown, of the wrong type, missing, or contradictory', () => {
    const faults = (changes: Json) => faultsOf(statement(changes))[0]
    assert.match(faults({ colour: 'red' }) ?? '', /^wrong_structure {2}"colour" is not a member/)
    assert.match(faults({ at: 7 }) ?? '', /^wrong_type \/at at: /)
    assert.match(faults({ at: undefined }) ?? '', /^missing_field \/at/)
    assert.match(faults({ load: 'EMPTY' }) ?? '', /^wrong_structure \/load load: contradicts vessel_discharged/)
    assert.match(faults({ value: 1 }) ?? '', /^wrong_structure \/value/)
    assert.match(faults({ says: 'available', value: true }) ?? '', /^wrong_structure \/at/)
    assert.match(faults({ written_at: '2026-02-03T10:00' }) ?? '', /^time_without_zone \/written_at/)
    assert.match(faults({ says: undefined }) ?? '', /^missing_field \/says/)
    assert.match(
      faults({ container: undefined, bill: undefined }) ?? '',
      /^missing_field {2}a container, bill or booking number is needed/,
    )
    assert.match(faults({ vessel: { imo: '9321484' } }) ?? '', /^bad_imo \/vessel\/imo/)
    assert.match(faults({ at: '1999-01-01' }) ?? '', /^implausible_time \/at/)
    assert.match(faults({ words: ' \u0000 ' }) ?? '', /^wrong_type \/words/)
  })

  it('quotes no value of a fact in an issue', () => {
    for (const [says, value] of [
      ['pickup_number', ['SECRET']],
      ['fee', { type: 'SECRET', status: 'due' }],
      ['hold', { name: 'customs', status: 'hold', SECRET: 1 }],
      ['pickup_lfd_line', { SECRET: 1 }],
      ['booking_number', 'SECRET,SECRET'],
    ] as const) {
      const faults = faultsOf(statement({ says, value, at: undefined, place: undefined }))
      assert.equal(faults.length, 1)
      assert.ok(!faults.join().includes('SECRET'), faults.join())
    }
  })

  it('has a delivery key only if the sender states an id or a time', () => {
    const keyOf = (changes: Json) => source.splitDelivery(bytesOf(statement(changes)), profile).parts[0]
    assert.match(keyOf({})?.deliveryKey ?? '', /^gate-1 2026-02-03T18:05:00\.000Z [0-9a-f]{16}$/)
    assert.equal(keyOf({})?.writtenAt, '2026-02-03T18:05:00.000Z')
    assert.match(keyOf({ id: undefined })?.deliveryKey ?? '', /^2026-02-03T18:05:00\.000Z [0-9a-f]{16}$/)
    assert.equal(keyOf({ id: undefined, written_at: undefined })?.deliveryKey, null)
    assert.notEqual(keyOf({ retracted: true })?.deliveryKey, keyOf({})?.deliveryKey)
    assert.equal(source.splitDelivery(bytesOf([statement(), statement()]), profile).parts.length, 1)
  })

  it('accepts only an empty profile', () => {
    assert.ok(source.parseProfile({}).ok)
    for (const wrong of [null, [], { a: 1 }, 'x']) assert.ok(!source.parseProfile(wrong).ok)
  })
})
