import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scopeOfKey } from '../../../src/sources/arrival-notice/head.ts'
import { bytesOf, readParts, settled } from '../told-harness.ts'
import { bill, box, type Json, notice, otherBox, profile, readNotice, saidIn, source } from './notices.ts'

const day = (on: string) => ({ kind: 'day', on })
const issuesOf = (changes: Json) =>
  readNotice(notice(changes)).issues.map(({ kind, path }) => `${kind} ${path}`)
const said = (changes: Json) => saidIn(readNotice(notice(changes)))

describe('An arrival notice', () => {
  it('says of each box its size, seal, weight, numbers and clocks, and whose arrival is expected', () => {
    const heard = said({})
    const words: Readonly<Record<string, unknown>> = {
      [`EST ARRI USLAX VESSEL ${box}`]: day('2026-02-03'),
      [`PLN ARRI USCHI RAIL ${otherBox}`]: day('2026-02-09'),
      'bill_of_lading_number HHL71800000 -': 'HHL71800000',
      'booking_number ABC709951 -': 'ABC709951',
      [`pickup_lfd_line ${box}`]: day('2026-02-07'),
      [`pickup_lfd_terminal ${box}`]: { kind: 'instant', at: '2026-02-09T00:00:00.000Z' },
      [`empty_return_by ${box}`]: day('2026-02-14'),
      [`general_order_at ${box}`]: { kind: 'instant', at: '2026-02-19T08:00:00.000Z' },
      [`it_number ${box}`]: 'V4914303071',
      [`seal_number ${box}`]: 'S1',
      [`size_type ${otherBox}`]: '22G1',
      [`pickup_number ${box}`]: '780379',
      [`pickup_number ${otherBox}`]: '999111',
    }
    for (const [name, value] of Object.entries(words)) assert.deepEqual(heard[name], value, name)
    assert.deepEqual(readNotice(notice()).verdict, 'found')
  })

  it('weighs a box by all of its cargo, and not at all where one item has no weight', () => {
    const heard = said({})
    assert.equal(heard[`weight_kg ${box}`], 10_454.092)
    assert.equal(heard[`weight_kg ${otherBox}`], undefined)
    const stone = { equipmentReference: box, cargoGrossWeight: { value: 4, unit: 'STONE' } }
    const strange = { consignmentItems: [{ cargoItems: [stone] }] }
    assert.equal(said(strange)[`weight_kg ${box}`], undefined)
    assert.ok(
      issuesOf(strange).includes('unknown_code /consignmentItems/0/cargoItems/0/cargoGrossWeight/unit'),
    )
  })

  it('states the ship and its voyage with the arrival at the port of discharge', () => {
    const [arrival] = readNotice(notice()).observations.filter(({ kind }) => kind === 'event')
    assert.ok(arrival?.kind === 'event')
    assert.deepEqual([arrival.vessel, arrival.voyage], [{ imo: '9321483', name: 'King of the Seas' }, '012E'])
    const transport = {
      portOfDischarge: { UNLocationCode: 'USLAX' },
      portOfDischargeArrivalDate: { value: '2026-02-03' },
    }
    assert.deepEqual(issuesOf({ transport }).slice(-1), [
      'missing_field /transport/portOfDischargeArrivalDate',
    ])
  })

  it('computes no last free day from a duration', () => {
    const freeTimes = [{ typeCodes: ['DEM'], duration: 5, timeUnit: 'WD' }]
    assert.ok(!Object.keys(said({ freeTimes })).some((name) => name.startsWith('pickup_lfd')))
  })

  it('takes demurrage, alone or combined, for the line’s clock, storage for the terminal’s, detention alone for the return', () => {
    const clocks = (typeCodes: readonly string[]) => {
      const heard = said({ freeTimes: [{ typeCodes, lastFreeDate: { value: '2026-02-07' } }] })
      const names = ['pickup_lfd_line', 'pickup_lfd_terminal', 'empty_return_by']
      return names.filter((name) => heard[`${name} ${box}`] !== undefined).join(' ')
    }
    assert.equal(clocks(['DEM', 'DET']), 'pickup_lfd_line')
    assert.equal(clocks(['STO', 'DEM']), 'pickup_lfd_line pickup_lfd_terminal')
    assert.equal(clocks(['DET']), 'empty_return_by')
    assert.equal(clocks(['STO']), 'pickup_lfd_terminal')
    assert.equal(clocks(['XXX']), '')
    assert.equal(clocks([]), '')
  })

  it('believes a free time of the box before one of its size, and that before one of all; a contradiction is no date', () => {
    const of = (value: string, more: Json = {}) => ({ typeCodes: ['DEM'], lastFreeDate: { value }, ...more })
    const freeTimes = [
      of('2026-02-01'),
      of('2026-02-02', { ISOEquipmentCodes: ['22GP'] }),
      of('2026-02-03', { equipmentReferences: [box] }),
    ]
    const heard = said({ freeTimes })
    assert.deepEqual(heard[`pickup_lfd_line ${box}`], day('2026-02-03'))
    assert.deepEqual(heard[`pickup_lfd_line ${otherBox}`], day('2026-02-02'))
    const twice = [of('2026-02-01'), of('2026-02-05')]
    assert.equal(said({ freeTimes: twice })[`pickup_lfd_line ${box}`], undefined)
    assert.ok(issuesOf({ freeTimes: twice }).includes('wrong_structure /freeTimes/1'))
  })

  it('tells a release and what is not released apart: freight is held, customs is only pending', () => {
    const holds = (releaseInformation: Json, more: Json = {}) => {
      const heard = said({ releaseInformation, ...more })
      const wordOf = (name: string) => {
        const hold = heard[`hold ${name} ${box}`] as
          | { status: string; description: string | null }
          | undefined
        return hold === undefined ? '-' : `${hold.status}${hold.description === null ? '' : ', bill missing'}`
      }
      return `${wordOf('freight')}; ${wordOf('customs')}`
    }
    assert.equal(
      holds({ isFreightReleased: true, isCustomsReleased: true, isOBLReceived: false }),
      'released; released',
    )
    assert.equal(holds({ isFreightReleased: false, isCustomsReleased: false }), 'hold; pending')
    assert.equal(holds({ isFreightReleased: false, isOBLReceived: false }), 'hold, bill missing; -')
    assert.equal(holds({ isOBLReceived: false }), 'pending, bill missing; -')
    assert.equal(holds({ isOBLReceived: false }, { transportDocumentTypeCode: 'SWB' }), '-; -')
    assert.equal(holds({ isOBLReceived: true }), '-; -')
    assert.equal(holds({}), '-; -')
  })

  it('states each charge of the line that is not prepaid, and that collect charges are paid when it says so', () => {
    const charge = (more: Json) => ({
      chargeName: 'Handling',
      currencyAmount: 10,
      currencyCode: 'EUR',
      ...more,
    })
    const fees = (changes: Json) =>
      Object.entries(said(changes)).flatMap(([name, value]) => {
        if (!name.startsWith('fee ')) return []
        const { type, status, amount } = value as { type: string; status: string; amount: number | null }
        return [`${name.slice(4)}: ${type} ${status} ${amount}`]
      })
    const charges = [
      charge({}),
      charge({ currencyAmount: 11 }),
      charge({ paymentTermCode: 'PRE' }),
      charge({ paymentTermCode: 'COL', chargeName: 'Freight collect' }),
      charge({ chargeName: 'Container detention', currencyAmount: 'ten' }),
    ]
    assert.deepEqual(fees({ charges, freightPaymentStatus: 'FULLY_PAID' }), [
      `demurrage Container detention -: demurrage due null`,
      `demurrage DEM ${otherBox}: demurrage due 120.5`,
      'other Freight collect -: other settled 10',
      'other Handling -: other due 10',
      'other Handling~2 -: other due 11',
    ])
  })

  it('without its boxes speaks of the whole bill', () => {
    const heard = said({ utilizedTransportEquipments: undefined })
    assert.deepEqual(heard['pickup_lfd_line -'], day('2026-02-07'))
    assert.deepEqual(heard['EST ARRI USLAX VESSEL -'], day('2026-02-03'))
    assert.equal(heard['pickup_number -'], '780379')
  })

  it('brought for a box says nothing of its companions, and nothing to a number that it does not name', () => {
    const { observations } = readNotice(notice(), { kind: 'container', number: box })
    assert.deepEqual([...new Set(observations.map(({ equipment }) => equipment))].sort(), [box, null].sort())
    assert.equal(readNotice(notice(), { kind: 'booking', number: 'ABC709951' }).verdict, 'found')
    for (const subject of [
      { kind: 'container', number: 'TCNU1234565' },
      { kind: 'bill_of_lading', number: 'HHL71899999' },
      { kind: 'booking', number: 'ABC700000' },
    ] as const) {
      const reading = readNotice(notice(), subject)
      assert.deepEqual(
        [reading.verdict, reading.observations, reading.statedFullPicture],
        ['other_number', [], false],
      )
    }
  })

  it('quotes no pick-up number, charge or party in what is wrong with it', () => {
    const secrets = {
      pickupInformation: { pickupNumber: ['SECRET1'], pickupLocation: 'SECRET2' },
      documentParties: 'SECRET3',
      charges: [{ chargeName: 'SECRET4', currencyAmount: 'SECRET5', currencyCode: 'SECRET6' }],
    }
    const { issues } = readNotice(notice(secrets))
    assert.ok(issues.length >= 3)
    assert.ok(!/SECRET/.test(JSON.stringify(issues)))
  })
})

describe('A notice that is restated', () => {
  const restated = notice({
    issueDateTime: '2026-02-04T09:00:00Z',
    versionLabel: 'Second',
    freeTimes: [{ typeCodes: ['DEM'], lastFreeDate: { value: '2026-02-11' } }],
    charges: [],
  })

  it('says the same things under the same keys, so that the one issued last counts, whichever came first', () => {
    const orders = [
      [notice(), restated],
      [restated, notice()],
    ].map((all) => settled(all.map((each) => readNotice(each))))
    assert.deepEqual(orders[0], orders[1])
    const lfd = orders[0]?.find((each) => each.kind === 'fact' && each.fact === 'pickup_lfd_line')
    assert.deepEqual(lfd?.kind === 'fact' && lfd.value, day('2026-02-11'))
  })

  it('is the whole picture of its document and label: what it leaves out is no longer said', () => {
    const readings = [notice(), restated].map((each) => readNotice(each))
    assert.deepEqual(
      readings.map(({ statedFullPicture }) => statedFullPicture),
      [true, true],
    )
    assert.ok(
      !readings[1]?.observations.some((each) => each.kind === 'fact' && each.fact === 'empty_return_by'),
    )
    const scopes = readings.flatMap(({ observations }) => observations.map(({ key }) => scopeOfKey(key)))
    assert.deepEqual([...new Set(scopes)], ['an|HHL71800000|English, consignee, USD'])
    assert.equal(scopeOfKey('EST|ARRI|-|VESSEL|USLAX|-|-|-'), null)
  })

  it('under another label is another notice', () => {
    const keys = (typeLabel: unknown) => readNotice(notice({ typeLabel })).observations.map(({ key }) => key)
    const labels = [
      'English, consignee, USD',
      'No charges, French',
      'x|y',
      'é',
      '~',
      undefined,
      'z'.repeat(2_000),
    ]
    const firsts = labels.map((label) => keys(label)[0] ?? '')
    assert.equal(new Set(firsts).size, labels.length)
    assert.ok(firsts.every((key) => key.startsWith('an|HHL71800000|') && key.split('|').length === 5))
  })

  it('that says not when it was issued, or is not wholly read, withdraws nothing', () => {
    for (const changes of [
      { issueDateTime: undefined },
      { issueDateTime: '2026-02-04T09:00:00' },
      { freeTimes: 'soon' },
      { freeTimes: [{ typeCodes: ['DEM'], lastFreeDate: { value: 'soon' } }] },
      { utilizedTransportEquipments: [{ equipment: { equipmentReference: 'NOBOX' } }] },
    ])
      assert.equal(readNotice(notice(changes)).statedFullPicture, false, JSON.stringify(changes))
  })
})

describe('A delivery of notices', () => {
  it('may be one notice, a list or an envelope; each notice is a part of its own', () => {
    const other = notice({ transportDocumentReference: 'HHL71800001', utilizedTransportEquipments: [] })
    for (const body of [[notice(), other], { arrivalNotices: [notice(), other], feedbackElements: [] }]) {
      const { parts, faults } = source.partsOf(bytesOf(body), profile)
      assert.deepEqual(faults, [])
      assert.deepEqual(
        parts.map(({ about }) => about.map(({ number }) => number).join(' ')),
        [`HHL71800000 ABC709951 ${box} ${otherBox}`, 'HHL71800001 ABC709951'],
      )
      assert.deepEqual(
        parts.map(({ writtenAt }) => writtenAt),
        Array(2).fill('2026-02-01T09:00:00.000Z'),
      )
      const [first] = readParts(source, parts, profile)
      assert.deepEqual(first?.observations, readNotice(notice()).observations)
    }
    assert.equal(source.partsOf(bytesOf(notice()), profile).parts.length, 1)
  })

  it('with one notice twice gives it once', () => {
    assert.equal(source.partsOf(bytesOf([notice(), notice()]), profile).parts.length, 1)
  })

  it('that only tells of notices names the documents for which the line has to be asked', () => {
    const of = (...notifications: readonly unknown[]) =>
      source.partsOf(bytesOf({ arrivalNoticeNotifications: notifications }), profile)
    const notification = { transportDocumentReference: 'HHL71800000', issueDateTime: '2026-02-01T09:00:00Z' }
    const { parts, faults, announced } = of(notification, { ...notification, typeLabel: 'x' }, null)
    assert.deepEqual([parts, faults, announced?.unasked.kind], [[], [], 'unsupported_message'])
    assert.deepEqual(announced?.numbers, [{ kind: 'bill_of_lading', number: 'HHL71800000' }])
    const nothing = of({ issueDateTime: '2026-02-01T09:00:00Z' })
    assert.deepEqual(
      nothing.faults.map(({ kind }) => kind),
      ['unsupported_message'],
    )
    assert.equal(nothing.announced, undefined)
  })

  it('names a notice that names no document', () => {
    const { faults } = source.partsOf(
      bytesOf([notice({ transportDocumentReference: null }), notice()]),
      profile,
    )
    assert.deepEqual(
      faults.map(({ kind, path }) => `${kind} ${path}`),
      ['missing_field /0/transportDocumentReference'],
    )
  })

  it('is about what its profile says, and no other profile is one', () => {
    assert.ok(source.parseProfile({ scac: 'HLCU', enumAliases: { TATSAECHLICH: 'ACT' } }).ok)
    for (const wrong of [null, {}, { scac: 'x' }, { scac: 'HLCU', base: 'https://x' }])
      assert.ok(!source.parseProfile(wrong).ok)
    assert.equal(bill.kind, 'bill_of_lading')
  })
})
