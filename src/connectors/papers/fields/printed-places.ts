/** Places as documents print them: with their UN/LOCODE if the place is certain. */

import { findPlaceByCode, resolvePlace } from '../../../reference/places.ts'

export interface PrintedPlace {
  readonly name: string
  /** Null when the text names no place that is known, or several. */
  readonly unlocode: string | null
}

export function readPlace(text: string): PrintedPlace | null {
  const name = text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/^[:\-\s]+/, '')
    .slice(0, 120)
  if (!/\p{L}{3}/u.test(name)) return null
  const code = /(?:^|[\s(/])([A-Z]{2}\s?[A-Z0-9]{3})(?:[\s)/]|$)/.exec(name)?.[1]?.replace(/\s/, '')
  const byCode = code === undefined || !/^[A-Z]{5}$/.test(code) ? null : findPlaceByCode(code)
  const plain = name.replace(/\([^)]*\)/g, '').trim()
  if (
    byCode !== null &&
    (plain === '' ||
      plain.toUpperCase() === code ||
      plain.includes(byCode.name.slice(0, 3).toUpperCase()) ||
      /[()]/.test(name))
  )
    return { name, unlocode: byCode.unlocode }
  const [city = '', ...after] = plain.split(',').map((part) => part.trim())
  const [subdivision, country] = after.length > 1 ? after : [after[0], after[0]]
  const found =
    resolvePlace({ name: city, subdivision: subdivision ?? null, country: country ?? null }) ??
    resolvePlace({ name: city, subdivision: subdivision ?? null }) ??
    resolvePlace({ name: city, country: country ?? null })
  return { name, unlocode: found?.place.unlocode ?? null }
}
