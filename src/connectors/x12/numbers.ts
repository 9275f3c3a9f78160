/**
 * The numbers that a message names: its bills and bookings (N9), and the one container that it is about (B4, N9*EQ,
 * N7).
 */

import {
  type EquipmentReference,
  parseEquipmentReference,
  parseReferenceNumber,
} from '../../domain/values/identifiers.ts'
import { noteCheckDigit } from '../container-reference.ts'
import type { MentionedNumber } from '../pushed-source.ts'
import { type IssueList, quoteValue } from '../source-issue.ts'
import { elementOf, type Segment } from './segments.ts'

export interface Numbers {
  readonly bills: readonly string[]
  readonly bookings: readonly string[]
  /** Null when no container is named, and when the named number cannot be a container number. */
  readonly container: EquipmentReference['number'] | null
  /** True when a container is named, even if its number is unreadable: the message is then not about all containers. */
  readonly isContainerNamed: boolean
}

/** Bills, then bookings, then the container. */
export function listMentionedNumbers({ bills, bookings, container }: Numbers): readonly MentionedNumber[] {
  return [
    ...bills.map((number) => ({ kind: 'bill_of_lading', number }) as const),
    ...bookings.map((number) => ({ kind: 'booking', number }) as const),
    ...(container === null ? [] : [{ kind: 'container', number: container } as const]),
  ]
}

export function readNumbers(segments: readonly Segment[], issues: IssueList): Numbers {
  const named = findNamedContainers(segments)
  return {
    bills: readDocuments(segments, 'BM', issues),
    bookings: readDocuments(segments, 'BN', issues),
    container: chooseContainer(named, issues),
    isContainerNamed: named.length > 0,
  }
}

function readDocuments(segments: readonly Segment[], qualifier: string, issues: IssueList): readonly string[] {
  const numbers = segments.flatMap((segment) => {
    if (segment.tag !== 'N9' || elementOf(segment, 1) !== qualifier) return []
    const rawNumber = elementOf(segment, 2).replace(/\s+/g, '')
    const number = parseReferenceNumber(rawNumber)
    if (number.ok) return [number.value]
    const at = { path: `/${segment.number}/2`, lost: 'field' } as const
    if (rawNumber !== '')
      issues.addOnce('wrong_type', at, `${quoteValue(rawNumber)} cannot be the number of a bill or booking`)
    return []
  })
  return [...new Set(numbers)]
}

interface NamedContainer {
  readonly path: string
  /** As it is written, with its check digit where one is written. */
  readonly text: string
  readonly isReference: boolean
}

function findNamedContainers(segments: readonly Segment[]): readonly NamedContainer[] {
  return segments.flatMap((segment): readonly NamedContainer[] => {
    const [path, isReference] = [`/${segment.number}/2`, true]
    switch (segment.tag) {
      case 'B4':
        return readNumberElements(segment, { initial: 7, number: 8, checkDigit: 13 })
      case 'N7':
        return isContainer(segment) ? readNumberElements(segment, { initial: 1, number: 2, checkDigit: 18 }) : []
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

/** The letters and first six digits of the container that the status itself (B4) names; null where it names none. */
export function readStatusContainer(segments: readonly Segment[]): string | null {
  const status = segments.find(({ tag }) => tag === 'B4')
  const [named] = status === undefined ? [] : readNumberElements(status, { initial: 7, number: 8, checkDigit: 13 })
  return named === undefined ? null : named.text.slice(0, 10)
}

function readNumberElements(
  segment: Segment,
  places: { readonly initial: number; readonly number: number; readonly checkDigit: number },
): readonly NamedContainer[] {
  const [initial, number, checkDigit] = [places.initial, places.number, places.checkDigit].map((place) =>
    elementOf(segment, place).replace(/[\s-]/g, '').toUpperCase(),
  ) as [string, string, string]
  if (initial === '' && number === '') return []
  // Some senders write the check digit into the number, some write the complete number in one element.
  const isWhole = number.length >= 7
  const text = `${initial}${number}${isWhole ? '' : checkDigit}`
  return [{ path: `/${segment.number}/${places.number}`, text, isReference: false }]
}

/**
 * A number with the right check digit has priority over a number with a wrong one, and that over a number without one.
 * Of equals the reference with the complete number has priority over the number in pieces.
 */
function chooseContainer(named: readonly NamedContainer[], issues: IssueList): Numbers['container'] {
  const read = named
    .map((each) => ({ ...each, parsed: parseEquipmentReference(each.text) }))
    .toSorted((a, b) => Number(b.isReference) - Number(a.isReference))
  const numbers = read.flatMap(({ parsed, path }) => (parsed.ok ? [{ ...parsed.value, path }] : []))
  const best = (['right', 'wrong', 'missing'] as const)
    .flatMap((state) => numbers.filter(({ checkDigit }) => checkDigit === state))
    .at(0)
  if (best !== undefined) noteCheckDigit(best, best.path, issues)
  for (const { path, text, parsed } of read) {
    if (!parsed.ok) {
      const detail = `${quoteValue(text)} is not a container number`
      issues.add('bad_equipment', { path, lost: 'field' }, detail)
    } else if (best !== undefined && parsed.value.number !== best.number) {
      const detail = `${parsed.value.number} is not the container that is read, ${best.number}`
      issues.add('bad_equipment', { path, lost: 'nothing' }, detail)
    }
  }
  return best?.number ?? null
}
