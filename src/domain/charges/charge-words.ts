/** What is charged, and by whom, as people and papers write it. */

import { type ChargeKind, type Charger, chargeKinds, chargers } from './terms.ts'

/** Null when the words name no kind, or several that are not charged together. */
export function kindOfWords(text: string): ChargeKind | null {
  const words = text.toLowerCase().replaceAll('_', ' ')
  const exact = chargeKinds.find((kind) => kind.replaceAll('_', ' ') === words.trim())
  if (exact !== undefined) return exact
  const isDemurrage = /\bdem(?:urrage)?\b/.test(words)
  const isDetention = /\bdet(?:ention)?\b/.test(words)
  if (/\bd\s*&\s*d\b|\bdnd\b/.test(words) || (isDemurrage && isDetention)) return 'combined'
  const named = [
    ...(isDemurrage ? (['demurrage'] as const) : []),
    ...(isDetention ? (['detention'] as const) : []),
    ...(/\bstorage\b/.test(words) ? (['storage'] as const) : []),
    ...(/\bper diem\b/.test(words) ? (['per_diem'] as const) : []),
  ]
  return named.length === 1 ? (named[0] ?? null) : null
}

export function chargerOfWords(text: string): Charger | null {
  const words = text.toLowerCase().replaceAll('_', ' ').trim()
  const exact = chargers.find((charger) => charger.replaceAll('_', ' ') === words)
  if (exact !== undefined) return exact
  if (/\b(?:line|carrier)\b/.test(words)) return 'line'
  if (/\bterminal\b/.test(words)) return 'terminal'
  if (/\brail(?:way|road)?\b/.test(words)) return 'railway'
  return /\bchassis\b|\bpool\b/.test(words) ? 'chassis_pool' : null
}
