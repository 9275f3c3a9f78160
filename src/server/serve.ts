/**
 * One process that serves. The rest of the program is loaded while the private database starts: each of the two takes
 * most of a second; loading uses this process, and the start of the database does not.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findMailFault } from '../modules/email-submissions/mail-place.ts'
import { openInstallation, startSerially } from '../modules/installation/open-installation.ts'
import type { Config } from '../platform/config.ts'
import { openLogTo } from '../platform/log-files.ts'
import { hasSiblings } from '../platform/siblings.ts'
import { refuseOccupiedPorts } from './occupied-ports.ts'
import type { ServeCallbacks } from './run-server.ts'

/** Resolves when it serves. */
export async function serve(config: Config, by: ServeCallbacks): Promise<void> {
  const { notify, onClose, isClosing } = by
  let loading: ReturnType<typeof loadServer> | null = null
  const load = () => {
    loading ??= loadServer(config)
    return loading
  }
  const mailFault = findMailFault(config)
  if (mailFault !== null) throw new Error(mailFault)
  await checkCarriersFile(config)
  const run = await startSerially(config, async () => {
    // The parent has checked the ports of all its processes, and holds them.
    if (!hasSiblings) await refuseOccupiedPorts(config)
    const installation = await openInstallation(config, {
      as: 'server',
      logLevel: config.server.logLevel,
      logTo: openLogTo(config),
      print: notify,
      onClose,
      isClosing,
      // A fault is thrown where the server is needed.
      launched: () => void load().catch(() => {}),
    })
    const { prepareServer, parts } = await load()
    return await prepareServer(installation, parts, by)
  })
  await run()
}

/** Before anything is made for a start that would be refused. Most installations do not have the file. */
async function checkCarriersFile({ data }: Config): Promise<void> {
  const file = join(data.folder, 'carriers.json')
  if (!existsSync(file)) return
  const { readCarriers } = await import('../modules/installation/read-carriers.ts')
  readCarriers(file)
}

async function loadServer(config: Config) {
  const { loadParts, prepareServer } = await import('./run-server.ts')
  return { prepareServer, parts: await loadParts(config) }
}
