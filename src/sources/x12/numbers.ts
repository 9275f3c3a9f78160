/** The numbers that a message names: its bills and bookings (N9), and the one box that it is about (B4, N9*EQ, N7). */

import {
  type ContainerNumber,
  containerCheckDigit,
  parseContainerNumber,
  parseReferenceNumber,
} from '../../core/values/identifiers.ts'
import { type IssueList, quoted } from '../source-issue.ts'
import type { SpokenOf } from '../told.ts'
import { elementOf, type Segment } from './interchange.ts'

export interface Numbers {
  readonly bills: readonly string[]
  readonly bookings: readonly string[]
  /** Null when no box is named, and when the named number cannot be a container number. */
  readonly box: ContainerNumber | null
  /** True when a box is named, even if its number is unreadable: the message is then not about all boxes. */
  readonly isBoxNamed: boolean
}

/** Bills, then bookings, then the box. */
export function spokenOf({ bills, bookings, box }: Numbers): readonly SpokenOf[] {
  return [
    ...bills.map((number) => ({ kind: 'bill_of_lading', number }) as const),
    ...bookings.map((number) => ({ kind: 'booking', number }) as const),
    ...(box === null ? [] : [{ kind: 'container', number: box } as const]),
  ]
}

export function readNumbers(segments: readonly Segment[], issues: IssueList): Numbers {
  const named = namedBoxes(segments)
  return {
    bills: readDocuments(segments, 'BM', issues),
    bookings: readDocuments(segments, 'BN', issues),
    box: chooseBox(named, issues),
    isBoxNamed: named.length > 0,
  }
}

function readDocuments(
  segments: readonly Segment[],
  qualifier: string,
  issues: IssueList,
): readonly string[] {
  const numbers = segments.flatMap((segment) => {
    if (segment.tag !== 'N9' || elementOf(segment, 1) !== qualifier) return []
    const said = elementOf(segment, 2).replace(/\s+/g, '')
    const number = parseReferenceNumber(said)
    if (number.ok) return [number.value]
    const at = { path: `/${segment.number}/2`, lost: 'field' } as const
    if (said !== '')
      issues.addOnce('wrong_type', at, `${quoted(said)} cannot be the number of a bill or booking`)
    return []
  })
  return [...new Set(numbers)]
}

interface NamedBox {
  readonly path: string
  /** As it is written, with its check digit where one is written. */
  readonly text: string
  readonly isReference: boolean
}

function namedBoxes(segments: readonly Segment[]): readonly NamedBox[] {
  return segments.flatMap((segment): readonly NamedBox[] => {
    const [path, isReference] = [`/${segment.number}/2`, true]
    switch (segment.tag) {
      case 'B4':
        return partsOfBox(segment, { initial: 7, number: 8, checkDigit: 13 })
      case 'N7':
        return isContainer(segment) ? partsOfBox(segment, { initial: 1, number: 2, checkDigit: 18 }) : []
      case 'N9': {
        const text = elementOf(segment, 2)
        return elementOf(segment, 1) === 'EQ' && text !== '' ? [{ path, text, isReference }] : []
      }
      default:
        return []
    }
  })
}

/** N7-11: `CN` or empty is a container. A chassis (`CH`) or a trailer (`TL`) is not. */
export function isContainer(segment: Segment): boolean {
  return segment.tag === 'N7' && ['', 'CN'].includes(elementOf(segment, 11))
}

/** The letters and first six digits of the box that the status itself (B4) names; null where it names none. */
export function readStatusBox(segments: readonly Segment[]): string | null {
  const status = segments.find(({ tag }) => tag === 'B4')
  const [named] = status === undefined ? [] : partsOfBox(status, { initial: 7, number: 8, checkDigit: 13 })
  return named === undefined ? null : named.text.slice(0, 10)
}

function partsOfBox(
  segment: Segment,
  places: { readonly initial: number; readonly number: number; readonly checkDigit: number },
): readonly NamedBox[] {
  const [initial, number, checkDigit] = [places.initial, places.number, places.checkDigit].map((place) =>
    elementOf(segment, place).replace(/[\s-]/g, '').toUpperCase(),
  ) as [string, string, string]
  if (initial === '' && number === '') return []
  // Some senders write the check digit into the number, some write the whole number in one element.
  const isWhole = number.length >= 7
  const text = `${initial}${number}${isWhole ? '' : checkDigit}`
  return [{ path: `/${segment.number}/${places.number}`, text, isReference: false }]
}

/**
 * The reference with the whole number is believed before the number in parts. A number with a wrong check digit names
 * no box, even where the other parts would make a valid number: nobody knows which character is wrong, and a similar
 * number is somebody else's box.
 */
function chooseBox(named: readonly NamedBox[], issues: IssueList): ContainerNumber | null {
  const read = named.map((each) => ({ ...each, number: readBox(each.text) }))
  const [first] = read.filter(({ isReference }) => isReference).concat(read)
  if (first === undefined) return null
  for (const { path, text, number } of read) {
    if (number === null) {
      const detail = `${quoted(text)} is not a container number`
      issues.add('bad_equipment', { path, lost: 'field' }, detail)
    } else if (number !== first.number && first.number !== null)
      issues.add(
        'bad_equipment',
        { path, lost: 'nothing' },
        `${number} is not the container of the reference (N9), ${first.number}`,
      )
  }
  if (first.number !== null) return first.number
  const other = read.find(({ number }) => number !== null)
  // A computed check digit proves nothing against a written one.
  return other !== undefined && hasCheckDigit(other.text) ? other.number : null
}

function readBox(text: string): ContainerNumber | null {
  const tidy = text.replace(/[\s./-]/g, '').toUpperCase()
  const checkDigit = hasCheckDigit(tidy) ? '' : containerCheckDigit(tidy)
  const number = checkDigit === null ? null : parseContainerNumber(`${tidy}${checkDigit}`)
  return number?.ok ? number.value : null
}

function hasCheckDigit(text: string): boolean {
  return text.replace(/[\s./-]/g, '').length !== 10
}
