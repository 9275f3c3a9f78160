/** Facts of a notice, each with a key that begins with the notice's document and label. */

import type { FactName, FactObservation, FactValues } from '../../domain/statements/observation.ts'
import type { ReadContext } from '../dcsa/context.ts'
import type { JsonNode } from '../dcsa/json-node.ts'
import type { NoticeHead } from './head.ts'

export interface NoticeContext extends ReadContext {
  readonly whole: JsonNode
  readonly transport: JsonNode | null
  readonly head: NoticeHead
}

interface NoticeFactOf<Name extends FactName> {
  readonly fact: Name
  readonly value: FactValues[Name]
  /** Null: about everything in the notice. */
  readonly equipment: string | null
  /** Distinguishes several facts with one name of the same container. */
  readonly which?: string
}
export type NoticeFact = { [Name in FactName]: NoticeFactOf<Name> }[FactName]

export function factsOf({ head }: NoticeContext, all: readonly NoticeFact[]): readonly FactObservation[] {
  return all.map(({ fact, value, equipment, which }) => {
    const what = which === undefined ? fact : `${fact}|${which}`
    const stated = { statedAt: head.issuedAt, isRetracted: false }
    // The name determines the type of the value (SaidOf).
    return {
      kind: 'fact',
      key: makeStatementKey(head, what, equipment),
      fact,
      value,
      equipment,
      ...stated,
    } as FactObservation
  })
}

export function makeStatementKey({ scope }: NoticeHead, what: string, equipment: string | null): string {
  return `${scope}|${what}|${equipment ?? '-'}`
}

/** The containers of the notice; `null` for the whole bill where the notice lists none. */
export function listContainerNumbers({ containers }: NoticeHead): readonly (string | null)[] {
  return containers.length === 0 ? [null] : containers.map(({ number }) => number)
}
