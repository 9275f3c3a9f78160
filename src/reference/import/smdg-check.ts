/**
 * Compares the position of our ports with the terminals that SMDG lists for them. This checks both lists. Known faults
 * are named.
 */

import { findPlaceByCode } from '../places.ts'
import { distanceKm } from './distance.ts'
import { readRows } from './rows.ts'

export interface CheckedPort {
  readonly unlocode: string
  readonly name: string | null
  readonly terminals: number
  /** From our point to the nearest listed terminal, and to the middle of all of them. Null when we have no point. */
  readonly nearestKm: number | null
  readonly middleKm: number | null
  /** Why the distance is too large, where somebody has investigated it. */
  readonly why: string | null
}

export interface SmdgCheck {
  readonly ports: number
  readonly near: number
  readonly kmMax: number
  readonly far: readonly CheckedPort[]
}

const kmMax = 25

/** One entry for each UN/LOCODE in the list's first column. */
export function checkSmdg(bytes: Uint8Array): SmdgCheck {
  const ports = new Map<string, { latitude: number; longitude: number }[]>()
  for (const row of readRows(bytes, { columns: ['UNLOCODE', 'Latitude', 'Longitude'] })) {
    const point = { latitude: Number(row.cell('Latitude')), longitude: Number(row.cell('Longitude')) }
    const code = row.cell('UNLOCODE')
    ports.set(code, [...(ports.get(code) ?? []), point])
  }
  const checked = [...ports].map(([unlocode, points]): CheckedPort => {
    const place = findPlaceByCode(unlocode)
    const away = place === null ? [] : points.map((point) => distanceKm(place, point)).filter((km) => km !== null)
    const middle = {
      latitude: points.reduce((sum, { latitude }) => sum + latitude, 0) / points.length,
      longitude: points.reduce((sum, { longitude }) => sum + longitude, 0) / points.length,
    }
    return {
      unlocode,
      name: place?.name ?? null,
      terminals: points.length,
      nearestKm: away.length === 0 ? null : Math.min(...away),
      middleKm: place === null ? null : distanceKm(place, middle),
      why: known[unlocode] ?? null,
    }
  })
  const far = checked.filter(({ nearestKm }) => nearestKm === null || nearestKm > kmMax)
  return { ports: checked.length, near: checked.length - far.length, kmMax, far }
}

/** Investigated by hand with the list of 2026-06. */
const known: Readonly<Record<string, string>> = {
  CNDFG: 'the list gives the sea harbour off the coast, we the town; no free source has the harbour’s point',
  CNRUG: 'we have no point: UN/LOCODE gives none, and no free source has the river port',
  KHPNH: 'both are right: the container terminal LM17 lies on the Mekong, 27 km below the city',
  NLHEN: 'an error of the list: CTT Hengelo is at Hengelo (NLHGL), NLHEN is Heerlen',
}
