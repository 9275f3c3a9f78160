/** The operator's command line as tests call it, in a data folder of its own. What it prints is returned. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after } from 'node:test'
import { commands } from '../../src/cli/commands.ts'
import { runCommand } from '../../src/cli/framework/run-command.ts'
import { testSecret } from './service.ts'

interface Said {
  readonly code: number
  readonly out: string
  readonly err: string
}

interface CommandLine {
  /** The command is called at a terminal, where somebody answers its questions with these lines. */
  readonly typed: (line: string, answers: readonly string[]) => Promise<Said>
  /** Removed after the tests of the file. */
  readonly folder: string
  readonly landfall: (...args: readonly string[]) => Promise<Said>
  /** `line`: the words of the command, separated by blanks. */
  readonly call: (line: string) => Promise<Said>
}

/**
 * `env` is called at each command, because the database is opened after this function is called. `isTTY`: standard
 * output is a terminal.
 */
export function openCommandLine(env: () => Readonly<Record<string, string>>, { isTTY = false } = {}): CommandLine {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-cli-'))
  after(() => rmSync(folder, { recursive: true }))
  const run = async (args: readonly string[], answers: readonly string[] = [], input?: PassThrough): Promise<Said> => {
    const [out, err]: [string[], string[]] = [[], []]
    const waiting = [...answers]
    const code = await runCommand(commands, {
      args,
      env: { LANDFALL_DATA: folder, LANDFALL_SECRET: testSecret, ...env() },
      out: { write: (text) => out.push(text), isTTY },
      err: {
        write: (text) => {
          err.push(text)
          if (input !== undefined && text.endsWith(': ')) setImmediate(() => input.write(`${waiting.shift() ?? ''}\n`))
        },
      },
      ...(input !== undefined && { input: Object.assign(input, { isTTY: true }) }),
    })
    return { code, out: out.join(''), err: err.join('') }
  }
  const landfall = (...args: readonly string[]): Promise<Said> => run(args)
  const typed = (line: string, answers: readonly string[]): Promise<Said> =>
    run(line.split(' '), answers, new PassThrough())
  return { folder, landfall, call: (line) => landfall(...line.split(' ')), typed }
}
