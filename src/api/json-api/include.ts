/**
 * `include`: converts a comma-separated list of relationship paths into a tree, and follows the tree level by level,
 * with one batch for each relation, for any number of readings at the start. Each resource is included only once.
 */

import type { ContainerWithShipment } from '../../modules/containers/container-with-shipment-sql.ts'
import type { Caller } from '../callers/caller.ts'
import { parameterFault } from '../errors/problem.ts'
import { type Identifier, type Linkage, type Links, type ResourceType, resourceKeyOf } from '../shape/resource-kind.ts'
import { findKind, kindOf } from './find-kind.ts'
import { findFinder } from './finders.ts'
import { type LinkedIds, linkedIdsOf, loadLinkage } from './linkage.ts'
import type { Reading } from './resource-kinds.ts'

/** For each relation, what to include below it. */
export interface IncludeTree {
  readonly [relation: string]: IncludeTree
}

const depthMax = 3

/** Parsed trees. Clients request the same few again and again. */
const parsed = new Map<string, IncludeTree>()
const parsedMax = 500

/** Throws (400, parameter `include`) for a path that does not exist from a resource of this type. */
export function parseInclude(type: ResourceType, text: string): IncludeTree {
  const key = `${type} ${text}`
  const known = parsed.get(key)
  if (known !== undefined) return known
  const tree = readTree(type, text)
  if (parsed.size >= parsedMax) parsed.clear()
  if (text.length <= 500) parsed.set(key, tree)
  return tree
}

interface MutableIncludeTree {
  [relation: string]: MutableIncludeTree
}

function readTree(type: ResourceType, text: string): IncludeTree {
  const tree: MutableIncludeTree = Object.create(null)
  for (const path of text.split(',')) {
    const steps = path.trim().split('.')
    // `include=` alone includes nothing (JSON:API). An empty path in a list is a mistake of the client.
    if (path.trim() === '' && text.trim() === '') continue
    if (path.trim() === '')
      throw parameterFault('malformed', 'include', 'The list has an empty path: there is a comma too many.')
    if (steps.length > depthMax) throw includeFault(path, `is longer than ${depthMax} relations`)
    let types: readonly ResourceType[] = [type]
    let branch = tree
    for (const step of steps) {
      const next = types.flatMap((each) => relationOf(each, step)?.to ?? [])
      if (next.length === 0) throw includeFault(path, `is no relationship path: ${describeRelations(types)}`)
      const further: MutableIncludeTree = branch[step] ?? Object.create(null)
      branch[step] = further
      branch = further
      types = next
    }
  }
  return tree
}

function relationOf(type: ResourceType, name: string) {
  const relations = findKind(type)?.relations ?? {}
  return Object.hasOwn(relations, name) ? relations[name] : undefined
}

/** The relations that would have been possible, for the refusal. */
function describeRelations(types: readonly ResourceType[]): string {
  const names = new Set(types.flatMap((each) => Object.keys(findKind(each)?.relations ?? {})))
  const of = types.join(' or ')
  return names.size === 0 ? `a ${of} has no relations` : `a ${of} has ${[...names].join(', ')}`
}

function includeFault(path: string, why: string) {
  return parameterFault('malformed', 'include', `\`${path.trim().slice(0, 80)}\` ${why}.`)
}

export interface Inclusion {
  /**
   * In the order of the first path that led to each, without the primary data. Null when nothing was to be included.
   */
  readonly included: readonly Reading[] | null
  /** For each reading, the linkage that was found, by relation. */
  readonly linkage: ReadonlyMap<Reading, Links>
  /** For each reading, the relations that have more members than its linkage names. */
  readonly cut: ReadonlyMap<Reading, readonly string[]>
  /** True when some of it was read for this document only: the caller did not have it, and it is no reference data. */
  readonly hasQueried: boolean
}

/** `known` has readings that the caller has already. A relation that leads only to these needs no query. */
export async function resolveInclude(
  caller: Caller,
  primary: readonly Reading[],
  tree: IncludeTree | null,
  known: readonly Reading[] = [],
  /** `isLinked`: also read the linkage that JSON:API documents always show, for the fields that are shown. */
  show: {
    readonly fields?: ReadonlyMap<string, ReadonlySet<string>>
    readonly isLinked?: boolean
    /** Relations whose linkage is shown although they are not included. */
    readonly linked?: readonly string[] | undefined
    /** The primary container with its shipment, when everything that its document links to was loaded with it. */
    readonly whole?: ContainerWithShipment | undefined
    /** What the linkage of the known readings needs. */
    readonly linkedIds?: LinkedIds | undefined
  } = {},
): Promise<Inclusion> {
  const walk = new InclusionBuilder(caller, primary, known)
  if (tree !== null) await walk.follow(primary, tree)
  const included = tree === null ? null : walk.included
  const { linkage, hasQueried } = walk
  await walk.link(primary, show.linked ?? [])
  if (show.isLinked === false) return { included, linkage, cut: new Map(), hasQueried }
  const loaded = await loadLinkage(caller, [...primary, ...walk.included], {
    linkage,
    fields: show.fields ?? new Map(),
    known: { readings: known, linked: show.whole === undefined ? show.linkedIds : linkedIdsOf(show.whole) },
  })
  for (const [reading, { links }] of loaded) linkage.set(reading, { ...links, ...linkage.get(reading) })
  const cut = new Map([...loaded].map(([reading, each]) => [reading, each.cut]))
  return { included, linkage, cut, hasQueried: hasQueried || show.whole === undefined }
}

/** What has been found for one document so far. */
class InclusionBuilder {
  readonly included: Reading[] = []
  readonly linkage = new Map<Reading, Record<string, Linkage>>()
  hasQueried = false
  readonly #caller: Caller
  readonly #seen: Map<string, Reading>
  readonly #known: ReadonlyMap<string, Reading>

  constructor(caller: Caller, primary: readonly Reading[], known: readonly Reading[]) {
    this.#caller = caller
    this.#seen = new Map(primary.map((reading) => [resourceKeyOf(reading), reading]))
    this.#known = new Map(known.map((reading) => [resourceKeyOf(reading), reading]))
  }

  async follow(from: readonly Reading[], tree: IncludeTree): Promise<void> {
    for (const [relation, subtree] of Object.entries(tree)) {
      const reached = new Set<Reading>()
      for (const [type, readings] of byType(from)) {
        for (const reading of await this.#step(type, relation, readings)) reached.add(reading)
      }
      if (reached.size > 0) await this.follow([...reached], subtree)
    }
  }

  /** Finds the linkage of these relations and includes nothing. */
  async link(from: readonly Reading[], relations: readonly string[]): Promise<void> {
    const missing = relations.filter((name) => from.some((reading) => this.linkage.get(reading)?.[name] === undefined))
    const aside = new InclusionBuilder(this.#caller, from, [])
    await aside.follow(from, Object.fromEntries(missing.map((name) => [name, {}])))
    for (const [reading, links] of aside.linkage) this.linkage.set(reading, { ...links, ...this.linkage.get(reading) })
  }

  async #step(type: ResourceType, relation: string, from: readonly Reading[]): Promise<readonly Reading[]> {
    const kind = relationOf(type, relation)
    const find = findFinder(type, relation)
    if (kind === undefined) return []
    const answer = this.#alreadyKnown(relation, from) ?? find?.(this.#caller, from)
    // Reference data is returned at once; a promise means a query.
    if (answer instanceof Promise) this.hasQueried = true
    const found = await answer
    if (found === undefined) return []
    const reached: Reading[] = []
    for (const reading of from) {
      const related = (found.get(reading.id) ?? []).map((each) => this.#keep(each))
      reached.push(...related)
      const identifiers = related.map(({ type, id }): Identifier => ({ type, id }))
      const links = this.linkage.get(reading) ?? {}
      links[relation] = kind.isMany ? identifiers : (identifiers[0] ?? null)
      this.linkage.set(reading, links)
    }
    return reached
  }

  #alreadyKnown(relation: string, from: readonly Reading[]): ReadonlyMap<string, readonly Reading[]> | null {
    if (this.#known.size === 0) return null
    const found = new Map<string, readonly Reading[]>()
    for (const reading of from) {
      const link = kindOf(reading).link(reading)[relation]
      if (link === undefined || link === null) return null
      const linked = [link].flat() as readonly Identifier[]
      const known = linked.flatMap((identifier) => this.#known.get(resourceKeyOf(identifier)) ?? [])
      if (known.length < linked.length) return null
      found.set(reading.id, known)
    }
    return found
  }

  /** Only one reading for each resource: the first that was found. */
  #keep(reading: Reading): Reading {
    const key = resourceKeyOf(reading)
    const seen = this.#seen.get(key)
    if (seen !== undefined) return seen
    this.#seen.set(key, reading)
    this.included.push(reading)
    return reading
  }
}

function byType(readings: readonly Reading[]): Iterable<readonly [Reading['type'], readonly Reading[]]> {
  const [only] = readings
  return readings.length === 1 && only !== undefined
    ? [[only.type, readings]]
    : Map.groupBy(readings, ({ type }) => type)
}
