/** Invented answers in the form of COSCO's own API: a bill from Qingdao over Los Angeles to Chicago. */

export const asked = { scac: 'COSU', kind: 'bill_of_lading', number: '6412345670' } as const

export function answerWith(content: Readonly<Record<string, unknown>>): Buffer {
  const data = { type: 'bl', numberType: 'both', content }
  return Buffer.from(JSON.stringify({ code: 0, message: 'success', data }))
}

export const box = {
  containerUuid: '1',
  containerNumber: 'CSNU6276212',
  containerType: '45G1',
  grossWeight: '17720KG',
  piecesNumber: 80,
  label: 'Gate-out from Last POD',
  sealNumber: 'K31436',
  location: 'West Basin Container Terminal,Los Angeles,California,United States',
  locationDateTime: '2026-02-03 14:20',
  transportation: 'Rail',
}

export const leg = {
  rownum: '1',
  sequenceNumber: '1',
  vesselName: 'EXAMPLE BRIDGE',
  voyageNo: '039E',
  portOfLoading: 'Qingdao',
  expectedDateOfDeparture: '2026-01-12 17:00',
  actualDepartureDate: '2026-01-12 19:40',
  portOfDischarge: 'Los Angeles',
  estimatedDateOfArrival: '2026-01-30 06:00',
  actualArrivalDate: '2026-01-30 05:24',
  actualShippingDate: '2026-01-12 07:59',
  actualDischargeDate: '2026-01-31 10:14',
  city: 'Los Angeles,United States',
  service: 'CEN',
  vesselCde: 'X12',
}

export const content = {
  itNumber: 'V2167699827',
  actualShipment: [leg],
  trackingPath: {
    billOfladingRefCode: '6412345670',
    trackingGroupReferenceCode: '6412345670',
    fromCity: 'Qingdao ,Shandong ,China',
    toCity: 'Chicago ,Illinois ,United States',
    cgoAvailTm: '2026-02-09 06:15',
    pol: 'Qingdao - QQCTU Qingdao Qianwan United Ctn',
    pod: 'Los Angeles - West Basin Container Terminal',
  },
  containerStatus: [
    { label: 'Gate-out from Last POD', containers: [box] },
    {
      label: 'Discharged at Last POD',
      containers: [
        {
          ...box,
          containerNumber: 'CBHU4398907',
          label: 'Discharged at Last POD',
          locationDateTime: '2026-01-31 13:55',
          transportation: ' ',
          sealNumber: '2',
        },
      ],
    },
  ],
}
