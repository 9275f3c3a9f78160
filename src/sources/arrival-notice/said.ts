/** Facts of a notice, each with a key that begins with the notice's document and label. */

import type { FactName, FactObservation, FactValues } from '../../core/statements/observation.ts'
import type { ReadContext } from '../dcsa/context.ts'
import type { Part } from '../dcsa/part.ts'
import type { NoticeHead } from './head.ts'

export interface NoticeContext extends ReadContext {
  readonly whole: Part
  readonly transport: Part | null
  readonly head: NoticeHead
}

interface SaidOf<Name extends FactName> {
  readonly fact: Name
  readonly value: FactValues[Name]
  /** Null: about everything in the notice. */
  readonly equipment: string | null
  /** Distinguishes several facts with one name of the same box. */
  readonly which?: string
}
export type Said = { [Name in FactName]: SaidOf<Name> }[FactName]

export function factsOf({ head }: NoticeContext, all: readonly Said[]): readonly FactObservation[] {
  return all.map(({ fact, value, equipment, which }) => {
    const what = which === undefined ? fact : `${fact}|${which}`
    const stated = { statedAt: head.issuedAt, isRetracted: false }
    // The name determines the type of the value (SaidOf).
    return {
      kind: 'fact',
      key: keyIn(head, what, equipment),
      fact,
      value,
      equipment,
      ...stated,
    } as FactObservation
  })
}

export function keyIn({ scope }: NoticeHead, what: string, equipment: string | null): string {
  return `${scope}|${what}|${equipment ?? '-'}`
}

/** The boxes of the notice; `null` for the whole bill where the notice lists none. */
export function eachBox({ boxes }: NoticeHead): readonly (string | null)[] {
  return boxes.length === 0 ? [null] : boxes.map(({ number }) => number)
}
