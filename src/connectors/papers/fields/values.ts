/**
 * The value of the words beside a label, by the kind of the value. Null when it is not certainly a value of this kind.
 */

import type { Word } from '../document.ts'
import { findCount, findCurrency, findMoney, findVolume, findWeight, unitOf } from './amounts.ts'
import type { Candidate } from './find-labelled.ts'
import { type DayOrder, findMoment } from './moments.ts'
import { findFirms, findImo, findIncoterm, findPaperNumber, findScac, findVoyage } from './numbers.ts'
import { readPlace } from './printed-places.ts'

export interface FieldValue {
  /** The field that the value is of: usually that of the label. */
  readonly field: string
  readonly value: string | number
  /** As it is printed. */
  readonly text: string
}

export function readValues(candidate: Candidate, order: DayOrder): readonly FieldValue[] {
  const text = textOf(candidate.words)
  const { field, label } = candidate
  const one = (value: string | number | null | undefined, printed = text): readonly FieldValue[] =>
    value === null || value === undefined ? [] : [{ field, value, text: printed }]
  switch (candidate.kind) {
    case 'number':
      return field === 'voyage_number' ? one(findVoyage(text)) : one(findPaperNumber(text))
    case 'name':
      return one(nameOf(text))
    case 'text':
      return one(plainText(text))
    case 'place':
      return placesOf(field, text)
    case 'moment': {
      const found = findMoment(text, order)
      return found === null ? [] : one(found.value, found.text)
    }
    case 'count': {
      const found = findCount(text)
      return found === null ? [] : one(found.value, found.text)
    }
    case 'weight': {
      const found = findWeight(text, unitOf(label))
      return found === null ? [] : one(found.value, found.text)
    }
    case 'volume': {
      const found = findVolume(text, /cbm|cubic|cube|measure|volume/.test(label))
      return found === null ? [] : one(found.value, found.text)
    }
    case 'money': {
      const found = findMoney(text)
      if (found === null) return []
      const currency = found.currency === null ? [] : [{ field: 'currency', value: found.currency, text: found.text }]
      return [...one(found.value, found.text), ...currency]
    }
    case 'terms':
      return one(findPaymentTerms(text))
    case 'code':
      return one(findCodeForField(field, text))
    case 'vessel':
      return vesselOf(text, label)
  }
}

export function textOf(words: readonly Word[]): string {
  return words
    .map(({ text }) => text)
    .join(' ')
    .trim()
}

/** Names of firms have letters; a text without letters is a number beside a label of the same word. */
function nameOf(text: string): string | null {
  const name = text.replace(/^[:\-\s]+/, '').trim()
  return /\p{L}{2}/u.test(name) && name.length <= 120 && !/^(?:and|or|of|to|the|is|if|for)\b/i.test(name) ? name : null
}

function plainText(text: string): string | null {
  const plain = text.replace(/^[:\-\s]+/, '').trim()
  return /[\p{L}\p{N}]{2}/u.test(plain) ? plain.slice(0, 300) : null
}

function placesOf(field: string, text: string): readonly FieldValue[] {
  const place = readPlace(text)
  if (place === null) return []
  return [
    { field: `${field}.name`, value: place.name, text },
    ...(place.unlocode === null ? [] : [{ field: `${field}.unlocode`, value: place.unlocode, text }]),
  ]
}

function findPaymentTerms(text: string): string | null {
  if (/pre-?\s?paid/i.test(text)) return 'prepaid'
  return /\bcollect\b/i.test(text) ? 'collect' : null
}

function findCodeForField(field: string, text: string): string | null {
  if (field === 'carrier_scac') return findScac(text)
  if (field === 'vessel_imo_number') return findImo(text)
  if (field === 'incoterm') return findIncoterm(text)
  return field === 'currency' ? findCurrency(text) : findFirms(text)
}

/** `EXAMPLE STAR / 012W`, `M/V EXAMPLE STAR V.012W`: the ship, and its voyage where it is printed behind. */
function vesselOf(text: string, label: string): readonly FieldValue[] {
  const cleanedText = text.replace(/^\s*(?:m\s?[/.]?\s?v|s\s?\/\s?s|mv)\.?\s+/i, '').trim()
  const parted =
    /^(.{3,}?)\s*(?:\/|,|\(|\s-\s|\bvoy(?:age)?\b\.?|\bv\.)\s*(?:voy(?:age)?\.?\s*(?:no\.?)?\s*:?\s*)?([A-Z]{0,3}\d{1,5}[A-Z]{0,2})\)?\.?$/i.exec(
      cleanedText,
    ) ?? (label.includes('voy') ? /^(.{3,}?)\s+([A-Z]{0,2}\d{2,5}[A-Z]{0,2})$/i.exec(cleanedText) : null)
  const name = (parted?.[1] ?? cleanedText).replace(/[\s/,(-]+$/, '').toUpperCase()
  if (!/\p{L}{3}/u.test(name) || name.length > 60) return []
  const ship = { field: 'vessel_name', value: name, text }
  return parted?.[2] === undefined ? [ship] : [ship, { field: 'voyage_number', value: parted[2].toUpperCase(), text }]
}
