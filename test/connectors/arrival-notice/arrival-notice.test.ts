import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scopeOfKey } from '../../../src/connectors/arrival-notice/head.ts'
import { bytesOf, readParts, settled } from '../pushed-harness.ts'
import { bill, box, type Json, notice, otherBox, profile, readNotice, saidIn, source } from './notices.ts'

const day = (on: string) => ({ kind: 'day', on })
const issuesOf = (changes: Json) => readNotice(notice(changes)).issues.map(({ kind, path }) => `${kind} ${path}`)
const stated = (changes: Json) => saidIn(readNotice(notice(changes)))

describe('An arrival notice', () => {
  it('states for each container its size, seal, weight, numbers and deadlines, and the expected arrival', () => {
    const received = stated({})
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
    for (const [name, value] of Object.entries(words)) assert.deepEqual(received[name], value, name)
    assert.deepEqual(readNotice(notice()).outcome, 'found')
  })

  it('sums the weight of a container over all of its cargo, and states none if one item has no weight', () => {
    const received = stated({})
    assert.equal(received[`weight_kg ${box}`], 10_454.092)
    assert.equal(received[`weight_kg ${otherBox}`], undefined)
    const stone = { equipmentReference: box, cargoGrossWeight: { value: 4, unit: 'STONE' } }
    const strange = { consignmentItems: [{ cargoItems: [stone] }] }
    assert.equal(stated(strange)[`weight_kg ${box}`], undefined)
    assert.ok(issuesOf(strange).includes('unknown_code /consignmentItems/0/cargoItems/0/cargoGrossWeight/unit'))
  })

  it('states the ship and its voyage with the arrival at the port of discharge', () => {
    const [arrival] = readNotice(notice()).observations.filter(({ kind }) => kind === 'event')
    assert.ok(arrival?.kind === 'event')
    assert.deepEqual([arrival.vessel, arrival.voyage], [{ imo: '9321483', name: 'King of the Seas' }, '012E'])
    const transport = {
      portOfDischarge: { UNLocationCode: 'USLAX' },
      portOfDischargeArrivalDate: { value: '2026-02-03' },
    }
    assert.deepEqual(issuesOf({ transport }).slice(-1), ['missing_field /transport/portOfDischargeArrivalDate'])
  })

  it('computes no last free day from a duration', () => {
    const freeTimes = [{ typeCodes: ['DEM'], duration: 5, timeUnit: 'WD' }]
    assert.ok(!Object.keys(stated({ freeTimes })).some((name) => name.startsWith('pickup_lfd')))
  })

  it('assigns each kind of free time to the line, the terminal or the empty return', () => {
    const clocks = (typeCodes: readonly string[]) => {
      const received = stated({ freeTimes: [{ typeCodes, lastFreeDate: { value: '2026-02-07' } }] })
      const names = ['pickup_lfd_line', 'pickup_lfd_terminal', 'empty_return_by']
      return names.filter((name) => received[`${name} ${box}`] !== undefined).join(' ')
    }
    assert.equal(clocks(['DEM', 'DET']), 'pickup_lfd_line')
    assert.equal(clocks(['STO', 'DEM']), 'pickup_lfd_line pickup_lfd_terminal')
    assert.equal(clocks(['DET']), 'empty_return_by')
    assert.equal(clocks(['STO']), 'pickup_lfd_terminal')
    assert.equal(clocks(['XXX']), '')
    assert.equal(clocks([]), '')
  })

  it('uses the free time of a container first, then of its size, then of the whole notice', () => {
    const of = (value: string, more: Json = {}) => ({ typeCodes: ['DEM'], lastFreeDate: { value }, ...more })
    const freeTimes = [
      of('2026-02-01'),
      of('2026-02-02', { ISOEquipmentCodes: ['22GP'] }),
      of('2026-02-03', { equipmentReferences: [box] }),
    ]
    const received = stated({ freeTimes })
    assert.deepEqual(received[`pickup_lfd_line ${box}`], day('2026-02-03'))
    assert.deepEqual(received[`pickup_lfd_line ${otherBox}`], day('2026-02-02'))
    const twice = [of('2026-02-01'), of('2026-02-05')]
    assert.equal(stated({ freeTimes: twice })[`pickup_lfd_line ${box}`], undefined)
    assert.ok(issuesOf({ freeTimes: twice }).includes('wrong_structure /freeTimes/1'))
  })

  it('treats missing freight release as a hold, and missing customs release as pending', () => {
    const holds = (releaseInformation: Json, more: Json = {}) => {
      const received = stated({ releaseInformation, ...more })
      const wordOf = (name: string) => {
        const hold = received[`hold ${name} ${box}`] as { status: string; description: string | null } | undefined
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

  it('states each charge that is not prepaid as a fee', () => {
    const charge = (more: Json) => ({
      chargeName: 'Handling',
      currencyAmount: 10,
      currencyCode: 'EUR',
      ...more,
    })
    const fees = (changes: Json) =>
      Object.entries(stated(changes)).flatMap(([name, value]) => {
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

  it('that names no container applies to the whole bill', () => {
    const received = stated({ utilizedTransportEquipments: undefined })
    assert.deepEqual(received['pickup_lfd_line -'], day('2026-02-07'))
    assert.deepEqual(received['EST ARRI USLAX VESSEL -'], day('2026-02-03'))
    assert.equal(received['pickup_number -'], '780379')
  })

  it('states nothing about other containers when it is read for one container', () => {
    const { observations } = readNotice(notice(), { kind: 'container', number: box })
    assert.deepEqual([...new Set(observations.map(({ equipment }) => equipment))].sort(), [box, null].sort())
    assert.equal(readNotice(notice(), { kind: 'booking', number: 'ABC709951' }).outcome, 'found')
    for (const subject of [
      { kind: 'container', number: 'TCNU1234565' },
      { kind: 'bill_of_lading', number: 'HHL71899999' },
      { kind: 'booking', number: 'ABC700000' },
    ] as const) {
      const reading = readNotice(notice(), subject)
      assert.deepEqual([reading.outcome, reading.observations, reading.statedFullPicture], ['other_number', [], false])
    }
  })

  it('quotes no pick-up number, charge or party in an issue', () => {
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

  it('uses the same keys, so that the version issued last counts in any order of receipt', () => {
    const orders = [
      [notice(), restated],
      [restated, notice()],
    ].map((all) => settled(all.map((each) => readNotice(each))))
    assert.deepEqual(orders[0], orders[1])
    const lfd = orders[0]?.find((each) => each.kind === 'fact' && each.fact === 'pickup_lfd_line')
    assert.deepEqual(lfd?.kind === 'fact' && lfd.value, day('2026-02-11'))
  })

  it('replaces all statements of its document and label, and withdraws those that it omits', () => {
    const readings = [notice(), restated].map((each) => readNotice(each))
    assert.deepEqual(
      readings.map(({ statedFullPicture }) => statedFullPicture),
      [true, true],
    )
    assert.ok(!readings[1]?.observations.some((each) => each.kind === 'fact' && each.fact === 'empty_return_by'))
    const scopes = readings.flatMap(({ observations }) => observations.map(({ key }) => scopeOfKey(key)))
    assert.deepEqual([...new Set(scopes)], ['an|HHL71800000|English, consignee, USD'])
    assert.equal(scopeOfKey('EST|ARRI|-|VESSEL|USLAX|-|-|-'), null)
  })

  it('does not replace a notice that has another label', () => {
    const keys = (typeLabel: unknown) => readNotice(notice({ typeLabel })).observations.map(({ key }) => key)
    const labels = ['English, consignee, USD', 'No charges, French', 'x|y', 'é', '~', undefined, 'z'.repeat(2_000)]
    const firsts = labels.map((label) => keys(label)[0] ?? '')
    assert.equal(new Set(firsts).size, labels.length)
    assert.ok(firsts.every((key) => key.startsWith('an|HHL71800000|') && key.split('|').length === 5))
  })

  it('without a valid issue time, or only partly readable, withdraws nothing', () => {
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
  it('may be one notice, a list or an envelope; each notice is a separate part', () => {
    const other = notice({ transportDocumentReference: 'HHL71800001', utilizedTransportEquipments: [] })
    for (const body of [[notice(), other], { arrivalNotices: [notice(), other], feedbackElements: [] }]) {
      const { parts, faults } = source.splitDelivery(bytesOf(body), profile)
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
    assert.equal(source.splitDelivery(bytesOf(notice()), profile).parts.length, 1)
  })

  it('with one notice twice contains it once', () => {
    assert.equal(source.splitDelivery(bytesOf([notice(), notice()]), profile).parts.length, 1)
  })

  it('that contains only notifications gives the numbers of the documents that must be polled', () => {
    const of = (...notifications: readonly unknown[]) =>
      source.splitDelivery(bytesOf({ arrivalNoticeNotifications: notifications }), profile)
    const notification = { transportDocumentReference: 'HHL71800000', issueDateTime: '2026-02-01T09:00:00Z' }
    const { parts, faults, updateNotice: announced } = of(notification, { ...notification, typeLabel: 'x' }, null)
    assert.deepEqual([parts, faults, announced?.notPolledIssue.kind], [[], [], 'unsupported_message'])
    assert.deepEqual(announced?.numbers, [{ kind: 'bill_of_lading', number: 'HHL71800000' }])
    const nothing = of({ issueDateTime: '2026-02-01T09:00:00Z' })
    assert.deepEqual(
      nothing.faults.map(({ kind }) => kind),
      ['unsupported_message'],
    )
    assert.equal(nothing.updateNotice, undefined)
  })

  it('reports a notice without a document number', () => {
    const { faults } = source.splitDelivery(bytesOf([notice({ transportDocumentReference: null }), notice()]), profile)
    assert.deepEqual(
      faults.map(({ kind, path }) => `${kind} ${path}`),
      ['missing_field /0/transportDocumentReference'],
    )
  })

  it('accepts a valid profile only', () => {
    assert.ok(source.parseProfile({ scac: 'HLCU', enumAliases: { TATSAECHLICH: 'ACT' } }).ok)
    for (const wrong of [null, {}, { scac: 'x' }, { scac: 'HLCU', base: 'https://x' }])
      assert.ok(!source.parseProfile(wrong).ok)
    assert.equal(bill.kind, 'bill_of_lading')
  })
})
