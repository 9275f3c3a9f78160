/** What an operator does with packs by command: pack and move what is due now, count, and check. */

import { realNow, type Service } from '../../modules/service.ts'
import { checkPacks, type PackDamage } from './check-packs.ts'
import { movePack } from './move-pack.ts'
import { packSnapshots } from './pack-snapshots.ts'
import { hurryWalks, type PackSums, sumPacks } from './snapshot-packs-sql.ts'

export type { PackDamage, PackSums }

export function readPackSums(service: Service): Promise<PackSums> {
  return sumPacks(service.pool)
}

/**
 * Packs and moves everything that is old enough. `again`: checks all snapshots from the first one, also those that an
 * earlier walk had to leave. `made` is called after each pack and each move.
 */
export async function packAll(
  service: Service,
  of: { readonly again: boolean; readonly made: (done: { packs: number; moved: number }) => void },
): Promise<void> {
  // Whoever starts this knows that no older version serves any more.
  await hurryWalks(service.pool, { now: realNow(service), again: of.again })
  let [packs, moved] = [0, 0]
  while ((await packSnapshots(service)) > 0) of.made({ packs: ++packs, moved })
  while ((await movePack(service)) > 0) of.made({ packs, moved: ++moved })
}

/** Reads every pack. `read` is called after each one with how many were read. */
export async function checkAllPacks(service: Service, read: (packs: number) => void): Promise<readonly PackDamage[]> {
  const broken: PackDamage[] = []
  let packs = 0
  for await (const found of checkPacks(service, service.pool)) {
    broken.push(...found)
    read(++packs)
  }
  return broken
}
