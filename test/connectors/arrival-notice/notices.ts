/** An invented notice for tests, with every field that is read. */

import { openArrivalNoticeSource } from '../../../src/connectors/arrival-notice/arrival-notice-source.ts'
import type { MentionedNumber } from '../../../src/connectors/pushed-source.ts'
import type { Reading } from '../../../src/connectors/source.ts'
import { bytesOf, snapshotOf } from '../pushed-harness.ts'

export type Json = Readonly<Record<string, unknown>>

export const box = 'APZU4812090'
export const otherBox = 'LDFU1000018'
export const bill: MentionedNumber = { kind: 'bill_of_lading', number: 'HHL71800000' }
export const source = openArrivalNoticeSource()
export const profile = { scac: 'ACLU' } as const

const weight = (value: number, unit = 'KGM') => ({ cargoGrossWeight: { value, unit } })

export function notice(changes: Json = {}): Json {
  return {
    issueDateTime: '2026-02-01T09:00:00Z',
    typeLabel: 'English, consignee, USD',
    transportDocumentReference: 'HHL71800000',
    transportDocumentTypeCode: 'BOL',
    pickupInformation: {
      pickupNumber: '780379',
      pickupLocation: {
        UNLocationCode: 'USLAX',
        facility: { facilityCode: 'PCT', facilityCodeListProvider: 'SMDG' },
      },
    },
    returnInformation: { returnLocation: { UNLocationCode: 'USLGB', locationName: 'Long Beach Depot' } },
    releaseInformation: { isFreightReleased: false, isOBLReceived: true, isCustomsReleased: false },
    customsClearance: { immediateTransportationEntry: { ITNumber: 'V4914303071', ITDate: '2026-01-30' } },
    documentParties: [{ partyFunction: 'CN', partyName: 'Acme Inc.' }],
    transport: {
      portOfLoading: { UNLocationCode: 'CNNGB' },
      portOfDischarge: { UNLocationCode: 'USLAX' },
      placeOfDelivery: { UNLocationCode: 'USCHI' },
      portOfDischargeArrivalDate: { value: '2026-02-03', classifier: 'EST' },
      placeOfDeliveryArrivalDate: { value: '2026-02-09', classifier: 'PLN' },
      generalOrderDateTime: { value: '2026-02-19T00:00:00-08:00', classifier: 'PLN' },
      legs: [
        {
          modeOfTransport: 'VESSEL',
          dischargeLocation: { UNLocationCode: 'USLAX' },
          vesselVoyage: {
            vesselName: 'King of the Seas',
            vesselIMONumber: '9321483',
            carrierImportVoyageNumber: '012E',
          },
        },
        { modeOfTransport: 'RAIL', dischargeLocation: { UNLocationCode: 'USCHI' } },
      ],
    },
    freeTimes: [
      {
        typeCodes: ['DEM'],
        lastFreeDate: { value: '2026-02-07', classifier: 'EST' },
        duration: 4,
        timeUnit: 'CD',
      },
      { typeCodes: ['DET'], lastFreeDate: { value: '2026-02-14', classifier: 'EST' } },
      { typeCodes: ['STO'], lastFreeDateTime: { value: '2026-02-08T16:00:00-08:00', classifier: 'EST' } },
    ],
    charges: [
      { chargeName: 'Documentation fee', currencyAmount: 75, currencyCode: 'USD', paymentTermCode: 'COL' },
      { chargeName: 'Ocean freight', currencyAmount: 2_100, currencyCode: 'USD', paymentTermCode: 'PRE' },
    ],
    utilizedTransportEquipments: [
      {
        equipment: { equipmentReference: box, ISOEquipmentCode: '45G1' },
        seals: [
          { number: 'CUS9', source: 'CUS' },
          { number: 'S1', source: 'CAR' },
        ],
      },
      {
        equipment: { equipmentReference: otherBox, ISOEquipmentCode: '22G1' },
        pickupInformation: { pickupNumber: '999111' },
        charges: [{ chargeName: 'Demurrage', chargeCode: 'DEM', currencyAmount: 120.5, currencyCode: 'USD' }],
      },
    ],
    consignmentItems: [
      {
        carrierBookingReference: 'ABC709951',
        cargoItems: [
          { equipmentReference: box, ...weight(10_000.5) },
          { equipmentReference: box, ...weight(1_000, 'LBR') },
          { equipmentReference: otherBox, ...weight(500) },
          { equipmentReference: otherBox },
        ],
      },
    ],
    ...changes,
  }
}

export function readNotice(value: unknown, subject = bill): Reading {
  return source.read(snapshotOf(bytesOf(value)), { speaker: 'shipping_line', messageSubject: subject }, profile)
}

/** `fact container` with its values; for events their texts. */
export function saidIn({ observations }: Pick<Reading, 'observations'>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    observations.map((each) =>
      each.kind === 'fact'
        ? [
            [each.fact, each.key.split('|').slice(4, -1).join('|'), each.equipment ?? '-'].filter(Boolean).join(' '),
            each.value,
          ]
        : [`${each.classifier} ${each.code} ${each.place.unlocode} ${each.mode} ${each.equipment ?? '-'}`, each.time],
    ),
  )
}
