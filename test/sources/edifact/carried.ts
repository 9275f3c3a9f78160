/** What of a journey's statements each message of the synthetic samples can carry: the other side of the law of the round trip. */

import { quayReportOf, statusOfEvent, statusOfHold } from '../../../sandbox/edi/edifact-words.ts'
import type {
  EventObservation,
  FactObservation,
  Observation,
  ObservedPlace,
} from '../../../src/core/statements/observation.ts'
import { findPlaceByCode } from '../../../src/reference/places.ts'
import type { StatedBy } from '../../../src/sources/edifact/statements.ts'
import {
  observeDocuments,
  observeEvent,
  observeFact,
  withUniqueKeys,
} from '../../../src/sources/edifact/statements.ts'

export function carriedByIftsta(said: readonly Observation[], by: StatedBy): readonly Observation[] {
  const drafts = said.flatMap((each): readonly Observation[] => {
    if (each.kind === 'fact') return carriedHold(each, by)
    const status = statusOfEvent(each)
    if (status === null) return []
    const isGate = each.code === 'GTIN' || each.code === 'GTOT'
    const isShip = each.mode === 'VESSEL' || each.mode === 'BARGE'
    const event = {
      ...each,
      // Only a box is empty or full, and the message has no box.
      load: each.equipment === null ? null : each.load,
      mode: isGate && each.mode === 'VESSEL' ? null : each.mode,
      vessel: isShip && !isGate ? each.vessel : null,
      voyage: isShip && !isGate ? each.voyage : null,
      original: status.number,
    }
    return [observe(event, by)]
  })
  return withUniqueKeys(drafts.length === 0 ? [] : [...observeDocuments(by), ...drafts])
}

export function carriedByGate(
  said: EventObservation,
  all: readonly Observation[],
  by: StatedBy,
): readonly Observation[] {
  const event = {
    ...said,
    mode: said.mode === 'VESSEL' ? null : said.mode,
    vessel: null,
    voyage: null,
    original: said.code === 'GTIN' ? '34' : '36',
  }
  const facts = all.flatMap((each) => {
    if (each.kind !== 'fact' || each.equipment !== said.equipment || said.load === 'EMPTY') return []
    const isWheels = each.fact === 'chassis_number' && said.code === 'GTOT' && said.load === 'LADEN'
    const isTold = each.fact === 'weight_kg' || each.fact === 'seal_number' || isWheels
    return isTold ? [observeFact(each, by)] : []
  })
  return withUniqueKeys([...observeDocuments(by), observe(event, by), ...facts])
}

export function carriedByQuay(
  said: EventObservation,
  isTransshipped: boolean,
  by: StatedBy,
): readonly Observation[] {
  const { report, status } = quayReportOf(said, isTransshipped)
  const event = observe({ ...said, mode: said.mode ?? 'VESSEL', original: `${report}/${status}` }, by)
  const isKnown = event.place.unlocode !== null && said.load !== 'EMPTY'
  const onward =
    isTransshipped && isKnown
      ? [
          observeFact(
            {
              fact: said.code === 'LOAD' ? 'undated_arrival' : 'undated_departure',
              value: event.place,
              equipment: said.equipment,
            },
            by,
          ),
        ]
      : []
  return withUniqueKeys([...observeDocuments(by), event, ...onward])
}

function observe(event: EventObservation, by: StatedBy): EventObservation {
  const { classifier, code, load, mode, time, vessel, voyage, equipment, original } = event
  const place = carriedPlace(event.place)
  return observeEvent({ classifier, code, load, mode, time, place, vessel, voyage, equipment, original }, by)
}

/** A UN/LOCODE, a name and a facility's code; what the place list knows of them is worked out anew. */
function carriedPlace({ unlocode, facilityCode, name }: ObservedPlace): ObservedPlace {
  const place = unlocode === null ? null : findPlaceByCode(unlocode)
  return {
    unlocode: place?.unlocode ?? null,
    terminalId: null,
    facilityCode,
    facilityType: null,
    name: name ?? (place === null ? unlocode : null),
    timeZone: place?.timeZone ?? null,
  }
}

function carriedHold(said: FactObservation, by: StatedBy): readonly Observation[] {
  const number = said.fact === 'hold' ? statusOfHold(said.value) : null
  if (number === null || said.fact !== 'hold') return []
  const words = { '12': 'cleared by customs', '17': 'customs refusal', '38': 'freight paid' }
  const description = words[number as keyof typeof words]
  const value = { ...said.value, description }
  return [observeFact({ fact: 'hold', value, equipment: said.equipment, part: value.name }, by)]
}
