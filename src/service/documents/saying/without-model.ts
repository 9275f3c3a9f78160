/** What the rules read, without what a language model added: that waits for a person. */

import { isObject } from '../../../core/values/json-value.ts'
import type { FieldRead } from '../../../sources/documents/document.ts'

type Payload = Readonly<Record<string, unknown>>

/** A copy without the values whose fields a model read. Fields name their values as `containers[0].number`. */
export function withoutModel(payload: Payload, fields: readonly FieldRead[]): Payload {
  const copy = structuredClone(payload)
  for (const { name, by } of fields) if (by === 'model') remove(copy, stepsOf(name))
  return copy
}

function stepsOf(name: string): readonly string[] {
  return name.split(/[.[\]]+/).filter((step) => step !== '')
}

function remove(within: unknown, [step, ...rest]: readonly string[]): void {
  if (step === undefined || !(isObject(within) || Array.isArray(within))) return
  const held = within as Record<string, unknown>
  if (rest.length > 0) remove(held[step], rest)
  // An item of a list keeps its place, because other fields name the items after it.
  else if (Array.isArray(within)) within[Number(step)] = null
  else delete held[step]
}
