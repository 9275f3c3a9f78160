/**
 * Joins the resources of a JSON:API document: one plain object for each, with its attributes and the resources that were
 * included at the names of their relationships. `shipment.containers[0].pod_terminal?.name` needs no second look-up.
 */

import type { Resources } from './description.generated.ts'

export type ResourceType = keyof Resources
type AttributesOf<Type extends ResourceType> = Resources[Type]['attributes']
type MetaOf<Type extends ResourceType> = Resources[Type] extends { readonly meta?: infer Meta } ? Meta : undefined
type RelationshipsOf<Type extends ResourceType> = Resources[Type] extends {
  readonly relationships?: infer All
}
  ? NonNullable<All>
  : Record<never, never>
type LinkedBy<Relationship> =
  NonNullable<Relationship> extends { readonly data?: infer Data } ? NonNullable<Data> : never
type TypeNamed<Linked> = Linked extends { readonly type: infer Type } ? Extract<Type, ResourceType> : never
/** The types of the resources that a relationship can lead to. */
type TypesOf<Relationship> =
  LinkedBy<Relationship> extends readonly (infer Item)[] ? TypeNamed<Item> : TypeNamed<LinkedBy<Relationship>>

type Name<Type extends ResourceType> = keyof RelationshipsOf<Type> & string
type Next<Type extends ResourceType, Path> = {
  [At in Name<Type>]: At | (Path extends 'end' ? never : `${At}.${Path & string}`)
}[Name<Type>]
/** Paths for `include`, up to three relations deep: `containers.pod_terminal`. */
export type IncludePath<Type extends ResourceType> = Type extends ResourceType
  ? { [At in Name<Type>]: At | `${At}.${Second<TypesOf<RelationshipsOf<Type>[At]>>}` }[Name<Type>]
  : never
type Second<Type extends ResourceType> = Type extends ResourceType
  ? { [At in Name<Type>]: At | `${At}.${Third<TypesOf<RelationshipsOf<Type>[At]>>}` }[Name<Type>]
  : never
type Third<Type extends ResourceType> = Type extends ResourceType ? Next<Type, 'end'> : never

type FirstOf<Path> = Path extends `${infer First}.${string}` ? First : Path
type RestOf<Path, First> = Path extends `${First & string}.${infer Rest}` ? Rest : never
type Related<Relationship, Path extends string> =
  LinkedBy<Relationship> extends readonly unknown[]
    ? readonly Joined<TypesOf<Relationship>, Path>[]
    : Joined<TypesOf<Relationship>, Path> | null

/**
 * A resource with what `Path` includes. Null is what is known to be absent. All attributes are there unless `fields` was
 * given; then those that were not asked for are missing.
 */
export type Joined<Type extends ResourceType, Path extends string = never> = Type extends ResourceType
  ? { readonly id: string; readonly type: Type; readonly meta: MetaOf<Type> } & Omit<
      { readonly [At in keyof AttributesOf<Type>]-?: Exclude<AttributesOf<Type>[At], undefined> },
      'id' | 'type'
    > & {
        readonly [At in FirstOf<Path> & Name<Type>]: Related<RelationshipsOf<Type>[At], RestOf<Path, At>>
      }
  : never

export interface Resource {
  readonly id: string
  readonly type: string
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, { readonly data?: Identifier | readonly Identifier[] | null }>>
  readonly meta?: unknown
}
interface Identifier {
  readonly id: string
  readonly type: string
}
export interface ResourceDocument {
  readonly data: Resource | readonly Resource[] | null
  readonly included?: readonly Resource[]
  readonly links?: Readonly<Record<string, string | null>>
  readonly meta?: Readonly<Record<string, unknown>>
}

/** The names below a resource that are joined; null joins all that is included, and never goes back to where it came from. */
export type Tree = Branches | null
interface Branches {
  [name: string]: Branches
}

export function treeOf(include: readonly string[]): Tree {
  const tree: Branches = {}
  for (const path of include) {
    let at = tree
    for (const part of path.split('.')) {
      const below = at[part] ?? {}
      at[part] = below
      at = below
    }
  }
  return tree
}

/** What is joined has the shape of `Joined`, by the API's own description. */
export function joinResources({ data, included = [] }: ResourceDocument, tree: Tree): readonly unknown[] {
  const primary = data === null ? [] : Array.isArray(data) ? (data as readonly Resource[]) : [data as Resource]
  const byKey = new Map([...included, ...primary].map((each) => [keyOf(each), each]))
  return primary.map((each) => join(each, { byKey, tree, above: [] }))
}

interface Place {
  readonly byKey: ReadonlyMap<string, Resource>
  readonly tree: Tree
  readonly above: readonly string[]
}

function join(resource: Resource, { byKey, tree, above }: Place): unknown {
  const path = [...above, keyOf(resource)]
  const related = Object.entries(resource.relationships ?? {}).flatMap(([name, { data }]) => {
    const below = tree === null ? null : tree[name]
    if (below === undefined || data === undefined) return []
    if (data === null) return [[name, null]]
    const isMany = Array.isArray(data)
    const named = (isMany ? data : [data]) as readonly Identifier[]
    const found = named.flatMap((each) => {
      const resource = byKey.get(keyOf(each))
      if (resource === undefined || (tree === null && path.includes(keyOf(each)))) return []
      return [join(resource, { byKey, tree: below, above: path })]
    })
    if (!isMany && found.length === 0) return tree === null ? [] : [[name, null]]
    return [[name, isMany ? found : found[0]]]
  })
  return {
    ...resource.attributes,
    id: resource.id,
    type: resource.type,
    meta: resource.meta,
    ...Object.fromEntries(related),
  }
}

function keyOf({ type, id }: Identifier): string {
  return `${type} ${id}`
}
