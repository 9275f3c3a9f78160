/**
 * The journeys that are sent through every kind of channel, in the notation. Together they contain everything that can
 * happen to a box. Each channel carries the parts that its messages can carry.
 */

export interface JourneyStep {
  /** The moment when it is sent. */
  readonly at: string
  /** One statement per line of text. `at=` is the code of a facility. */
  readonly said: string
}

export const sampleBox = 'TCNU1234565'
export const sampleLine = 'ACLU'
export const sampleBill = 'ACLU000SAMPLE'
export const sampleBooking = 'ACLU000BOOKED'

/** By barge to the seaport, with one transshipment, and from the port of discharge by train. */
const inland: readonly JourneyStep[] = [
  {
    at: '2026-01-05T00:00:00.000Z',
    said: `
      FACT bill_of_lading_number ${sampleBill} carrier:ACLU box=-
      FACT booking_number ${sampleBooking} carrier:ACLU box=-
      FACT size_type 45G1 carrier:ACLU
      FACT weight_kg 18250 carrier:ACLU
      FACT seal_number EX004711 carrier:ACLU
      FACT port_of_loading CNSHG carrier:ACLU
      FACT port_of_discharge USLAX carrier:ACLU
      FACT place_of_delivery USCHI carrier:ACLU
      ACT GTOT EMPTY CNNKG 2026-01-01T01:00Z carrier:ACLU
      ACT GTIN LADEN CNNKG 2026-01-02T03:00Z carrier:ACLU key=in-1
      ACT LOAD LADEN CNNKG 2026-01-03T03:00Z carrier:ACLU via=BARGE vessel=-/"River Star" voyage=88
      ACT DEPA -     CNNKG 2026-01-03T09:00Z carrier:ACLU via=BARGE vessel=-/"River Star" voyage=88
      ACT ARRI -     CNSHG 2026-01-04T05:00Z carrier:ACLU via=BARGE vessel=-/"River Star" voyage=88
      ACT DISC LADEN CNSHG 2026-01-04T08:00Z carrier:ACLU via=BARGE vessel=-/"River Star" voyage=88
      EST DEPA -     CNSHG 2026-01-06T18:00Z carrier:ACLU via=VESSEL vessel=9321483/"EMMA MAERSK" voyage=601E
      EST ARRI -     USLAX 2026-02-01T16:00Z carrier:ACLU via=VESSEL vessel=9619907/"MAERSK MC-KINNEY MOLLER" voyage=602E`,
  },
  {
    at: '2026-01-20T00:00:00.000Z',
    said: `
      ACT LOAD LADEN CNSHG 2026-01-06T04:00Z carrier:ACLU via=VESSEL vessel=9321483/"EMMA MAERSK" voyage=601E
      ACT DEPA -     CNSHG 2026-01-06T19:00Z carrier:ACLU via=VESSEL vessel=9321483/"EMMA MAERSK" voyage=601E
      ACT ARRI -     KRPUS 2026-01-09T01:00Z carrier:ACLU via=VESSEL vessel=9321483/"EMMA MAERSK" voyage=601E
      ACT DISC LADEN KRPUS 2026-01-09T11:00Z carrier:ACLU via=VESSEL vessel=9321483/"EMMA MAERSK" voyage=601E
      ACT LOAD LADEN KRPUS 2026-01-12T02:00Z carrier:ACLU via=VESSEL vessel=9619907/"MAERSK MC-KINNEY MOLLER" voyage=602E
      ACT DEPA -     KRPUS 2026-01-12T20:00Z carrier:ACLU via=VESSEL vessel=9619907/"MAERSK MC-KINNEY MOLLER" voyage=602E
      EST ARRI -     USLAX 2026-02-01 carrier:ACLU via=VESSEL vessel=9619907/"MAERSK MC-KINNEY MOLLER" voyage=602E
      FACT pod_terminal USLAX at=W185 terminal:W185`,
  },
  {
    at: '2026-02-03T00:00:00.000Z',
    said: `
      ACT ARRI -     USLAX 2026-02-01T19:30Z carrier:ACLU via=VESSEL vessel=9619907/"MAERSK MC-KINNEY MOLLER" voyage=602E
      ACT ARRI -     USLAX 2026-02-01T21:00Z terminal:W185 via=VESSEL vessel=9619907/"MAERSK MC-KINNEY MOLLER" voyage=602E at=W185 site=BRTH
      ACT DISC LADEN USLAX 2026-02-02T04:00Z carrier:ACLU via=VESSEL vessel=9619907/"MAERSK MC-KINNEY MOLLER" voyage=602E
      EST ARRI -     USCHI 2026-02-08T18:00Z carrier:ACLU via=RAIL site=RAMP
      FACT hold customs:hold:"intensive customs examination" terminal:W185
      FACT fee exam:due:120:-:"exam fee" terminal:W185
      FACT fee demurrage:due:80:USD terminal:W185
      FACT pickup_lfd_terminal 2026-02-06 terminal:W185`,
  },
  {
    at: '2026-02-04T00:00:00.000Z',
    said: `
      ACT DISC LADEN USLAX 2026-02-02T06:30Z carrier:ACLU via=VESSEL vessel=9619907/"MAERSK MC-KINNEY MOLLER" voyage=602E
      ACT GTIN LADEN CNNKG 2026-01-02T03:00Z carrier:ACLU key=in-1 retracted`,
  },
  {
    at: '2026-02-09T00:00:00.000Z',
    said: `
      FACT pod_rail_carrier UP rail:UP
      FACT destination_rail_carrier NS rail:NS
      ACT LOAD LADEN USLAX 2026-02-04T02:00Z rail:UP via=RAIL
      ACT DEPA -     USLAX 2026-02-04T10:00Z rail:UP via=RAIL
      ACT ARRI -     USCHI 2026-02-08T15:00Z rail:UP via=RAIL site=RAMP
      ACT DISC LADEN USCHI 2026-02-08T21:00Z rail:UP via=RAIL site=RAMP
      FACT hold customs:hold:"intensive customs examination" rail:UP
      FACT fee exam:due:120:-:"exam fee" rail:UP
      FACT fee demurrage:due:80:USD rail:UP
      FACT pickup_lfd_line 2026-02-12 carrier:ACLU
      FACT pickup_lfd_rail 2026-02-11 rail:UP
      FACT pickup_appointment 2026-02-10T16:00Z rail:UP`,
  },
  { at: '2026-02-09T12:00:00.000Z', said: 'ACT AVPU LADEN USCHI 2026-02-09T08:00Z rail:UP' },
  { at: '2026-02-09T13:00:00.000Z', said: 'FACT available true rail:UP stated=2026-02-09T09:00Z' },
  { at: '2026-02-10T00:00:00.000Z', said: 'FACT available false rail:UP stated=2026-02-09T20:00Z' },
  { at: '2026-02-11T00:00:00.000Z', said: 'ACT GTOT LADEN USCHI 2026-02-10T18:00Z rail:UP' },
  { at: '2026-02-12T00:00:00.000Z', said: 'FACT delivered 2026-02-11T16:00Z user:api' },
  { at: '2026-02-15T00:00:00.000Z', said: 'ACT GTIN EMPTY USCHI 2026-02-14T18:00Z carrier:ACLU' },
]

/** From port to port, fetched by a truck. */
const toThePort: readonly JourneyStep[] = [
  {
    at: '2026-01-05T00:00:00.000Z',
    said: `
      FACT bill_of_lading_number ${sampleBill} carrier:ACLU box=-
      FACT size_type 45G1 carrier:ACLU
      FACT weight_kg 18250 carrier:ACLU
      FACT seal_number EX004711 carrier:ACLU
      FACT port_of_loading CNSHG carrier:ACLU
      FACT port_of_discharge USLAX carrier:ACLU
      ACT GTOT EMPTY CNSHG 2026-01-01T01:00Z carrier:ACLU
      ACT GTIN LADEN CNSHG 2026-01-02T03:00Z carrier:ACLU
      ACT LOAD LADEN CNSHG 2026-01-03T04:00Z carrier:ACLU via=VESSEL vessel=9321483/"EMMA MAERSK" voyage=601E
      ACT DEPA -     CNSHG 2026-01-03T19:00Z carrier:ACLU via=VESSEL vessel=9321483/"EMMA MAERSK" voyage=601E
      EST ARRI -     USLAX 2026-01-20 carrier:ACLU via=VESSEL vessel=9321483/"EMMA MAERSK" voyage=601E`,
  },
  {
    at: '2026-01-22T00:00:00.000Z',
    said: `
      ACT ARRI -     USLAX 2026-01-20T19:30Z carrier:ACLU via=VESSEL vessel=9321483/"EMMA MAERSK" voyage=601E
      ACT DISC LADEN USLAX 2026-01-21T04:00Z terminal:W185 via=VESSEL vessel=9321483/"EMMA MAERSK" voyage=601E at=W185 site=POTE
      FACT yard_location "B 12 04" terminal:W185
      FACT available false terminal:W185 stated=2026-01-21T10:00Z
      FACT hold customs:hold:"intensive customs examination" terminal:W185
      FACT fee exam:due:120:-:"exam fee" terminal:W185
      FACT fee demurrage:due:80:USD terminal:W185
      FACT pickup_lfd_terminal 2026-01-26 terminal:W185
      FACT pickup_appointment 2026-01-23T16:00Z terminal:W185`,
  },
  { at: '2026-01-22T12:00:00.000Z', said: 'ACT AVPU LADEN USLAX 2026-01-22T10:00Z terminal:W185' },
  {
    at: '2026-01-25T00:00:00.000Z',
    said: `
      FACT chassis_number APMZ123456 terminal:W185
      ACT GTOT LADEN USLAX 2026-01-24T18:00Z terminal:W185 via=TRUCK at=W185`,
  },
  { at: '2026-01-26T00:00:00.000Z', said: 'FACT delivered 2026-01-25T16:00Z user:api' },
  { at: '2026-01-29T00:00:00.000Z', said: 'ACT GTIN EMPTY USLAX 2026-01-28T18:00Z terminal:W185' },
]

/** What a gate reports about a discharged box. */
const fetched: readonly JourneyStep[] = [
  {
    at: '2026-01-25T00:00:00.000Z',
    said: `
      FACT chassis_number APMZ123456 terminal:W185
      ACT GTOT LADEN USLAX 2026-01-24T18:00Z terminal:W185 via=TRUCK at=W185`,
  },
  { at: '2026-01-29T00:00:00.000Z', said: 'ACT GTIN EMPTY USLAX 2026-01-28T18:00Z terminal:W185' },
]

const roles = `
    FACT port_of_loading CNSHG carrier:ACLU
    FACT port_of_discharge USLAX carrier:ACLU`
const loaded = 'ACT LOAD LADEN CNSHG 2026-01-02T04:00Z carrier:ACLU via=VESSEL vessel=9321483/"EMMA MAERSK" voyage=601E'

/** What is known before the channel reports. Needed when the channel finds no shipment by itself, or reports only a part. */
export const preludes = {
  box: 'FACT size_type 45G1 carrier:ACLU',
  route: roles,
  ashore: `${roles}
    ${loaded}
    ACT DISC LADEN USLAX 2026-01-21T04:00Z carrier:ACLU via=VESSEL vessel=9321483/"EMMA MAERSK" voyage=601E`,
  sailing: `${roles}
    ${loaded}
    EST ARRI -     USLAX 2026-01-20 carrier:ACLU via=VESSEL vessel=9321483/"EMMA MAERSK" voyage=601E`,
} as const
export type Prelude = keyof typeof preludes

export const sampleJourneys: readonly {
  readonly after: readonly Prelude[]
  /** Begins with the first move, so that a line's own statements find the shipment. */
  readonly isWhole: boolean
  readonly steps: readonly JourneyStep[]
}[] = [
  { after: ['box', 'route'], isWhole: true, steps: inland },
  { after: ['box', 'route'], isWhole: true, steps: toThePort },
  { after: ['ashore'], isWhole: false, steps: fetched },
]
