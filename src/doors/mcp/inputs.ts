/** What several tools take: ids, pages. */

import { Type } from 'typebox'

export const closed = { additionalProperties: false } as const

export const id = Type.String({ format: 'uuid' })

export function oneOf<const T extends string>(values: readonly T[]) {
  return Type.Unsafe<T>({ type: 'string', enum: values })
}

/** Which names there are is told in the tool's description; others come back in the answer. */
export const filters = Type.Optional(Type.Record(Type.String(), Type.String()))

/** What is no time is refused where it is read. */
export const after = Type.Optional(Type.String({ description: 'ISO 8601' }))

/** No page is longer than 100, whatever is asked. */
export const paging = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1e5 })),
  page_size: Type.Optional(Type.Integer({ minimum: 1 })),
}

const pageSizeMax = 100

export function readPage(input: { readonly page?: number; readonly page_size?: number }) {
  return { number: input.page ?? 1, size: Math.min(input.page_size ?? 25, pageSizeMax) }
}
