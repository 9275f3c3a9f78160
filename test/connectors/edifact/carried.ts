/** The statements of a journey that each message of the synthetic samples can carry: the other side of the round trip. */

import { quayReportOf, statusOfEvent, statusOfHold } from '../../../sandbox/edi/edifact-words.ts'
import type { CommonStatement } from '../../../src/connectors/edifact/statements.ts'
import {
  observeDocuments,
  observeEvent,
  observeFact,
  withUniqueKeys,
} from '../../../src/connectors/edifact/statements.ts'
import type {
  EventObservation,
  FactObservation,
  Observation,
  ObservedPlace,
} from '../../../src/domain/statements/observation.ts'
import { findPlaceByCode } from '../../../src/reference/places.ts'

export function carriedByIftsta(stated: readonly Observation[], by: CommonStatement): readonly Observation[] {
  const drafts = stated.flatMap((each): readonly Observation[] => {
    if (each.kind === 'fact') return carriedHold(each, by)
    const status = statusOfEvent(each)
    if (status === null) return []
    const isGate = each.code === 'GTIN' || each.code === 'GTOT'
    const isShip = each.mode === 'VESSEL' || each.mode === 'BARGE'
    const event = {
      ...each,
      // Only a container is empty or full, and the message has none.
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
  stated: EventObservation,
  all: readonly Observation[],
  by: CommonStatement,
): readonly Observation[] {
  const event = {
    ...stated,
    mode: stated.mode === 'VESSEL' ? null : stated.mode,
    vessel: null,
    voyage: null,
    original: stated.code === 'GTIN' ? '34' : '36',
  }
  const facts = all.flatMap((each) => {
    if (each.kind !== 'fact' || each.equipment !== stated.equipment || stated.load === 'EMPTY') return []
    const isWheels = each.fact === 'chassis_number' && stated.code === 'GTOT' && stated.load === 'LADEN'
    // The weight of a laden container is written as its verified gross mass.
    if (each.fact === 'weight_kg')
      return [observeFact(each, by), observeFact({ ...each, fact: 'verified_gross_mass_kg' }, by)]
    const isTold = each.fact === 'seal_number' || isWheels
    return isTold ? [observeFact(each, by)] : []
  })
  return withUniqueKeys([...observeDocuments(by), observe(event, by), ...facts])
}

export function carriedByQuay(
  stated: EventObservation,
  isTransshipped: boolean,
  by: CommonStatement,
): readonly Observation[] {
  const { report, status } = quayReportOf(stated, isTransshipped)
  const event = observe({ ...stated, mode: stated.mode ?? 'VESSEL', original: `${report}/${status}` }, by)
  const isKnown = event.place.unlocode !== null && stated.load !== 'EMPTY'
  const onward =
    isTransshipped && isKnown
      ? [
          observeFact(
            {
              fact: stated.code === 'LOAD' ? 'undated_arrival' : 'undated_departure',
              value: event.place,
              equipment: stated.equipment,
            },
            by,
          ),
        ]
      : []
  return withUniqueKeys([...observeDocuments(by), event, ...onward])
}

function observe(event: EventObservation, by: CommonStatement): EventObservation {
  const { classifier, code, load, mode, time, vessel, voyage, equipment, original } = event
  const place = carriedPlace(event.place)
  return observeEvent({ classifier, code, load, mode, time, place, vessel, voyage, equipment, original }, by)
}

/** A UN/LOCODE, a name and a facility's code; the place's other members are looked up again. */
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

function carriedHold(stated: FactObservation, by: CommonStatement): readonly Observation[] {
  const number = stated.fact === 'hold' ? statusOfHold(stated.value) : null
  if (number === null || stated.fact !== 'hold') return []
  const words = { '12': 'cleared by customs', '17': 'customs refusal', '38': 'freight paid' }
  const description = words[number as keyof typeof words]
  const value = { ...stated.value, description }
  return [observeFact({ fact: 'hold', value, equipment: stated.equipment, part: value.name }, by)]
}
