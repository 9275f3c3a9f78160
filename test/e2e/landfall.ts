/** A command as an operator runs it, beside a running program or without one. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { commands } from '../../src/cli/commands.ts'
import { runCommand } from '../../src/cli/framework/run-command.ts'
import { root } from './program.ts'

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** In this process. */
export async function landfall(
  dataFolder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await runCommand(commands, {
    args,
    env: { LANDFALL_DATA: dataFolder, ...env },
    out: { write: (text) => out.push(text) },
    err: { write: (text) => err.push(text) },
  })
  return { code, out: out.join(''), err: err.join('') }
}

/** In a separate process, which loads all that it needs: only for a few commands. */
export async function landfallApart(
  dataFolder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [join(root, 'src/cli/landfall.ts'), ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], LANDFALL_DATA: dataFolder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out, err }
}
