/** JSON:API documents: converts readings into resources with their linkage, reduced to the requested fields. */

import type { ValueExplanation } from '../../modules/provenance/value-explanation.ts'
import type { Linkage, ResourceType } from '../shape/resource-kind.ts'
import { makeTimeWriters } from '../shape/whole-times.ts'
import { findKind, kindOf } from './find-kind.ts'
import type { Inclusion } from './include.ts'
import type { Reading } from './resource-kinds.ts'

interface Resource {
  readonly id: string
  readonly type: ResourceType
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, Relationship>>
  readonly links?: Readonly<Record<string, string>>
  readonly meta?: Readonly<Record<string, unknown>>
}

interface Relationship {
  readonly data?: Linkage
  readonly links?: { readonly related: string }
  readonly meta?: { readonly has_more: true }
}

/**
 * Names of the fields (attributes and relationships) to show, by type. A type without an entry shows all its fields.
 */
export type Fieldsets = ReadonlyMap<string, ReadonlySet<string>>

export interface DocumentParts {
  readonly data: Reading | readonly Reading[]
  readonly inclusion: Inclusion | null
  readonly fields: Fieldsets
  /** Scheme, host and `/v2`, for links. */
  readonly base: string
  readonly provenance?: Provenance | undefined
}

/** The sources of the values, by reading. Only for readings whose provenance was requested. */
export type Provenance = ReadonlyMap<Reading, readonly ValueExplanation[]>

export interface JsonApiDocument {
  readonly data: Resource | readonly Resource[]
  readonly included?: readonly Resource[]
  readonly links?: Readonly<Record<string, string>>
  readonly meta?: Readonly<Record<string, unknown>>
}

export function writeDocument(parts: DocumentParts): JsonApiDocument {
  const write = (reading: Reading) => writeResource(reading, parts)
  const data = Array.isArray(parts.data) ? parts.data.map(write) : write(parts.data as Reading)
  const included = parts.inclusion?.included ?? null
  return included === null ? { data } : { data, included: included.map(write) }
}

function writeResource(reading: Reading, parts: DocumentParts): Resource {
  const wanted = parts.fields.get(reading.type)
  const attributes = pickWanted(attributesOf(reading), wanted)
  const relationships = pickWanted(writeRelationships(reading, parts), wanted)
  const meta = metaOf(reading, parts.provenance)
  const { self, moreLinks = {} } = kindOf(reading)
  const more = Object.entries(moreLinks).map(([name, path]) => [name, parts.base + path(reading)])
  return {
    id: reading.id,
    type: reading.type,
    attributes,
    ...(Object.keys(meta).length === 0 ? {} : { meta }),
    ...(Object.keys(relationships).length === 0 ? {} : { relationships }),
    ...(self === undefined ? {} : { links: { self: parts.base + self(reading), ...Object.fromEntries(more) } }),
  }
}

/** Cached: a reading never changes, so its attributes are written only once for as long as it exists. */
const written = new WeakMap<Reading, Readonly<Record<string, unknown>>>()

export function attributesOf(reading: Reading): Readonly<Record<string, unknown>> {
  const known = written.get(reading)
  if (known !== undefined) return known
  const { type, write } = kindOf(reading)
  const attributes = writeTimes(write(reading), timesIn(type).attributes)
  written.set(reading, attributes)
  return attributes
}

export function metaOf(reading: Reading, provenance: Provenance | undefined): Readonly<Record<string, unknown>> {
  const { type, meta } = kindOf(reading)
  return meta === undefined ? {} : writeTimes(meta.write(reading, provenance?.get(reading)), timesIn(type).meta)
}

type TimeWriters = ReturnType<typeof makeTimeWriters>
const timeWriters = new Map<ResourceType, { readonly attributes: TimeWriters; readonly meta: TimeWriters }>()

/** The writers for those attributes of the type that contain times, found once for each type. */
function timesIn(type: ResourceType) {
  const known = timeWriters.get(type)
  if (known !== undefined) return known
  const kind = findKind(type)
  const found = {
    attributes: makeTimeWriters(kind?.attributes ?? {}),
    meta: makeTimeWriters(kind?.meta?.properties ?? {}),
  }
  timeWriters.set(type, found)
  return found
}

function writeTimes(values: Readonly<Record<string, unknown>>, writers: TimeWriters) {
  const written: Record<string, unknown> = { ...values }
  for (const [name, write] of writers) if (Object.hasOwn(written, name)) written[name] = write(written[name])
  return written
}

function writeRelationships(reading: Reading, { inclusion, base }: DocumentParts): Record<string, Relationship> {
  const kind = kindOf(reading)
  const known = kind.link(reading)
  const found = inclusion?.linkage.get(reading)
  const cut = inclusion?.cut.get(reading)
  const related = kind.related?.(reading)
  const relationships: Record<string, Relationship> = {}
  for (const name of Object.keys(kind.relations)) {
    const data = found?.[name] !== undefined ? found[name] : known[name]
    const path = related?.[name]
    if (data === undefined && path === undefined) continue
    relationships[name] = {
      ...(data === undefined ? {} : { data }),
      ...(path === undefined ? {} : { links: { related: base + path } }),
      ...(cut?.includes(name) ? { meta: { has_more: true } } : {}),
    }
  }
  return relationships
}

function pickWanted<Value>(values: Readonly<Record<string, Value>>, wanted: ReadonlySet<string> | undefined) {
  if (wanted === undefined) return values
  return Object.fromEntries(Object.entries(values).filter(([name]) => wanted.has(name)))
}
