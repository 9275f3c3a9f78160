/** Runs one command line: finds the command, opens what it needs, and turns the result into an exit code. */

import { existsSync } from 'node:fs'
import { callIt, startIt } from '../../../platform/call-it.ts'
import { describeCause, findCause } from '../../../platform/causes.ts'
import type { Service } from '../../../service/service.ts'
import { type Asked, readArguments } from './arguments.ts'
import { type ExitCode, type ListedCommand, type Shell, UsageError } from './command.ts'
import { writeHelp, writeList } from './help.ts'
import { drawingOn } from './spark.ts'

/** What the process provides for a command line. */
export interface Outside {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly out: { write(text: string): unknown; readonly isTTY?: boolean }
  readonly err: { write(text: string): unknown; readonly isTTY?: boolean }
  /** Registers what must be closed if the process must end before the command has ended. */
  readonly onClose?: (close: () => Promise<void>) => void
}

export async function runCommand(commands: readonly ListedCommand[], outside: Outside): Promise<ExitCode> {
  const { out, err } = outside
  const opened = openLater(outside)
  outside.onClose?.(opened.close)
  try {
    const asked = await readArguments(outside.args, commands)
    if (asked.kind !== 'run') {
      out.write(`${await writeAnswer(asked)}\n`)
      return 0
    }
    const { command, operands, options } = asked
    return await command.run({ operands, options, shell: makeShell(outside, opened) })
  } catch (error) {
    err.write(`${error instanceof Error ? error.message : String(error)}\n`)
    if (!(error instanceof UsageError)) {
      await tellCause(error, outside)
      return 1
    }
    err.write(`${callIt} --help lists the commands.\n`)
    return 2
  } finally {
    await opened.close()
  }
}

async function writeAnswer(asked: Exclude<Asked, { readonly kind: 'run' }>): Promise<string> {
  if (asked.kind === 'version') return (await import('./version.ts')).writeVersion()
  return asked.kind === 'list' ? writeList(asked.listed) : writeHelp(asked.command)
}

/** Says what the operator can do about the database. Other errors may be of a file that the command was given. */
async function tellCause(error: unknown, { env, err }: Outside): Promise<void> {
  const cause = findCause(error)
  if (cause?.startsWith('database_') !== true) return
  const { readConfig } = await import('../../../platform/config.ts')
  const { nameOf } = await import('../../../service/ground/choices.ts')
  const { says, remedy } = describeCause(cause, nameOf(readConfig(env)))
  err.write(`${says} ${remedy}\n`)
}

function makeShell({ out, err, env }: Outside, opened: ReturnType<typeof openLater>): Shell {
  let isInProgress = false
  const clear = (): void => {
    if (isInProgress) err.write('\r\x1b[K')
    isInProgress = false
  }
  return {
    print: (line) => {
      clear()
      out.write(`${line}\n`)
    },
    tell: (line) => {
      clear()
      err.write(`${line}\n`)
    },
    progress: (line) => {
      if (err.isTTY !== true) return
      clear()
      err.write(line)
      isInProgress = true
    },
    isTerminal: err.isTTY === true,
    env,
    hasColours: out.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
    drawing: drawingOn(out, env),
    openService: opened.service,
    onClose: opened.onClose,
  }
}

function openLater({ env, err }: Outside): {
  readonly service: () => Promise<Service>
  readonly onClose: (close: () => Promise<unknown>) => void
  readonly close: () => Promise<void>
} {
  const closing: (() => Promise<unknown>)[] = []
  let isClosing = false
  let opening: Promise<Service> | null = null
  // Loaded here: the help, and the commands that ask a server, open no installation.
  const open = async (): Promise<Service> => {
    const [{ pino }, { readConfig }, { openInstallation, startInTurn }] = await Promise.all([
      import('pino'),
      import('../../../platform/config.ts'),
      import('../../../service/running/setup/open-installation.ts'),
    ])
    const config = readConfig(env)
    if (config.data.databaseUrl === null && !existsSync(config.data.folder))
      throw new Error(
        `There is no installation in ${config.data.folder}. Start Landfall once (${startIt}), or say where it is with LANDFALL_DATA or DATABASE_URL.`,
      )
    const { service } = await startInTurn(config, () =>
      openInstallation(config, {
        as: 'command',
        logLevel: 'warn',
        logTo: pino.destination({ dest: 2, sync: true }),
        say: (sentence) => err.isTTY === true && void err.write(`${sentence}\n`),
        onClose: (close) => closing.push(close),
        isClosing: () => isClosing,
      }),
    )
    return service
  }
  return {
    service: () => {
      opening ??= open()
      return opening
    },
    onClose: (close) => closing.push(close),
    close: async () => {
      if (isClosing) return
      isClosing = true
      await opening?.catch(() => {})
      for (const close of closing.toReversed()) await close()
    },
  }
}
