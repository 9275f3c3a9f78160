/** Arguments that several tools have: ids, pages, filters. */

import { Type } from '../../platform/json-schema.ts'

export const closed = { additionalProperties: false } as const

/** An id, or a number as people know it. `ids` of the tool states what it is of; `lists/read-id.ts` finds it. */
export const id = Type.String({ description: 'Id or number' })

export const uuid = Type.String({ format: 'uuid', description: 'Id, from a list' })

export function oneOf<const T extends string>(values: readonly T[], description: string) {
  return Type.Unsafe<T>({ type: 'string', enum: values, description })
}

/** The tool's description lists the allowed names; others are refused. Values of other types are converted to text. */
export const filters = Type.Optional(
  Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    description: 'Names and values; lines and ports by name or code',
  }),
)

/** A text that is no time is refused later, where it is read. */
export const after = Type.Optional(Type.String({ description: 'Since (ISO 8601)' }))

/** A page never has more than 100 items, even if more are requested. */
export const paging = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1e5, description: 'From 1' })),
  page_size: Type.Optional(Type.Integer({ minimum: 1, description: '100 at most; by default what fits into 4 KB' })),
}

/** For what is told in order of time: the newest. */
export const newest = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 500, description: 'Newest events; by default those that fit into 4 KB' }),
)

const pageSizeMax = 100

export function readPage(input: { readonly page?: number; readonly page_size?: number }) {
  return { number: input.page ?? 1, size: Math.min(input.page_size ?? 25, pageSizeMax) }
}
