/** Coordinates that the raw lists lack or have wrong, written down by hand in place-mends.csv with source and reason. */

import { readFileSync } from 'node:fs'
import tzlookup from '@photostructure/tz-lookup'

/** Empty where no coordinate is better than the lists'. */
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
