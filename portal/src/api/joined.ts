/** Joins the resources of an answer: what a relationship names is found among `included` and the primary data. */

import type { Resources } from '../../../sdk/typescript/src/description.generated.ts'
import type { Answer } from './connection.ts'

interface Identifier<Type extends string> {
  readonly id: string
  readonly type: Type
}
type ToOne<Type extends string> = { readonly data?: Identifier<Type> | null } | undefined
type ToMany<Type extends string> = { readonly data?: readonly Identifier<Type>[] } | undefined
type Found<Type extends string> = Type extends keyof Resources ? Resources[Type] : never

export class Joined {
  readonly #byId = new Map<string, Identifier<string>>()

  constructor({ data, included = [] }: Answer<unknown, unknown>) {
    const primary = (Array.isArray(data) ? data : [data]) as readonly (Identifier<string> | null)[]
    for (const resource of [...(included as readonly Identifier<string>[]), ...primary])
      if (resource !== null) this.#byId.set(`${resource.type} ${resource.id}`, resource)
  }

  /** Null when the relationship is empty, or names a resource that was not included. */
  one<Type extends string>(relationship: ToOne<Type>): Found<Type> | null {
    const named = relationship?.data
    return named === null || named === undefined ? null : this.#find(named)
  }

  many<Type extends string>(relationship: ToMany<Type>): readonly Found<Type>[] {
    return (relationship?.data ?? []).flatMap((named) => this.#find(named) ?? [])
  }

  #find<Type extends string>({ type, id }: Identifier<Type>): Found<Type> | null {
    // safe: the API's description says that a resource of this type has this shape
    return (this.#byId.get(`${type} ${id}`) as Found<Type> | undefined) ?? null
  }
}
