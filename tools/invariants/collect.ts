/** Everything that must not change, by its kind. No machine, folder or time changes it. */

import { apiGroups } from './api.ts'
import { commandGroups } from './commands.ts'
import type { Group } from './dump-text.ts'
import { literalGroups } from './literals.ts'
import { registryGroups } from './registries.ts'
import { schemaGroups } from './schema.ts'
import { storedKeyGroups } from './stored-keys.ts'

export async function collectGroups(): Promise<readonly Group[]> {
  return [
    ...(await apiGroups()),
    ...(await commandGroups()),
    ...(await registryGroups()),
    ...schemaGroups(),
    ...storedKeyGroups(),
    ...literalGroups(),
  ]
}
