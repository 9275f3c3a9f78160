/**
 * Corrections of coordinates that are missing or wrong in the raw lists, written by hand in place-mends.csv with source
 * and reason.
 */

import { readFileSync } from 'node:fs'
import tzlookup from '@photostructure/tz-lookup'

/** Empty when the lists are wrong and no better coordinate is known. */
export interface PlaceMend {
  readonly latitude: string
  readonly longitude: string
}

export function readPlaceMends(): ReadonlyMap<string, PlaceMend> {
  const text = readFileSync(new URL('./place-mends.csv', import.meta.url), 'utf8')
  const lines = text.trim().split('\n').slice(1)
  return new Map(
    lines.map((line) => {
      const [unlocode = '', latitude = '', longitude = ''] = line.split(',')
      return [unlocode, { latitude, longitude }]
    }),
  )
}

export function findMendedZone(latitude: string, longitude: string): string {
  return tzlookup(Number(latitude), Number(longitude))
}
