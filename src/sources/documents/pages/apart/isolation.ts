/**
 * How far this machine lets us shut a process in: whether it can be without any network, and whether the system itself
 * bounds its memory. Both need nothing but what Linux usually has (`unshare`, `sh`); where it has not, we say so.
 */

import { spawnSync } from 'node:child_process'

export interface Isolation {
  /** The process has a network of its own, with nothing in it. */
  readonly hasNoNetwork: boolean
  /** The system ends what takes more memory than it may. The limits of Node and WebAssembly hold in any case. */
  readonly hasMemoryLimit: boolean
  /** For the log and for people, in a sentence. */
  readonly sentence: string
}

/** The one that maps nobody else's rights is best; a container may allow only one of them, or none. */
const ways = [
  ['unshare', '--user', '--map-current-user', '--net', '--'],
  ['unshare', '--user', '--map-root-user', '--net', '--'],
  ['unshare', '--net', '--'],
  [],
] as const

let known: { readonly isolation: Isolation; readonly way: readonly string[] } | null = null

/** Tried once, with a process of some milliseconds, and remembered. */
export function isolationOf(): Isolation {
  return probe().isolation
}

/** The command that starts `command` shut in as far as this machine lets us; nothing of it is read as a shell would. */
export function shutIn(
  command: readonly string[],
  limits: { readonly memoryMb: number; readonly processorSeconds: number },
): readonly string[] {
  const { way, isolation } = probe()
  const shell = isolation.hasMemoryLimit ? ['sh', '-c', limitsOf(limits), 'sh'] : []
  return [...way, ...shell, ...command]
}

/**
 * `-d`: writable memory of its own. Not `-v`: WebAssembly reserves many gigabytes of addresses that it never uses. `-t`
 * ends a process whose parent is gone. `-c`: no core dump, for it would hold somebody's document. `-f`: no file grows.
 */
function limitsOf({ memoryMb, processorSeconds }: Parameters<typeof shutIn>[1]): string {
  const limits = [`-d ${memoryMb * 1_024}`, `-t ${processorSeconds}`, '-c 0', '-f 0']
  return `${limits.map((limit) => `ulimit ${limit}`).join(' && ')} && exec "$@"`
}

function probe(): NonNullable<typeof known> {
  known ??= findWay()
  return known
}

function findWay(): NonNullable<typeof known> {
  const isLinux = process.platform === 'linux'
  const way = ways.find((each) => each.length === 0 || (isLinux && works([...each, 'true']))) ?? []
  const hasNoNetwork = way.length > 0
  const limits = limitsOf({ memoryMb: 2_048, processorSeconds: 10 })
  const hasMemoryLimit = isLinux && works(['sh', '-c', limits, 'sh', 'true'])
  const network = hasNoNetwork
    ? 'without a network'
    : 'that have a network, though nothing in them uses it (this machine does not allow `unshare --net`)'
  const memory = hasMemoryLimit
    ? 'the system bounds their memory'
    : 'only Node and WebAssembly bound their memory'
  return {
    way,
    isolation: {
      hasNoNetwork,
      hasMemoryLimit,
      sentence: `Documents are read in processes ${network}; ${memory}.`,
    },
  }
}

function works([program = '', ...rest]: readonly string[]): boolean {
  return spawnSync(program, rest, { stdio: 'ignore', env: {}, timeout: 5_000 }).status === 0
}
