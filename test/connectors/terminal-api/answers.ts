/** Answers of terminals and railways as their descriptions have them, made up for tests. */

import type { Reading } from '../../../src/connectors/source.ts'
import { findBuiltInDescription, mergeOverrides } from '../../../src/connectors/terminal-api/description.ts'
import { openFacilitySource } from '../../../src/connectors/terminal-api/facility-source.ts'
import type { FacilityProfile } from '../../../src/connectors/terminal-api/profile.ts'
import type { ObservedPlace } from '../../../src/domain/statements/observation.ts'
import { bytesOf, snapshotOf } from '../pushed-harness.ts'

export const box = 'LDFU1000018'
export const otherBox = 'LDFU1000023'
export const source = openFacilitySource()

/** The answering half of a shipped description, as an operator has completed it. */
export function answerOf(name: string, changes: Readonly<Record<string, unknown>> = {}): FacilityProfile {
  const parsed = source.parseProfile(mergeOverrides(findBuiltInDescription(name)?.answer ?? {}, changes))
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.value
}

export function askingOf(name: string, changes: Readonly<Record<string, unknown>> = {}): unknown {
  return mergeOverrides(findBuiltInDescription(name)?.asking ?? {}, changes)
}

/** The statements of a delivery about one container; null if no part of it is about the container. */
export function hear(
  profile: FacilityProfile,
  delivery: unknown,
  number = box,
  speaker: 'terminal' | 'rail' = 'terminal',
): Reading | null {
  const subject = { kind: 'container', number } as const
  const part = source.splitDelivery(bytesOf(delivery), profile).parts.find(({ about }) => about[0]?.number === number)
  return part === undefined ? null : source.read(snapshotOf(part.body), { speaker, messageSubject: subject }, profile)
}

/** By the name of each fact. */
export function factsOf(reading: Reading | null): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    (reading?.observations ?? []).flatMap((stated) => {
      if (stated.kind !== 'fact') return []
      return [[stated.fact, stated.fact === 'pod_terminal' ? terminalOf(stated.value) : stated.value]]
    }),
  )
}

export function terminalOf({ unlocode, facilityCode }: ObservedPlace): string {
  return `${unlocode} ${facilityCode}`
}

export function issuesOf(reading: Reading | null): readonly string[] {
  return (reading?.issues ?? []).map(({ kind, path }) => `${kind} ${path}`)
}

export const lbctBox = {
  id: box,
  category: 'IMPRT',
  'available-for-pickup': true,
  'last-free-day': '2026-02-07',
  'time-out': null,
}

export const cnBox = {
  EquipmentId: box.slice(0, 10),
  WaybillStatus: 'Active',
  Event: { Description: 'ARRIVED SOMEWHERE', Time: '2026-02-03 14:30 ET', Location: { Station: 'TORONTO' } },
  ETA: { Time: '2026-02-05 06:00 CT', Location: { Station: 'WINNIPEG' } },
  StorageCharge: { LastFreeDay: '2026-02-09' },
  LotLocation: 'C 12',
  ChassisEquipmentId: 'TSFZ123456',
}

export const bnsfUnit = {
  equipmentInitial: box.slice(0, 4),
  equipmentNumber: box.slice(4, 10),
  eventCode: 'DR',
  eventDatetime: '2026-02-04T14:47:37.068Z',
  station333: 'ALLIANCE',
  stationStateCode: 'TX',
  destinationStation333: 'CHICAGO',
  destinationStateCode: 'IL',
  estimatedEquipmentUnloadDatetime: '2026-02-06T08:00:00.000Z',
  shipmentLastFreeStorageDate: '2026-02-08',
  equipmentLotLocationName: 'A',
  equipmentLotRowLocationName: '12',
  equipmentLotRowSpotLocationName: '2',
  equipmentDoorSealNumber: 'SEAL77',
  equipmentGrossScaleWeightPounds: '10000',
}
