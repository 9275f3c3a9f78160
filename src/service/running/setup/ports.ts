/** The ports that a start needs. All ports that it cannot have are reported together, before anything is started. */

import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../../../platform/config.ts'
import { isErrorCode } from '../../../platform/error-code.ts'
import { answersAsSandbox } from '../../../platform/sandbox-process.ts'
import { isSandboxOn, sandboxPort } from '../../ground/choices.ts'

interface WantedPort {
  readonly port: number
  readonly host: string
  /** The setting that changes the port. */
  readonly setting: string
}

/** The sandbox of a process that was killed ends by itself, within moments. */
const sandboxGoneWithinMs = 5_000

/** Throws an error with one sentence for each port that is needed twice or is taken. */
export async function refuseTakenPorts(config: Config): Promise<void> {
  const wanted = wantedPorts(config)
  const faults = wanted.flatMap((one, n) =>
    wanted
      .slice(n + 1)
      .filter(({ port }) => port === one.port)
      .map(({ setting }) => `${one.setting} and ${setting} are both ${one.port}. One of them must move.`),
  )
  for (const each of wanted) {
    const state = await stateOf(each)
    if (state === 'taken') faults.push(portTaken(each))
    // A sandbox that runs has the port for ships' positions too, which comes last in the list.
    if (state === 'shared') break
  }
  if (faults.length > 0) throw new Error(faults.join('\n'))
}

export function portTaken({ port, host, setting }: WantedPort): string {
  return `Port ${port} of ${host} is taken. ${setting} moves it.`
}

const sandboxSetting = 'LANDFALL_SANDBOX_PORT'

function wantedPorts(config: Config): readonly WantedPort[] {
  const { host, port, mcpPort, role } = config.server
  const near = '127.0.0.1'
  const isSandbox = isSandboxOn(config, join(config.data.folder, 'carriers.json'))
  const wanted = [
    ...(role === 'worker'
      ? []
      : [
          { host, port, setting: 'LANDFALL_PORT' },
          { host, port: mcpPort, setting: 'LANDFALL_MCP_PORT' },
          {
            host: config.mailIn.host ?? host,
            port: config.mailIn.port ?? 0,
            setting: 'LANDFALL_MAIL_IN_PORT',
          },
        ]),
    ...(isSandbox
      ? [
          { host: near, port: sandboxPort(config), setting: sandboxSetting },
          { host: near, port: config.sandbox.aisPort, setting: 'LANDFALL_SANDBOX_AIS_PORT' },
        ]
      : []),
  ]
  return wanted.filter(({ port: wish }) => wish !== 0)
}

/** `shared`: a sandbox runs there already. Whether it is ours is found out later, from the time that it shows. */
async function stateOf(wanted: WantedPort): Promise<'free' | 'shared' | 'taken'> {
  for (const until = Date.now() + sandboxGoneWithinMs; ; await pause(200)) {
    if (await isFree(wanted)) return 'free'
    if (wanted.setting !== sandboxSetting || Date.now() > until) return 'taken'
    if (await answersAsSandbox(wanted.port)) return 'shared'
  }
}

async function isFree({ port, host }: WantedPort): Promise<boolean> {
  const server = createServer()
  try {
    server.listen({ port, host, exclusive: true })
    await once(server, 'listening')
    return true
  } catch (error) {
    // Any other obstacle is reported by the server that will really listen there.
    return !isErrorCode(error, 'EADDRINUSE')
  } finally {
    server.close()
  }
}
