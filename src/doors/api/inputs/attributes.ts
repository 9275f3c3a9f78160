/** Attributes that several bodies have, and how a resource's read-only ones are told from unknown ones. */

import { type TSchema, Type } from 'typebox'
import { findKind } from '../../documents/resources.ts'
import type { ResourceType } from '../../documents/shape/resource.ts'

/** Numbers and tags are short texts; what is longer is a mistake. Null is none of them. */
export const shortTexts = Type.Unsafe<readonly string[] | null>({
  type: ['array', 'null'],
  items: { type: 'string', maxLength: 200 },
  maxItems: 100,
})

/** Attributes that the resource shows but this body cannot write. */
export function readOnlyOf(type: ResourceType, writable: TSchema): ReadonlySet<string> {
  const properties = (writable as { readonly properties?: object }).properties ?? {}
  return new Set(
    Object.keys(findKind(type)?.attributes ?? {}).filter((name) => !Object.hasOwn(properties, name)),
  )
}

export const closed = { additionalProperties: false } as const
