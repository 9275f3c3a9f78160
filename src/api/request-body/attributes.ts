/** Attributes that several bodies have, and which attributes of a resource are read-only (and not unknown). */

import type { TSchema } from 'typebox'
import { Type } from '../../platform/json-schema.ts'
import type { ResourceKind } from '../shape/resource-kind.ts'

/**
 * A list of short texts, for reference numbers and tags. Longer texts are refused as a mistake. Null means an empty
 * list.
 */
export const shortTexts = Type.Unsafe<readonly string[] | null>({
  type: ['array', 'null'],
  items: { type: 'string', maxLength: 200 },
  maxItems: 100,
})

/** Attributes that the resource shows but this body cannot write. */
export function readOnlyOf(kind: Pick<ResourceKind<never>, 'attributes'>, writable: TSchema): ReadonlySet<string> {
  const properties = (writable as { readonly properties?: object }).properties ?? {}
  return new Set(Object.keys(kind.attributes).filter((name) => !Object.hasOwn(properties, name)))
}

export const closed = { additionalProperties: false } as const
