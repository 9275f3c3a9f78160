/** What the readers of a document's fields share, and how a statement and its fields are put together. */

import type {
  EventObservation,
  FactName,
  FactObservation,
  FactValues,
  Observation,
} from '../../../core/statements/observation.ts'
import type { IssueList, SourceIssueKind } from '../../source-issue.ts'
import type { DocumentType } from '../document.ts'
import type { Fields } from './fields.ts'
import type { SaidField } from './word.ts'

export interface SaidContext {
  readonly document: string
  readonly type: DocumentType
  readonly fields: Fields
  readonly issues: IssueList
  /** When the paper was written, else when it came: of two papers the later is believed. */
  readonly statedAt: string
  /** ISO instant: when the word came. Nothing that is expected lies two years after it. */
  readonly heardAt: string
  /** The boxes that the document lists. */
  readonly boxes: readonly SaidBox[]
}

export interface SaidBox {
  readonly number: string
  readonly fields: Fields
}

/** A statement, and the fields that it was made of: first the one that gave its value. */
export interface Stated {
  readonly observation: Observation
  readonly fields: readonly SaidField[]
}

interface FactOf<Name extends FactName> {
  readonly fact: Name
  readonly value: FactValues[Name]
  /** Null: about everything in the document. */
  readonly equipment: string | null
  /** Tells several facts of one name and box apart. */
  readonly which?: string
}
export type SaidFact = { [Name in FactName]: FactOf<Name> }[FactName]

export function statedFact(
  context: SaidContext,
  { fact, value, equipment, which }: SaidFact,
  fields: readonly (SaidField | null)[],
): Stated {
  const key = keyIn(context, which === undefined ? fact : `${fact}|${which}`, equipment)
  const stated = { equipment, statedAt: context.statedAt, isRetracted: false }
  // The name determines the type of the value (FactOf).
  const observation = { kind: 'fact', key, fact, value, ...stated } as FactObservation
  return { observation, fields: fields.filter((field) => field !== null) }
}

export type SaidEvent = Pick<
  EventObservation,
  'classifier' | 'code' | 'time' | 'place' | 'vessel' | 'voyage' | 'original'
>

/** A call of a ship. It is said of all boxes of the document. */
export function statedCall(
  context: SaidContext,
  said: SaidEvent,
  fields: readonly (SaidField | null)[],
): readonly Stated[] {
  return eachBox(context).map((equipment) => ({
    observation: {
      kind: 'event',
      key: keyIn(context, `${said.classifier} ${said.code}`, equipment),
      equipment,
      statedAt: context.statedAt,
      isRetracted: false,
      load: null,
      mode: 'VESSEL',
      callId: null,
      callSequence: null,
      ...said,
    },
    fields: fields.filter((field) => field !== null),
  }))
}

/** Every key begins with the document. */
function keyIn({ document }: SaidContext, what: string, equipment: string | null): string {
  return `${document}:${what}|${equipment ?? '-'}`
}

/** The boxes of the document; `null` for the whole shipment where the document lists none. */
export function eachBox({ boxes }: SaidContext): readonly (string | null)[] {
  return boxes.length === 0 ? [null] : boxes.map(({ number }) => number)
}

/** The field is there and says nothing that can be used. */
export function lose(
  { issues }: Pick<SaidContext, 'issues'>,
  field: SaidField,
  { kind, detail }: { readonly kind: SourceIssueKind; readonly detail: string },
): null {
  issues.addOnce(kind, { path: `/${field.name}`, lost: 'field' }, detail)
  return null
}

/** The text of a field in the form in which it may be stored; null when it has none. */
export function textOf(field: SaidField | null): string | null {
  return field === null || typeof field.value === 'boolean' ? null : tidied(String(field.value))
}

/** What is printed where the field was read. */
export function printedOf({ text }: SaidField): string | null {
  return text === null ? null : tidied(text)
}

function tidied(text: string): string | null {
  const tidy = text
    .slice(0, 300)
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
  return tidy === '' ? null : tidy
}
