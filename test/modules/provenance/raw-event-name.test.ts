import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type RawEventName,
  rawEventName,
  type StatedCodes,
} from '../../../src/modules/provenance/raw-event-name-resource.ts'

const route = { portOfLoading: 'CNSHG', portOfDischarge: 'USLAX', destination: 'USCHI' }

const cases: readonly (readonly [Partial<StatedCodes>, RawEventName | null])[] = [
  [{ code: 'GTOT', load: 'EMPTY', mode: 'TRUCK' }, 'empty_out'],
  [{ code: 'GTIN', load: 'LADEN', mode: 'TRUCK' }, 'full_in'],
  [{ code: 'GTOT', load: 'LADEN', mode: 'TRUCK' }, 'full_out'],
  [{ code: 'GTIN', load: 'EMPTY', mode: 'TRUCK' }, 'empty_in'],
  [{ code: 'GTIN', load: null, mode: 'TRUCK' }, null],
  [{ code: 'LOAD', mode: 'VESSEL', unlocode: 'CNSHG' }, 'vessel_loaded'],
  [{ code: 'LOAD', mode: 'VESSEL', unlocode: 'KRPUS' }, 'transshipment_loaded'],
  [{ code: 'LOAD', mode: 'BARGE', unlocode: 'KRPUS' }, 'feeder_loaded'],
  [{ code: 'LOAD', mode: 'RAIL', unlocode: 'USLAX' }, 'rail_loaded'],
  [{ code: 'LOAD', mode: 'TRUCK', unlocode: 'USLAX' }, null],
  [{ code: 'ARRI', mode: 'VESSEL', unlocode: 'USLAX' }, 'vessel_arrived'],
  [{ code: 'ARRI', mode: 'RAIL', unlocode: 'USCHI' }, 'arrived_at_destination'],
  [{ code: 'ARRI', mode: 'RAIL', unlocode: 'USKCK' }, 'rail_arrived'],
  [{ code: 'ARRI', mode: 'VESSEL', unlocode: null }, 'vessel_arrived'],
  [{ code: 'DISC', mode: 'VESSEL', unlocode: 'KRPUS', portOfLoading: null }, 'vessel_discharged'],
  [{ code: 'AVPU' }, 'available'],
  [{ code: 'CUSR' }, 'customs_release'],
  [{ code: 'ISSU' }, null],
  [{ code: 'RECE', original: 'RECE VGM' }, 'vgm_received'],
  [{ code: 'RECE', original: 'RECEIVED VGM' }, 'vgm_received'],
  [{ code: 'RECE', original: 'RECE BKG' }, null],
  [{ code: 'RELS', original: 'RELS VGM' }, null],
  [{ code: 'RELS', original: 'RELS TRD' }, 'carrier_release'],
  [{ code: null }, null],
]

for (const [stated, name] of cases) {
  const words = Object.values(stated).join(' ')
  test(`the raw event for ${words || 'wording without a code'} gets the name ${name ?? 'no event of the API'}`, () => {
    assert.equal(
      rawEventName({
        code: null,
        load: null,
        mode: null,
        original: null,
        unlocode: null,
        ...route,
        ...stated,
      }),
      name,
    )
  })
}
