import { openArrivalNoticeSource } from '../../src/sources/arrival-notice/arrival-notice.ts'
import { openPushedDcsaSource } from '../../src/sources/dcsa/pushed.ts'
import { openDocumentsSource } from '../../src/sources/documents/said/documents-said.ts'
import { openFacilitySource } from '../../src/sources/facility/facility.ts'
import { openStatementsSource } from '../../src/sources/statements/statements.ts'
import { notice } from './arrival-notice/notices.ts'
import { equipmentEvent, otherBox, profile, shipmentEvent, transportEvent } from './dcsa/events.ts'
import { arrivalNotice, bookingConfirmation, box, read, wordOf } from './documents/words.ts'
import { answerOf, cnBox } from './facility/answers.ts'
import { describeToldConformance } from './told-conformance.ts'

const documentReferences = [
  { documentReferenceType: 'BKG', documentReferenceValue: 'ABC709951' },
  { documentReferenceType: 'TRD', documentReferenceValue: 'HHL71800000' },
]
const references = [{ referenceType: 'EQ', referenceValue: otherBox }]

describeToldConformance('dcsa', {
  source: openPushedDcsaSource(),
  profile,
  samples: [
    [equipmentEvent({ documentReferences }), transportEvent({ references }), shipmentEvent()],
    {
      events: [equipmentEvent({ eventID: 'e-1', isRetracted: true }), transportEvent({ documentReferences })],
    },
    equipmentEvent({ seals: [{ sealNumber: 'A', sealSource: 'CAR' }], ISOEquipmentCode: '22G1' }),
  ],
})

describeToldConformance('arrival_notice', {
  source: openArrivalNoticeSource(),
  profile: { scac: 'ACLU' },
  samples: [
    notice(),
    [notice(), notice({ typeLabel: 'x' })],
    { arrivalNotices: [notice({ charges: undefined })] },
  ],
})

const discharged = {
  container: otherBox,
  bill: 'HHL71800000',
  says: 'DISC',
  at: '2026-02-03',
  place: 'USLAX',
}
const held = { container: otherBox, says: 'hold', value: { name: 'customs', status: 'hold' }, id: 'h-1' }
describeToldConformance('statements', {
  source: openStatementsSource(),
  profile: {},
  samples: [
    [discharged, held, { booking: 'ABC709951', says: 'port_of_loading', value: { unlocode: 'CNNGB' } }],
    discharged,
    `${JSON.stringify(discharged)}\n${JSON.stringify(held)}\n`,
  ],
})

describeToldConformance('facility', {
  source: openFacilitySource(),
  profile: answerOf('cn'),
  samples: [
    {
      ThirdPartyIntermodalShipment: { Equipment: [cnBox, { ...cnBox, EquipmentId: otherBox.slice(0, 10) }] },
    },
    { ThirdPartyIntermodalShipment: { Equipment: [{ ...cnBox, CustomsHold: { Description: 'HELD' } }] } },
  ],
})

describeToldConformance('documents', {
  source: openDocumentsSource(),
  profile: {},
  samples: [
    wordOf('arrival_notice', arrivalNotice),
    wordOf('booking_confirmation', bookingConfirmation, { version: 3, after: '2026-02-20T08:00:00.000Z' }),
    wordOf(
      'unknown',
      {},
      {
        version: 2,
        numbers: [{ kind: 'container', number: box }],
        earlier: [{ type: 'arrival_notice', fields: read(arrivalNotice) }],
        person: { kind: 'user', id: 'u1' },
      },
    ),
  ],
})
