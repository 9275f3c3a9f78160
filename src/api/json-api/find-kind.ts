/**
 * The kinds of resources by their types. `all-resources.ts` has the complete list and gives it when the program starts,
 * so that a route or a test loads only the resources that it names.
 */

import type { ResourceKind } from '../shape/resource-kind.ts'
import type { kinds, Reading, ReadingOf } from './resource-kinds.ts'

type Kinds = typeof kinds
let registeredKinds: Kinds | null = null

export function registerKinds(all: Kinds): void {
  registeredKinds = all
}

/** Null for types that relations name although no resource has them. */
export function findKind(type: string): ResourceKind<Reading> | null {
  return isType(type) ? kindOfType(type) : null
}

export function kindOf(reading: Reading): ResourceKind<Reading> {
  return kindOfType(reading.type)
}

export function listKinds(): readonly ResourceKind<never>[] {
  return Object.values(allKinds())
}

function kindOfType<Type extends Reading['type']>(type: Type): ResourceKind<ReadingOf<Type>> {
  return allKinds()[type]
}

function isType(type: string): type is Reading['type'] {
  return Object.hasOwn(allKinds(), type)
}

function allKinds(): Kinds {
  if (registeredKinds === null) throw new Error('Call registerAllResources() of api/json-api/all-resources.ts first.')
  return registeredKinds
}
