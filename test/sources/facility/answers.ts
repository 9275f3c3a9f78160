/** Answers of terminals and railways as their descriptions have them, made up for tests. */

import type { ObservedPlace } from '../../../src/core/statements/observation.ts'
import { findShipped, overlay } from '../../../src/sources/facility/description.ts'
import { openFacilitySource } from '../../../src/sources/facility/facility.ts'
import type { FacilityProfile } from '../../../src/sources/facility/profile.ts'
import type { Reading } from '../../../src/sources/source.ts'
import { bytesOf, snapshotOf } from '../told-harness.ts'

export const box = 'LDFU1000018'
export const otherBox = 'LDFU1000023'
export const source = openFacilitySource()

/** The answering half of a shipped description, as an operator has completed it. */
export function answerOf(name: string, changes: Readonly<Record<string, unknown>> = {}): FacilityProfile {
  const parsed = source.parseProfile(overlay(findShipped(name)?.answer ?? {}, changes))
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.value
}

export function askingOf(name: string, changes: Readonly<Record<string, unknown>> = {}): unknown {
  return overlay(findShipped(name)?.asking ?? {}, changes)
}

/** What a delivery says about one box; null if no part of it is about the box. */
export function hear(
  profile: FacilityProfile,
  delivery: unknown,
  number = box,
  speaker: 'terminal' | 'rail' = 'terminal',
): Reading | null {
  const subject = { kind: 'container', number } as const
  const part = source
    .partsOf(bytesOf(delivery), profile)
    .parts.find(({ about }) => about[0]?.number === number)
  return part === undefined ? null : source.read(snapshotOf(part.body), { speaker, subject }, profile)
}

/** By the name of each fact. */
export function factsOf(reading: Reading | null): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    (reading?.observations ?? []).flatMap((said) => {
      if (said.kind !== 'fact') return []
      return [[said.fact, said.fact === 'pod_terminal' ? terminalOf(said.value) : said.value]]
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
  'container-id': box,
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
