/**
 * The ports that a start needs. All ports that it cannot have are reported together, with free ones, before anything is
 * started.
 */

import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isSandboxOn, sandboxPort } from '../modules/derived-settings.ts'
import type { Config } from '../platform/config.ts'
import { isErrorCode } from '../platform/error-code.ts'
import { answersAsSandbox } from '../platform/sandbox-process.ts'

interface WantedPort {
  readonly port: number
  readonly host: string
  /** The setting that changes the port. */
  readonly setting: string
}

/** The sandbox of a process that was killed ends by itself, within moments. */
const sandboxExitMs = 5_000

/**
 * Throws an error with one sentence for each port that is needed twice or is taken, and the settings that would move
 * all of them to free ports.
 */
export async function refuseOccupiedPorts(config: Config): Promise<void> {
  const wanted = wantedPorts(config)
  const twice = wanted.flatMap((one, n) =>
    wanted.slice(n + 1).flatMap((other) => (other.port === one.port ? [{ one, other }] : [])),
  )
  const occupied: WantedPort[] = []
  for (const each of wanted) {
    const state = await checkPortState(each)
    if (state === 'taken') occupied.push(each)
    // A sandbox that runs has the port for ships' positions too, which comes last in the list.
    if (state === 'shared') break
  }
  const moved = new Set([...twice.map(({ other }) => other), ...occupied])
  if (moved.size === 0) return
  throw new Error(
    [
      ...twice.map(({ one, other }) => `${one.setting} and ${other.setting} are both ${one.port}. Change one of them.`),
      ...occupied.map(describeOccupiedPort),
      ...(await offerFreePorts(config, wanted, moved)),
    ].join('\n'),
  )
}

export function describeOccupiedPort({ port, host, setting }: WantedPort): string {
  return `Port ${port} of ${host} is in use. Set ${setting} to another port.`
}

/** Where the ports that must move could go, all by one step: the pattern of numbers that people know stays. */
async function offerFreePorts(
  config: Config,
  wanted: readonly WantedPort[],
  moved: ReadonlySet<WantedPort>,
): Promise<readonly string[]> {
  const stay = wanted.filter((each) => !moved.has(each)).map(({ port }) => port)
  for (let step = 10; step <= 1_000; step += 10) {
    const used = new Set(stay)
    const offered: string[] = []
    for (const { port, host, setting } of moved) {
      // Ports below 1024 need rights that a newcomer may not have: 80 goes to 8090.
      let next = port + step + (port < 1_024 ? 8_000 : 0)
      while (used.has(next)) next += 1
      if (next > 65_535 || !(await isFree({ port: next, host, setting }))) break
      used.add(next)
      offered.push(`${setting}=${next}`)
    }
    if (offered.length === moved.size && (await hasPortForSandbox(config, offered, used)))
      return [`Free at this moment: ${offered.join(' ')}`]
  }
  return []
}

/** A sandbox whose port nobody set moves along with the API. */
async function hasPortForSandbox(
  config: Config,
  offered: readonly string[],
  used: ReadonlySet<number>,
): Promise<boolean> {
  const api = /^LANDFALL_PORT=(\d+)/m.exec(offered.join('\n'))?.[1]
  const isNamed = offered.some((each) => each.startsWith(sandboxSetting))
  if (api === undefined || isNamed || config.sandbox.port !== null) return true
  const port = sandboxPort({ ...config, server: { ...config.server, port: Number(api) } })
  return !used.has(port) && (await isFree({ port, host: near, setting: sandboxSetting }))
}

const near = '127.0.0.1'
const sandboxSetting = 'LANDFALL_SANDBOX_PORT'

function wantedPorts(config: Config): readonly WantedPort[] {
  const { host, port, mcpPort, role } = config.server
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
    ...(config.metrics.mode === 'off' ? [] : [{ host, port: config.metrics.port, setting: 'LANDFALL_METRICS_PORT' }]),
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
async function checkPortState(wanted: WantedPort): Promise<'free' | 'shared' | 'taken'> {
  for (const until = Date.now() + sandboxExitMs; ; await pause(200)) {
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
