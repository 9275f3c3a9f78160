/**
 * The journey, in the journey notation, from which examples of notifications are made: one container that travels by
 * barge, ship and rail.
 */

import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'

export interface StoryPoll {
  /** When it was read. */
  readonly at: string
  /** One statement a line. `at=` names a facility by its SMDG or FIRMS code. */
  readonly statements: string
}

export const exampleStory = {
  scac: 'MAEU',
  bill: 'MAEU000EXAMPLE',
  box: 'TCNU1234565',
  askedAt: '2026-01-04T12:00:00.000Z',
  looks: [
    {
      at: '2026-01-05T00:00:00.000Z',
      statements: `
        FACT size_type 45G1 carrier:MAEU
        FACT weight_kg 18250 carrier:MAEU
        FACT seal_number EX004711 carrier:MAEU
        FACT place_of_delivery USCHI carrier:MAEU box=-
        FACT port_of_discharge USLAX carrier:MAEU box=-
        ACT GTOT EMPTY CNNKG 2026-01-01T01:00Z carrier:MAEU
        ACT GTIN LADEN CNNKG 2026-01-02T03:00Z carrier:MAEU
        ACT LOAD LADEN CNNKG 2026-01-03T03:00Z carrier:MAEU via=BARGE vessel=-/"River Star" voyage=88
        ACT DEPA -     CNNKG 2026-01-03T09:00Z carrier:MAEU via=BARGE vessel=-/"River Star" voyage=88
        ACT ARRI -     CNSHG 2026-01-04T05:00Z carrier:MAEU via=BARGE vessel=-/"River Star" voyage=88
        ACT DISC LADEN CNSHG 2026-01-04T08:00Z carrier:MAEU via=BARGE vessel=-/"River Star" voyage=88
        PLN LOAD LADEN CNSHG 2026-01-06T02:00Z carrier:MAEU via=VESSEL vessel=9321483/"EMMA MAERSK" voyage=601E
        EST DEPA -     CNSHG 2026-01-06T18:00Z carrier:MAEU via=VESSEL vessel=9321483/"EMMA MAERSK" voyage=601E
        EST ARRI -     USLAX 2026-02-01T16:00Z carrier:MAEU via=VESSEL vessel=9619907/"MAERSK MC-KINNEY MOLLER" voyage=602E`,
    },
    {
      at: '2026-01-20T00:00:00.000Z',
      statements: `
        ACT LOAD LADEN CNSHG 2026-01-06T04:00Z carrier:MAEU via=VESSEL vessel=9321483/"EMMA MAERSK" voyage=601E
        ACT DEPA -     CNSHG 2026-01-06T19:00Z carrier:MAEU via=VESSEL vessel=9321483/"EMMA MAERSK" voyage=601E
        ACT ARRI -     KRPUS 2026-01-09T01:00Z carrier:MAEU via=VESSEL vessel=9321483/"EMMA MAERSK" voyage=601E
        ACT DISC LADEN KRPUS 2026-01-09T11:00Z carrier:MAEU via=VESSEL vessel=9321483/"EMMA MAERSK" voyage=601E
        ACT LOAD LADEN KRPUS 2026-01-12T02:00Z carrier:MAEU via=VESSEL vessel=9619907/"MAERSK MC-KINNEY MOLLER" voyage=602E
        ACT DEPA -     KRPUS 2026-01-12T20:00Z carrier:MAEU via=VESSEL vessel=9619907/"MAERSK MC-KINNEY MOLLER" voyage=602E
        FACT pod_terminal USLAX at=APMT terminal:W185`,
    },
    { at: '2026-01-20T12:00:00.000Z', statements: '' },
    {
      at: '2026-02-03T00:00:00.000Z',
      statements: `
        ACT ARRI -     USLAX 2026-02-01T19:30Z carrier:MAEU via=VESSEL vessel=9619907/"MAERSK MC-KINNEY MOLLER" voyage=602E at=APMT
        ACT ARRI -     USLAX 2026-02-01T21:00Z terminal:W185 via=VESSEL vessel=9619907/"MAERSK MC-KINNEY MOLLER" voyage=602E at=APMT site=BRTH
        ACT DISC LADEN USLAX 2026-02-02T04:00Z carrier:MAEU via=VESSEL vessel=9619907/"MAERSK MC-KINNEY MOLLER" voyage=602E at=APMT
        EST ARRI -     USCHI 2026-02-08T18:00Z carrier:MAEU via=RAIL at=I122 site=RAMP
        FACT holds [customs:hold:"exam", freight:pending] terminal:W185
        FACT fees [demurrage:120.00USD, total:120.00USD] terminal:W185
        FACT pickup_lfd_terminal 2026-02-06 terminal:W185`,
    },
    {
      at: '2026-02-04T00:00:00.000Z',
      statements: `
        ACT DISC LADEN USLAX 2026-02-02T06:30Z carrier:MAEU via=VESSEL vessel=9619907/"MAERSK MC-KINNEY MOLLER" voyage=602E at=APMT
        ACT GTIN LADEN CNNKG 2026-01-02T03:00Z carrier:MAEU retracted`,
    },
    {
      at: '2026-02-09T00:00:00.000Z',
      statements: `
        FACT pod_rail_carrier UPRR carrier:MAEU
        ACT LOAD LADEN USLAX 2026-02-04T02:00Z rail:UP via=RAIL at=APMT
        ACT DEPA -     USLAX 2026-02-04T10:00Z rail:UP via=RAIL at=APMT
        ACT ARRI -     USCHI 2026-02-08T15:00Z rail:UP via=RAIL at=I122 site=RAMP
        ACT DISC LADEN USCHI 2026-02-08T21:00Z rail:UP via=RAIL at=I122 site=RAMP
        FACT pickup_lfd_line 2026-02-12 carrier:MAEU
        FACT pickup_lfd_rail 2026-02-11 rail:UP
        FACT pickup_appointment 2026-02-10T16:00Z rail:UP`,
    },
    {
      at: '2026-02-09T12:00:00.000Z',
      statements: 'FACT available true rail:UP stated=2026-02-09T08:00Z',
    },
    {
      at: '2026-02-10T00:00:00.000Z',
      statements: 'FACT available false rail:UP stated=2026-02-09T20:00Z',
    },
    {
      at: '2026-02-11T00:00:00.000Z',
      statements: 'ACT GTOT LADEN USCHI 2026-02-10T18:00Z rail:UP at=I122',
    },
    {
      at: '2026-02-12T00:00:00.000Z',
      statements: 'FACT delivered 2026-02-11T16:00Z user:api',
    },
    {
      at: '2026-02-15T00:00:00.000Z',
      statements: 'ACT GTIN EMPTY USCHI 2026-02-14T18:00Z carrier:MAEU at=I122',
    },
  ] as readonly StoryPoll[],
}

/** The id of something in the example, the same everywhere. */
export function exampleId(what: string): string {
  return uuidV5(LANDFALL_NAMESPACE, `example:${what}`)
}
