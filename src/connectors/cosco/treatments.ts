/** How each member of COSCO's own answers is treated when an answer is redacted. */

import { type MemberTreatments, treatAs } from '../dcsa/treatments.ts'

export const coscoTreatments: MemberTreatments = {
  ...treatAs('keep', ['code', 'type', 'containerType', 'label', 'transportation']),
  ...treatAs('time', [
    'actualDepartureDate',
    'expectedDateOfDeparture',
    'actualArrivalDate',
    'estimatedDateOfArrival',
    'locationDateTime',
  ]),
  ...treatAs('town', ['portOfLoading', 'portOfDischarge', 'city', 'fromCity', 'toCity', 'pol', 'pod', 'location']),
  ...treatAs('number', ['billOfladingRefCode', 'trackingGroupReferenceCode', 'ITNumber', 'sealNumber']),
  containerNumber: 'container',
  grossWeight: 'digits',
  vesselName: 'ship',
  voyageNo: 'voyage',
}
