/** The place in a document from which a statement was read. */

import { statementKeyOf } from '../../../core/statements/claims.ts'
import type { Observation } from '../../../core/statements/observation.ts'
import { parseObject } from '../../json-delivery.ts'
import { printedOf } from './context.ts'
import { openFields } from './fields.ts'
import { fieldNames } from './names.ts'
import { observe } from './observe.ts'
import { type DocumentWord, parseWord, type SaidField } from './word.ts'

export interface Proof {
  /** The field that gave the value. */
  readonly field: SaidField
  /** The date that the document bears, as it was read; null where it bears none. */
  readonly writtenOn: string | null
  /** ISO instant: when it was read, confirmed or corrected; null where that is not known. */
  readonly at: string | null
  readonly person: DocumentWord['person']
}

/** Finds the proof of each statement of one word of a document. Null for what the word does not say. */
export function openProofs(body: Buffer, heardAt: string): (said: Observation) => Proof | null {
  const value = parseObject(body)
  const word = value === null ? null : parseWord(value)
  if (word === null) return () => null
  const { at, person } = word
  const writtenOn = openFields(word.fields).find(fieldNames.writtenOn)
  const byKey = new Map(
    observe(word, word, heardAt).stated.map(({ observation, fields }) => [
      statementKeyOf(observation),
      fields[0],
    ]),
  )
  return (said) => {
    const field = byKey.get(statementKeyOf(said))
    return field === undefined
      ? null
      : {
          field: { ...field, text: printedOf(field) },
          writtenOn: writtenOn === null ? null : String(writtenOn.value),
          at,
          person,
        }
  }
}
