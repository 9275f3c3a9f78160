/** What is true of the world, by the REST API, and what is asked about: chosen by rules, so that any seed will do. */

import type { WireResource } from '../test/support/api.ts'
import type { Json } from './agents-client.ts'
import type { AgentsWorld } from './agents-world.ts'

export interface Facts {
  readonly world: AgentsWorld
  readonly now: string
  readonly containers: readonly WireResource[]
  readonly shipments: readonly WireResource[]
  readonly requests: readonly WireResource[]
  readonly shipmentOf: (container: WireResource) => WireResource
  /** The first container that has this, of a number that occurs once. */
  readonly box: (has: (attributes: Json, container: WireResource) => boolean, nth?: number) => WireResource
  readonly shipment: (has: (attributes: Json, shipment: WireResource) => boolean, nth?: number) => WireResource
}

export async function readFacts(world: AgentsWorld): Promise<Facts> {
  const [containers, shipments, requests] = [
    inOrder(await world.all('containers'), 'number'),
    inOrder(await world.all('shipments'), 'bill_of_lading_number'),
    inOrder(await world.all('tracking_requests'), 'request_number'),
  ]
  const byId = new Map(shipments.map((each) => [each.id, each]))
  const isOnce = (name: string, among: readonly WireResource[], of: WireResource): boolean =>
    among.filter(({ attributes }) => attributes[name] === of.attributes[name]).length === 1
  const shipmentOf = (container: WireResource): WireResource => {
    const found = byId.get(idIn(container, 'shipment'))
    if (found === undefined) throw new Error('a container without its shipment')
    return found
  }
  const pick = (among: readonly WireResource[], name: string): Facts['box'] => {
    return (has, nth = 0) => {
      const fit = among.filter((each) => isOnce(name, among, each) && has(each.attributes, each))
      const found = fit[nth] ?? fit[0]
      if (found === undefined) throw new Error(`the world has nothing to ask about: ${has}`)
      return found
    }
  }
  return {
    world,
    now: new Date(world.api.clock.now()).toISOString(),
    containers,
    shipments,
    requests,
    shipmentOf,
    box: pick(containers, 'number'),
    shipment: pick(shipments, 'bill_of_lading_number'),
  }
}

/** In an order that is the same in every run. */
function inOrder(all: readonly WireResource[], name: string): readonly WireResource[] {
  return all.toSorted((a, b) => (String(a.attributes[name]) < String(b.attributes[name]) ? -1 : 1))
}

export function idIn(resource: WireResource, relation: string): string {
  const data = resource.relationships?.[relation]?.data as { readonly id?: string } | null | undefined
  return data?.id ?? ''
}

/** A time as REST or a tool writes it, to the second in UTC; a day stays a day. */
export function instant(time: unknown): string | null {
  if (typeof time !== 'string') return null
  if (/^\d{4}-\d{2}-\d{2}$/.test(time)) return time
  return new Date(time.replace(/[⟦⟧]|\[.*\]$/g, '')).toISOString().slice(0, 19)
}

/** The day at the place of a time of REST. */
export function dayAt(time: unknown, zone: unknown): string | null {
  if (typeof time !== 'string') return null
  return new Intl.DateTimeFormat('en-CA', { timeZone: typeof zone === 'string' ? zone : 'UTC' }).format(new Date(time))
}

export function counted(values: readonly unknown[]): Json {
  const counts = new Map<string, number>()
  for (const each of values.map(String)) counts.set(each, (counts.get(each) ?? 0) + 1)
  return Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

export function sorted(values: readonly unknown[]): readonly string[] {
  return values.map(String).toSorted()
}

/** Whole hours from the first to the second time; null where one is missing. */
export function hoursBetween(from: unknown, to: unknown): number | null {
  const [a, b] = [instant(from), instant(to)]
  return a === null || b === null ? null : Math.round((Date.parse(`${b}Z`) - Date.parse(`${a}Z`)) / 3_600_000)
}
