import { openPushedDcsaSource } from '../../src/sources/dcsa/pushed.ts'
import { equipmentEvent, otherBox, profile, shipmentEvent, transportEvent } from './dcsa/events.ts'
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
