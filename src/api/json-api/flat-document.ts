/**
 * The flat view (`Accept: application/json;profile=flat`). A resource is one object: its attributes are beside `id` and
 * `type`. An included relation is a nested object; of any other relation there is only the identifier.
 */

import { type Identifier, type Linkage, resourceKeyOf } from '../shape/resource-kind.ts'
import { attributesOf, type Fieldsets, metaOf, type Provenance } from './document.ts'
import { kindOf } from './find-kind.ts'
import type { IncludeTree, Inclusion } from './include.ts'
import type { Reading } from './resource-kinds.ts'

export type FlatObject = Readonly<Record<string, unknown>>

export interface FlatParts {
  readonly primary: readonly Reading[]
  readonly inclusion: Inclusion | null
  readonly include: IncludeTree | null
  readonly fields: Fieldsets
  readonly provenance?: Provenance | undefined
}

/** One object for each of the primary readings. */
export function writeFlat(parts: FlatParts): readonly FlatObject[] {
  const known = new Map(
    [...parts.primary, ...(parts.inclusion?.included ?? [])].map((each) => [resourceKeyOf(each), each]),
  )
  return parts.primary.map((reading) => flattenReading(reading, parts.include ?? {}, { ...parts, known }))
}

type FlatContext = FlatParts & { readonly known: ReadonlyMap<string, Reading> }

/** `tree` is what to include below this reading. It is finite, so the nesting ends. */
function flattenReading(reading: Reading, tree: IncludeTree, parts: FlatContext): FlatObject {
  const wanted = parts.fields.get(reading.type)
  const isWanted = (name: string): boolean => wanted === undefined || wanted.has(name)
  const kind = kindOf(reading)
  const attributes = Object.entries(attributesOf(reading)).filter(([name]) => isWanted(name))
  const found: Readonly<Record<string, Linkage>> = parts.inclusion?.linkage.get(reading) ?? {}
  const links: Readonly<Record<string, Linkage>> = { ...kind.link(reading), ...found }
  // A relation that `include` names is shown even if `fields` does not name it: in this view it can only be nested.
  const relations = Object.entries(links)
    .filter(([name]) => isWanted(name) || tree[name] !== undefined)
    .map(([name, linkage]) => [name, nestLinkage(linkage, tree[name], parts)])
  // `meta` is omitted when `fields` names the fields of this type.
  const meta = wanted === undefined ? metaOf(reading, parts.provenance) : {}
  return {
    id: reading.id,
    type: reading.type,
    ...Object.fromEntries(attributes),
    ...Object.fromEntries(relations),
    ...(Object.keys(meta).length === 0 ? {} : { meta }),
  }
}

function nestLinkage(linkage: Linkage, tree: IncludeTree | undefined, parts: FlatContext): unknown {
  if (linkage === null) return null
  const one = (identifier: Identifier): FlatObject => {
    const reading = tree === undefined ? undefined : parts.known.get(resourceKeyOf(identifier))
    return reading === undefined ? { ...identifier } : flattenReading(reading, tree ?? {}, parts)
  }
  return isMany(linkage) ? linkage.map(one) : one(linkage)
}

function isMany(linkage: Identifier | readonly Identifier[]): linkage is readonly Identifier[] {
  return Array.isArray(linkage)
}
