import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseEffects } from '../../../src/connectors/x12/effects.ts'
import { parseX12Profile, type X12Profile } from '../../../src/connectors/x12/profile.ts'
import { findTerminalById } from '../../../src/reference/terminals.ts'
import { interchange, type Reader, readPart, sample, sampleNames, told, x12 } from './fixtures.ts'

const bill = 'N9*BM*HLCUNGB260101'
const atPort = ['R4*5*UN*USLAX*LOS ANGELES*US', 'DTM*140*20260301*1450*LT']
const readings = (delivery: Buffer, reader: Reader = {}) =>
  x12.splitDelivery(delivery, reader.profile ?? {}).parts.map((part) => readPart(part, reader))
const allIssuesOf = (delivery: Buffer, reader: Reader = {}) =>
  readings(delivery, reader).flatMap(({ issues }) => issues.map(({ kind, path, lost }) => `${kind} ${path} ${lost}`))
/** Most messages here write no check digit. */
const issuesOf = (delivery: Buffer, reader: Reader = {}) =>
  allIssuesOf(delivery, reader).filter((issue) => !issue.startsWith('check_digit'))
/** One status of a container, and what was read from it besides the bill. */
const status = (
  code: string,
  {
    speaker,
    profile,
    more = [],
    load = 'L',
  }: Reader & { readonly more?: readonly string[]; readonly load?: string } = {},
) => {
  const reader = { ...(speaker && { speaker }), ...(profile && { profile }) }
  const delivery = interchange(['315', `B4***${code}*20260301*1450**TCNU*123456*${load}`, bill, ...more, ...atPort])
  return {
    told: told(delivery, reader).filter((each) => !each.startsWith('FACT bill_of_lading_number')),
    issues: issuesOf(delivery, reader),
  }
}
const terminal = { speaker: 'terminal' } as const
const event = (what: string, original: string) =>
  `ACT ${what} USLAX 2026-03-01T14:50 box=TCNU1234565 name="LOS ANGELES" original="${original}"`

test('reads every public 315 and 322: its status is mapped, or kept as text', () => {
  const seen: string[] = []
  for (const name of sampleNames) {
    for (const part of x12.splitDelivery(sample(name), {}).parts) {
      const speaker = name.startsWith('X12-322') ? 'rail' : 'shipping_line'
      const { observations, issues, outcome } = readPart(part, { speaker })
      assert.notEqual(outcome, 'unrecognized', name)
      assert.ok(observations.length > 0, name)
      const unmapped = issues.filter(({ kind, path }) => kind === 'unmapped_code' && path.endsWith('/3'))
      seen.push(`${name} ${unmapped.length}`)
    }
  }
  assert.deepEqual(seen, [
    'X12-315-c.edi 0',
    'X12-315_2284.edi 0',
    'X12-315_576b.edi 0',
    'X12-315_a372.edi 0',
    'X12-322_7739.edi 0',
    'X12-322_a5a9.edi 0',
    'X12-322_de0f.edi 0',
    'X12-322_e334.edi 0',
  ])
})

test('reads a public 315: actual and expected events, and the roles of its places', () => {
  assert.deepEqual(
    told(sample('X12-315_576b.edi')),
    [
      'FACT bill_of_lading_number SUDUN2SL008733AF box=-',
      'FACT booking_number 2SOL008733 box=-',
      'FACT place_of_delivery MXQRO box=MRSU4371639 name="QUERETARO"',
      'FACT port_of_discharge MXZLO box=MRSU4371639 name="SSA MEXICO HOLDINGS"',
      'FACT port_of_loading KRPUS box=MRSU4371639 name="PUSAN NEWPORT CONTAINER"',
      'FACT seal_number 5512862 box=MRSU4371639',
      'FACT size_type 45G1 box=MRSU4371639',
      'ACT ARRI - MXZLO 2022-11-20T23:00 box=MRSU4371639 via=VESSEL vessel=9352004/"MAERSK STEPNICA" voyage=242S name="SSA MEXICO HOLDINGS" original="D 140"',
      'ACT DEPA - KRPUS 2022-11-03T12:55 box=MRSU4371639 via=VESSEL name="PUSAN NEWPORT CONTAINER" original="L 140"',
      'ACT DISC LADEN MXZLO 2022-11-21T01:24 box=MRSU4371639 via=VESSEL vessel=9352004/"MAERSK STEPNICA" voyage=242S name="MANZANILLO" original="UV"',
    ]
      .map((each) => each.replace(' box=-', ''))
      .sort(byText),
  )
})

const byText = (a: string, b: string) => (a < b ? -1 : 1)

test('a gate move has the load state that the message states', () => {
  assert.deepEqual(status('I').told, [event('GTIN LADEN', 'I')])
  assert.deepEqual(status('I', { load: 'E' }).told, [event('GTIN EMPTY', 'I')])
  assert.deepEqual(status('OA', { load: '' }).told, [event('GTOT -', 'OA')])
  assert.deepEqual(status('OA', { load: 'X' }).issues, ['unknown_code /4/9 field'])
  assert.deepEqual(status('RD', { load: '' }).told, [event('GTIN EMPTY', 'RD')])
})

test('an unmapped code is kept as the sender’s text, with an issue', () => {
  for (const code of ['PX', 'HR', 'ZZ', 'TC', 'A', 'NT']) {
    const { told, issues } = status(code)
    assert.deepEqual(told, [event('- -', code)], code)
    assert.deepEqual(issues, ['unmapped_code /4/3 nothing'], code)
  }
})

test('an operator profile adds status codes and changes the meaning of known ones', () => {
  const profile = {
    codes: { PX: 'hold USDA', HR: 'release customs', OX: 'GTOT LADEN', AE: 'note', QQ: 'hold other:police' },
  }
  assert.deepEqual(status('PX', { profile }).told, [
    'FACT hold USDA:hold:"PX" box=TCNU1234565 stated=2026-03-01T22:50Z',
  ])
  assert.deepEqual(status('HR', { profile }).told, [
    'FACT hold customs:released:"HR" box=TCNU1234565 stated=2026-03-01T22:50Z',
  ])
  assert.deepEqual(status('OX', { profile }).told, [event('GTOT LADEN', 'OX')])
  assert.deepEqual(status('AE', { profile }).told, [event('- -', 'AE')])
  assert.deepEqual(status('QQ', { profile }).told, [
    'FACT hold other:hold:"QQ" box=TCNU1234565 stated=2026-03-01T22:50Z',
  ])
  for (const code of Object.keys(profile.codes)) assert.deepEqual(status(code, { profile }).issues, [])
})

test('an invalid profile is refused with the reason', () => {
  const reasonOf = (value: unknown) => {
    const parsed = parseX12Profile(value)
    return parsed.ok ? null : parsed.reason
  }
  assert.equal(reasonOf({}), null)
  assert.equal(reasonOf({ codes: { PX: 'hold USDA, AVPU' }, references: { IT: 'it_number' } }), null)
  assert.match(reasonOf({ codes: { PX: 'hold everything' } }) ?? '', /^\/codes\/PX/)
  assert.match(reasonOf({ references: { IT: 'weight' } }) ?? '', /^\/references\/IT/)
  assert.match(reasonOf({ envelopeZone: 'Mars/Base' }) ?? '', /^\/envelopeZone/)
  assert.match(reasonOf({ dialect: 'other' }) ?? '', /^\/dialect/)
  assert.match(reasonOf({ unheardOf: 1 }) ?? '', /unheardOf|additional/)
  for (const line of ['GTOT LADEN VESSEL', 'hold other:x', 'ARRI RAIL at_end', 'AVPU, available'])
    assert.ok(parseEffects(line))
  for (const line of ['', 'GTOT LADEN LADEN LADEN X', 'hold', 'hold customs:x', 'note note'])
    assert.equal(parseEffects(line), null)
})

test('a hold and its release have the same key', () => {
  const beside = (...codes: readonly string[]) => codes.map((code) => `SG*${code}***20260302*0800`)
  const { told } = status('AV', { ...terminal, more: beside('FD', 'PA', 'PE', 'CT', 'PS', 'PU', 'TC') })
  assert.deepEqual(
    told.filter((each) => each.startsWith('FACT hold')),
    [
      'FACT hold USDA:hold:"agriculture hold at the port of arrival" box=TCNU1234565 stated=2026-03-02T16:00Z',
      'FACT hold customs:released:"released by customs" box=TCNU1234565 stated=2026-03-02T16:00Z',
      'FACT hold freight:hold:"freight is due" box=TCNU1234565 stated=2026-03-02T16:00Z',
      'FACT hold other:hold:"hold of another agency at the port of arrival" box=TCNU1234565 stated=2026-03-02T16:00Z',
      'FACT hold other:hold:"held for terminal charges" box=TCNU1234565 stated=2026-03-02T16:00Z',
    ],
  )
  const keysOf = (code: string) =>
    readings(interchange(['315', `B4***${code}*20260301*1450**TCNU*123456*L`]), terminal)
      .flatMap(({ observations }) => observations)
      .map(({ key }) => key)
  assert.deepEqual(keysOf('PA'), keysOf('CT'))
  assert.deepEqual(keysOf('FD'), keysOf('CR'))
  assert.deepEqual(keysOf('TC'), ['hold|other|terminal_charges|TCNU1234565'])
  assert.deepEqual(keysOf('NP').sort(), ['hold|TMF|TCNU1234565', 'hold|other|terminal_charges|TCNU1234565'])
})

test('combines two reasons for one hold into one hold', () => {
  const { told } = status('PA', { more: ['SG*PE***20260302'] })
  assert.deepEqual(told, ['FACT hold customs:hold:"intensive customs examination; coast guard" box=TCNU1234565'])
})

test('in-bond movements release no hold', () => {
  for (const code of ['IB', 'IR', 'RI']) assert.deepEqual(status(code).told, [event('- -', code)])
})

test('reads each fee of a terminal as one statement, and a fee of zero as settled', () => {
  const more = ['N9*4I*150.00', 'N9*4I1*175.5', 'N9*4IE*0', 'N9*TMF*78.23', 'N9*CTF*10', 'N9*22*none']
  const { told, issues } = status('TM', { ...terminal, more })
  assert.deepEqual(
    told.filter((each) => each.startsWith('FACT')),
    [
      'FACT fee demurrage:due:175.5:-:"day 2" box=TCNU1234565',
      'FACT fee demurrage:due:150:-:"day 1" box=TCNU1234565',
      'FACT fee exam:settled:0:-:"exam fee" box=TCNU1234565',
      'FACT fee other:due:10:-:"clean truck fee" box=TCNU1234565',
      'FACT fee other:due:78.23:-:"traffic mitigation fee" box=TCNU1234565',
      'FACT hold TMF:hold:"traffic mitigation fee" box=TCNU1234565',
    ],
  )
  assert.deepEqual(issues, ['wrong_type /11/2 field'])
})

test('a fee has the currency of the profile', () => {
  const profile = { dialect: 'terminal', currency: 'USD' } as const
  const { told } = status('AV', { profile, more: ['N9*4IE*120.00'] })
  assert.ok(told.includes('FACT fee exam:due:120:USD:"exam fee" box=TCNU1234565'), told.join('\n'))
  assert.equal(parseX12Profile({ currency: 'dollars' }).ok, false)
})

test('reports a total of unknown amount when fees are due without items', () => {
  const { told, issues } = status('TM', { ...terminal, more: ['N9*FI*Y'] })
  assert.deepEqual(told.slice(1), ['FACT fee total:due:-:- box=TCNU1234565'])
  assert.deepEqual(issues, ['missing_field  field'])
})

test('reference codes from a shipping line do not get the meaning that they have from a terminal', () => {
  const { told, issues } = status('VA', { more: ['N9*GC*4711', 'N9*TMF*5'] })
  assert.equal(told.length, 1)
  assert.deepEqual(issues, ['unmapped_code /6/2 field', 'unmapped_code /7/2 field'])
  const spoken = status('TM', { ...terminal, more: ['N9*GC*4711', 'N9*YS*B 12-3'] }).told
  assert.deepEqual(spoken.slice(1), [
    'FACT pickup_number 4711 box=TCNU1234565',
    'FACT yard_location "B 12-3" box=TCNU1234565',
  ])
  const profile = { references: { IT: 'it_number' } }
  assert.deepEqual(
    status('VA', { profile, more: ['N9*IT*V1234567'] }).told[1],
    'FACT it_number V1234567 box=TCNU1234565',
  )
})

test('the availability of a container has the time of the status message', () => {
  assert.deepEqual(status('AV').told, [
    event('AVPU LADEN', 'AV'),
    'FACT available true box=TCNU1234565 stated=2026-03-01T22:50Z',
  ])
  assert.deepEqual(status('DN', terminal).told, ['FACT available false box=TCNU1234565 stated=2026-03-01T22:50Z'])
})

test('a last free day is the line’s, the terminal’s or the railway’s, by sender and message', () => {
  assert.deepEqual(status('NF').told, ['FACT pickup_lfd_line 2026-03-01 box=TCNU1234565'])
  assert.deepEqual(status('NF', terminal).told, ['FACT pickup_lfd_terminal 2026-03-01 box=TCNU1234565'])
  assert.ok(
    told(sample('X12-322_de0f.edi'), { speaker: 'shipping_line' }).includes(
      'FACT pickup_lfd_rail 2016-06-25 box=HASU4316170',
    ),
  )
  assert.deepEqual(status('AA').told, ['FACT pickup_appointment 2026-03-01T14:50 box=TCNU1234565'])
})

test('prefers the place of activity to the place in the status segment', () => {
  const at = (b4: string, ...more: readonly string[]) =>
    told(interchange(['315', `B4***UV*20260301*1450${b4}`, bill, ...more])).find((each) => each.startsWith('ACT DISC'))
  const container = '*TCNU*123456*L'
  assert.match(at(`*${container}**USLAX*UN`, 'R4*5*UN*USOAK*OAKLAND*US') ?? '', / USOAK /)
  assert.match(at(`*${container}**USLAX*UN`, 'R4*D*UN*USOAK*OAKLAND*US') ?? '', / USLAX /)
  assert.match(at(`*USLAX${container}`) ?? '', / USLAX /)
  assert.match(at(`*PLGDN${container}**GDANSK*UN`) ?? '', / PLGDN .*name="GDANSK"/, 'a name beside a code')
  assert.match(at(`*USLAX${container}**LOS ANGELES*CI`) ?? '', / USLAX .*name="LOS ANGELES"/)
  assert.match(at(`*ITGOA${container}**GENOA*UN`) ?? '', / ITGOA .*name="GENOA"/, 'a name in the form of a code')
  assert.match(at(`*USOAK${container}**2704*D`) ?? '', / USOAK /)
  assert.match(at(`*USOAK${container}**USLAX*UN`) ?? '', / USLAX /, 'of two codes the newer element')
  assert.match(at(`*Oakland${container}**USLAX*UN`) ?? '', / USLAX /)
  assert.match(at(`*${container}`, 'R4*D*UN*USOAK*OAKLAND*US', 'DTM*140*20260301*1450') ?? '', / USOAK /)
  assert.match(at(`*${container}`, 'R4*D*UN*USOAK*OAKLAND*US', 'DTM*140*20260228*1450') ?? '', /^ACT DISC LADEN - /)
  assert.match(at(`*Springfield${container}`) ?? '', /LADEN - .*name="Springfield"/)
})

test('an unknown place keeps its name and has no zone', () => {
  const delivery = interchange(['315', `B4***UV*20260301*1450**TCNU*123456*L`, 'R4*5*UN*XXQQQ*NOWHERE*US'])
  assert.match(told(delivery)[0] ?? '', /^ACT DISC LADEN - 2026-03-01T14:50 .*name="NOWHERE"/)
  assert.deepEqual(issuesOf(delivery), ['unknown_place /5/3 field'])
  assert.deepEqual(
    readings(delivery).map(({ events }) => events.unread),
    [{ unknown_place: 1 }],
  )
})

test('a time has a zone only if one is stated', () => {
  const at = (zone: string, time = '1450') =>
    told(
      interchange([
        '315',
        `B4***UV*20260301*${time}**TCNU*123456*L`,
        'R4*5*UN*USLAX*LOS ANGELES*US',
        `DTM*140*20260301*${time}*${zone}`,
      ]),
    )[0]?.split(' ')[4]
  assert.equal(at('LT'), '2026-03-01T14:50')
  assert.equal(at(''), '2026-03-01T14:50')
  assert.equal(at('UT'), '2026-03-01T14:50Z')
  assert.equal(at('ET'), '2026-03-01T19:50Z')
  assert.equal(at('Q9'), '2026-03-01')
  assert.equal(at('LT', ''), '2026-03-01')
  assert.equal(at('LT', '145030'), '2026-03-01T14:50:30')
  assert.equal(at('LT', '930'), '2026-03-01T09:30', 'without its first zero')
  assert.equal(at('ET', '930'), '2026-03-01T14:30Z')
  assert.equal(at('LT', '93015'), '2026-03-01T09:30:15')
  assert.equal(at('LT', '14'), '2026-03-01T14:00', 'an hour alone')
  assert.equal(at('LT', '2400'), '2026-03-02T00:00', 'the end of the day')
  assert.equal(at('UT', '240000'), '2026-03-02T00:00Z')
  assert.equal(at('LT', '145960'), '2026-03-01T15:00')
})

test('drops an event with an impossible time and reports an issue', () => {
  for (const [date, issue] of [
    ['', 'missing_field'],
    ['20261301', 'unreadable_time'],
    ['19990101', 'implausible_time'],
    ['2026030', 'unreadable_time'],
  ] as const)
    assert.deepEqual(
      issuesOf(interchange(['315', `B4***UV*${date}*1450**TCNU*123456*L`])),
      [`${issue} /4/4 event`],
      date,
    )
})

test('the dates of the places in an X12 message about a changed estimate give the estimate', () => {
  const delivery = interchange([
    '315',
    'B4***E*20260301*1450**TCNU*123456*L',
    bill,
    'R4*D*UN*USLAX*LOS ANGELES*US',
    'DTM*371*20260315*0600*LT',
  ])
  assert.ok(
    told(delivery).includes(
      'EST ARRI - USLAX 2026-03-15T06:00 box=TCNU1234565 via=VESSEL name="LOS ANGELES" original="D 371"',
    ),
  )
  assert.deepEqual(issuesOf(delivery), [])
  assert.deepEqual(status('AG').issues, ['unmapped_code /4/3 nothing'])
})

test('reads a place in B4-06, a time without its first zero and an estimate for a day', () => {
  assert.deepEqual(
    told(sample('X12-315-c.edi')).filter((each) => !each.startsWith('FACT')),
    [
      'ACT DEPA - PLGDN 2026-03-07T09:30 box=TRHU1881061 via=VESSEL vessel=-/"THIRD MADE UP" voyage=1732S name="GDANSK" original="VD"',
      'EST ARRI - DEBRV 2026-03-09 box=TRHU1881061 via=VESSEL name="BREMERHAVEN" original="D 139"',
    ],
  )
  const estimate = (time: string) =>
    told(
      interchange([
        '315',
        'B4***VD*20260301*1450*CNNGB*TCNU*123456*L',
        bill,
        'R4*D*UN*USLAX*LOS ANGELES*US',
        `DTM*371*20260315*${time}*LT`,
      ]),
    )
      .find((each) => each.startsWith('EST'))
      ?.split(' ')[4]
  assert.equal(estimate('0000'), '2026-03-15')
  assert.equal(estimate('0030'), '2026-03-15T00:30')
})

test('reads a date at the place of delivery as a train arrival only if a railway or ramp is named', () => {
  const at = (...more: readonly string[]) => {
    const delivery = interchange(['315', 'B4***UV*20260301*1450**TCNU*123456*L', ...more, 'DTM*139*20260315*0600*LT'])
    return [told(delivery).filter((each) => each.startsWith('EST')).length, issuesOf(delivery)]
  }
  assert.deepEqual(at('R4*E*UN*USCHI*CHICAGO*US'), [0, ['unmapped_code /6/1 field']])
  assert.deepEqual(at('N9*RR*BNSF', 'R4*E*UN*USCHI*CHICAGO*US'), [1, []])
  assert.deepEqual(at('R4*E*UN*USCHI*BNSF CICERO RAMP*US'), [1, []])
  assert.deepEqual(at('N9*RR*BNSF', 'R4*D*UN*USLAX**US', 'R4*E*UN*USLAX**US'), [0, ['unmapped_code /8/1 field']])
  assert.deepEqual(at('R4*D*UN*USMEM*BNSF MEMPHIS RAMP*US'), [0, ['unmapped_code /6/1 field']])
})

test('reads the arrival of a train as an arrival only at the destination of the train', () => {
  const arrive = (at: string) =>
    told(
      interchange([
        '322',
        'Q5*A*20260301*1450*LT',
        'N7*HASU*431617*********CN',
        `R4*5*UN*${at}**US`,
        'R4*7*UN*USCHI**US',
      ]),
      { speaker: 'rail' },
    ).find((each) => each.startsWith('ACT'))
  assert.match(arrive('USCHI') ?? '', /^ACT ARRI - USCHI .*via=RAIL/)
  assert.match(arrive('USLAX') ?? '', /^ACT - - USLAX /)
})

test('a wrong check digit is kept as written, unless the message also has the number with a right one', () => {
  const boxOf = (b4: string, ...more: readonly string[]) => {
    const delivery = interchange(['315', `B4***UV*20260301*1450**${b4}`, ...more, ...atPort])
    const event = told(delivery).find((each) => each.startsWith('ACT DISC'))
    return [/box="?([A-Z0-9]+)/.exec(event ?? '')?.[1], ...allIssuesOf(delivery)]
  }
  assert.deepEqual(boxOf('TCNU*123456*L***UN*9'), ['TCNU1234569', 'check_digit /4/8 nothing'])
  assert.deepEqual(boxOf('TCNU*123456*L***UN*5'), ['TCNU1234565'])
  assert.deepEqual(boxOf('TCNU*123456*L'), ['TCNU1234565', 'check_digit /4/8 nothing'])
  assert.deepEqual(boxOf('TCNU*123456*L', 'N9*EQ*TCNU1234569'), [
    'TCNU1234569',
    'check_digit /5/2 nothing',
    'bad_equipment /4/8 nothing',
  ])
  assert.deepEqual(boxOf('TCNU*123456*L***UN*5', 'N9*EQ*TCNU1234569'), ['TCNU1234565', 'bad_equipment /5/2 nothing'])
})

test('a status with an invalid container number gives only the ship’s movement, for the whole bill', () => {
  const wrong = (code: string) =>
    interchange(['315', `B4***${code}*20260301*1450**TCNA*123456*L***UN*9`, bill, ...atPort])
  assert.deepEqual(
    told(wrong('VA')).filter((each) => each.startsWith('ACT')),
    ['ACT ARRI - USLAX 2026-03-01T14:50 via=VESSEL name="LOS ANGELES" original="VA"'],
  )
  assert.deepEqual(told(wrong('UV')), ['FACT bill_of_lading_number HLCUNGB260101'])
  assert.deepEqual(issuesOf(wrong('UV')), ['bad_equipment /4/8 field', 'bad_equipment /4/3 event'])
  for (const code of ['CT', 'NF']) {
    assert.deepEqual(told(wrong(code)), ['FACT bill_of_lading_number HLCUNGB260101'])
    assert.deepEqual(issuesOf(wrong(code)), ['bad_equipment /4/8 field', 'missing_field /4/3 event'])
    assert.deepEqual(
      readings(wrong(code)).map(({ events }) => [events.told, events.lost]),
      [[1, 1]],
    )
  }
})

test('a statement that is repeated in a later X12 interchange has the same key', () => {
  const keysOf = (...lines: readonly string[]) =>
    readings(interchange(['315', ...lines, ...atPort])).flatMap(({ observations }) =>
      observations.map(({ key }) => key),
    )
  const b4 = (date: string) => `B4***UV*${date}*1450**TCNU*123456*L`
  assert.deepEqual(keysOf(b4('20260301'), bill), keysOf(b4('20260304'), bill))
  assert.notDeepEqual(keysOf(b4('20260301')), keysOf(b4('20260904')))
  for (const key of keysOf(b4('20260301'), bill)) assert.doesNotMatch(key, /000000007/)
})

test('a part that does not mention the number that it is read for gives nothing', () => {
  const [part] = x12.splitDelivery(interchange(['315', 'B4***UV*20260301*1450**TCNU*123456*L', bill]), {}).parts
  assert.ok(part)
  for (const about of [
    { kind: 'container', number: 'HASU4316170' },
    { kind: 'bill_of_lading', number: 'OTHER1234' },
  ] as const) {
    const { outcome, observations } = readPart({ ...part, about: [about] })
    assert.equal(outcome, 'other_number')
    assert.deepEqual(observations, [])
  }
})

test('a terminal is found by FIRMS code, the profile’s code or a carrier’s spelling; another name stays a name', () => {
  const more = ['N9*TT*Y258']
  const known = status('TM', { ...terminal, more }).told.find((each) => each.startsWith('FACT pod_terminal'))
  assert.match(known ?? '', /^FACT pod_terminal USLAX .*at=Y258 terminal=\S+ name="Y258"/)
  const mapped = status('TM', {
    ...terminal,
    profile: { terminals: { PCT: 'Y258' } },
    more: ['N9*TT*PCT'],
  }).told
  assert.match(mapped.find((each) => each.startsWith('FACT pod_terminal')) ?? '', /at=Y258 .*name="PCT"/)
  assert.deepEqual(status('TM', { ...terminal, more: ['N9*TT*PCT'] }).issues, ['unknown_facility /6/2 field'])
  const named = status('VA', { more: ['R4*D*UN*USLAX*LOS ANGELES*US*SOME PIER'] }).told
  assert.ok(named.includes('FACT pod_terminal USLAX box=TCNU1234565 name="SOME PIER"'))
  const spelled = status('VA', { more: ['R4*D*UN*KRPUS*BUSAN*KR*PUSAN NEWPORT COMPANY LIMITED'] }).told
  assert.match(
    spelled.find((each) => each.startsWith('FACT pod_terminal')) ?? '',
    /^FACT pod_terminal KRPUS .*terminal=\S+ name="PUSAN NEWPORT COMPANY LIMITED"/,
  )
})

test('322: reads the container, its seal, weight, chassis and railway', () => {
  const delivery = interchange([
    '322',
    'Q5*AL*20260302*0730*LT',
    'N7*HASU*431617*44000*G*******CN******L*****45G1',
    'M7*SEAL77',
    'NA***TSXZ*123456',
    'W2*HASU*431617**CC*L',
    'R4*5*UN*USLGB*LONG BEACH*US***CA',
    'R4*6*UN*USLGB*LONG BEACH*US***CA',
    'N1*RR*BNSF Railway*ZZ*BNSF',
  ])
  assert.deepEqual(
    told(delivery, { speaker: 'rail' }).filter((each) => each.startsWith('FACT')),
    [
      'FACT chassis_number TSXZ123456 box=HASU4316170',
      'FACT pod_rail_carrier BNSF box=HASU4316170',
      'FACT seal_number SEAL77 box=HASU4316170',
      'FACT size_type 45G1 box=HASU4316170',
      'FACT weight_kg 19958.064 box=HASU4316170',
    ],
  )
})

test('322: finds a place without a country by its state, a railway’s code by the profile, a ramp by name', () => {
  const rail = (place: string, profile: X12Profile = {}, code = 'UR') =>
    told(
      interchange([
        '322',
        `Q5*${code}*20260302*0730*LT`,
        'N7*HASU*431617*********CN',
        'W2*HASU*431617**CC*L',
        place,
        'N1*RR*BNSF Railway*ZZ*BNSF',
      ]),
      { speaker: 'rail', profile },
    )
      .find((each) => !each.startsWith('FACT'))
      ?.replace(/ via=RAIL| box=\S+| original=\S+| zone=\S+/g, '')
      .replace(/terminal=(\S+)/, (_, id) => `ramp=${findTerminalById(id)?.name}`)
  assert.equal(rail('R4*5*CI*DENVER*DENVER****CO'), 'ACT DISC LADEN USDEN 2026-03-02T07:30 ramp=Denver name="DENVER"')
  assert.match(
    rail('R4*5*SL*380000*NOWHERE AT ALL****IL') ?? '',
    /^ACT DISC LADEN - 2026-03-02T07:30 name="NOWHERE AT ALL"/,
  )
  assert.match(rail('R4*5*SL*380000', { places: { 380000: 'USCHI' } }) ?? '', /^ACT DISC LADEN USCHI /)
  assert.match(rail('R4*5*CI*ELWOOD*ELWOOD**LPC**IL') ?? '', /USEWI .*ramp=Logistics Park Chicago/)
  assert.match(rail('R4*5*CI*DENVER*DENVER****CO', {}, 'AR') ?? '', /^ACT ARRI - USDEN 2026-03-02T07:30 name=/)
})
