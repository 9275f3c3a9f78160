/** The links that a person sets. They stay, whatever its numbers find later. */

import type { Db } from '../../db/database.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { refusedAt } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { type DocumentLink, findLinkable, readLinks, replaceLinks } from './document-links-sql.ts'

/** Undefined: as it is. */
export interface LinkChanges {
  readonly shipmentIds?: readonly string[] | undefined
  readonly containerIds?: readonly string[] | undefined
}

/** Returns whether anything is different now. Throws 422 for what the account does not have. */
export async function setLinks(
  db: Db,
  service: Service,
  of: { readonly accountId: string; readonly documentId: string },
  changes: LinkChanges,
): Promise<boolean> {
  if (changes.shipmentIds === undefined && changes.containerIds === undefined) return false
  const before = await readLinks(db, of)
  const wanted = await computeWantedLinks(db, of.accountId, before, changes)
  const named: { readonly shipmentId: string; readonly containerId: string | null }[] = [
    ...[...wanted.shipments].map((shipmentId) => ({ shipmentId, containerId: null })),
    ...[...wanted.containers].map(([containerId, shipmentId]) => ({ shipmentId, containerId })),
  ]
  const isWanted = (link: DocumentLink): boolean =>
    link.containerId === null ? wanted.shipments.has(link.shipmentId) : wanted.containers.has(link.containerId)
  const links = [
    ...before.map((link) => toPersonLink(link, isWanted(link))),
    ...named
      .filter((each) => !before.some((link) => isSameTarget(link, each)))
      .map((each) => ({
        id: uuidV7(service.clock.now()),
        ...each,
        foundBy: 'person' as const,
        isDenied: false,
      })),
  ]
  if (JSON.stringify(links) === JSON.stringify(before)) return false
  await replaceLinks(db, { ...of, links, at: realNow(service) })
  return true
}

function toPersonLink(link: DocumentLink, isWanted: boolean): DocumentLink {
  // A link that a person removed before, and that nobody sets now, stays removed.
  return { ...link, foundBy: 'person', isDenied: !isWanted }
}

function isSameTarget(
  a: { readonly shipmentId: string; readonly containerId: string | null },
  b: { readonly shipmentId: string; readonly containerId: string | null },
): boolean {
  return a.shipmentId === b.shipmentId && a.containerId === b.containerId
}

interface WantedLinks {
  readonly shipments: ReadonlySet<string>
  /** The shipment of each container. */
  readonly containers: ReadonlyMap<string, string>
}

/** A link to a container includes its shipment. Without its shipment no container stays linked. */
async function computeWantedLinks(
  db: Db,
  accountId: string,
  before: readonly DocumentLink[],
  changes: LinkChanges,
): Promise<WantedLinks> {
  const active = before.filter(({ isDenied }) => !isDenied)
  const known = await findLinkable(db, {
    accountId,
    shipmentIds: changes.shipmentIds ?? [],
    containerIds: changes.containerIds ?? [],
  })
  const at = (name: string, index: number): string => `/data/relationships/${name}/data/${index}/id`
  for (const [index, id] of (changes.shipmentIds ?? []).entries())
    if (!known.shipmentIds.includes(id)) throw refusedAt(at('shipments', index), 'There is no shipment of this id.')
  const shipmentOf = new Map(known.containers.map(({ id, shipmentId }) => [id, shipmentId]))
  for (const [index, id] of (changes.containerIds ?? []).entries())
    if (!shipmentOf.has(id)) throw refusedAt(at('cargos', index), 'There is no container of this id.')
  const shipments = new Set(changes.shipmentIds ?? active.map(({ shipmentId }) => shipmentId))
  if (changes.containerIds !== undefined) {
    for (const shipmentId of shipmentOf.values()) shipments.add(shipmentId)
    return { shipments, containers: shipmentOf }
  }
  const containers = active.flatMap(({ containerId, shipmentId }) =>
    containerId !== null && shipments.has(shipmentId) ? [[containerId, shipmentId] as const] : [],
  )
  return { shipments, containers: new Map(containers) }
}
