import { openArrivalNoticeSource } from '../../src/connectors/arrival-notice/arrival-notice-source.ts'
import { openPushedDcsaSource } from '../../src/connectors/dcsa/pushed-dcsa-source.ts'
import { openStatementsSource } from '../../src/connectors/statements/statements-source.ts'
import { openFacilitySource } from '../../src/connectors/terminal-api/facility-source.ts'
import { notice } from './arrival-notice/notices.ts'
import { equipmentEvent, otherBox, profile, shipmentEvent, transportEvent } from './dcsa/events.ts'
import { describeToldConformance } from './pushed-conformance.ts'
import { answerOf, cnBox } from './terminal-api/answers.ts'

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
  samples: [notice(), [notice(), notice({ typeLabel: 'x' })], { arrivalNotices: [notice({ charges: undefined })] }],
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
