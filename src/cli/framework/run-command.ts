/** Runs one command line: finds the command, opens what it needs, and converts the result into an exit code. */

import { existsSync } from 'node:fs'
import type { Service } from '../../modules/service.ts'
import { callIt, startIt } from '../../platform/call-it.ts'
import { describeOperatorIssue, findOperatorIssue } from '../../platform/operator-issue-kinds.ts'
import { type ParsedArguments, readArguments } from './arguments.ts'
import { type ExitCode, type ListedCommand, type Shell, UsageError } from './command.ts'
import { writeHelp, writeList } from './help.ts'
import { chooseChartStyle } from './spark.ts'

/** What the process provides for a command line. */
export interface ProcessContext {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly out: { write(text: string): unknown; readonly isTTY?: boolean }
  readonly err: { write(text: string): unknown; readonly isTTY?: boolean }
  /** Where a person answers questions; absent where nobody can. */
  readonly input?: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  /** Registers what must be closed if the process must end before the command has ended. */
  readonly onClose?: (close: () => Promise<void>) => void
}

export async function runCommand(commands: readonly ListedCommand[], outside: ProcessContext): Promise<ExitCode> {
  const { out, err } = outside
  const opened = openServiceLazily(outside)
  outside.onClose?.(opened.close)
  try {
    const parsed = await readArguments(outside.args, commands)
    if (parsed.kind !== 'run') {
      out.write(`${await writeAnswer(parsed)}\n`)
      return 0
    }
    const { command, operands, options } = parsed
    return await command.run({ operands, options, shell: makeShell(outside, opened) })
  } catch (error) {
    err.write(`${error instanceof Error ? error.message : String(error)}\n`)
    if (!(error instanceof UsageError)) {
      // A command that only calls a server has no database that could be the cause.
      if (opened.isUsed()) await printCause(error, outside)
      return 1
    }
    err.write(`${callIt} --help lists the commands.\n`)
    return 2
  } finally {
    await opened.close()
  }
}

async function writeAnswer(parsed: Exclude<ParsedArguments, { readonly kind: 'run' }>): Promise<string> {
  if (parsed.kind === 'version') return (await import('./version.ts')).writeVersion()
  return parsed.kind === 'list' ? writeList(parsed.listed) : writeHelp(parsed.command)
}

/** Prints what the operator can do about the database. Other errors may be of a file that the command was given. */
async function printCause(error: unknown, { env, err }: ProcessContext): Promise<void> {
  const cause = findOperatorIssue(error)
  if (cause?.startsWith('database_') !== true) return
  const { readConfig } = await import('../../platform/config.ts')
  const { getInstallationNames } = await import('../../modules/derived-settings.ts')
  const { summary: description, remedy } = describeOperatorIssue(cause, getInstallationNames(readConfig(env)))
  err.write(`${description} ${remedy}\n`)
}

function makeShell({ out, err, env, input }: ProcessContext, opened: ReturnType<typeof openServiceLazily>): Shell {
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
    log: (line) => {
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
    drawing: chooseChartStyle(out, env),
    openService: opened.service,
    openPrompt: async () => {
      if (input?.isTTY !== true) return null
      const { openPrompt } = await import('./prompt.ts')
      const prompt = openPrompt({ input, output: err })
      opened.onClose(async () => prompt.close())
      return prompt
    },
    onClose: opened.onClose,
  }
}

function openServiceLazily({ env, err }: ProcessContext): {
  readonly service: () => Promise<Service>
  readonly isUsed: () => boolean
  readonly onClose: (close: () => Promise<unknown>) => void
  readonly close: () => Promise<void>
} {
  const closing: (() => Promise<unknown>)[] = []
  let isClosing = false
  let opening: Promise<Service> | null = null
  // Loaded here: the help, and the commands that call a server, open no installation.
  const open = async (): Promise<Service> => {
    const [{ pino }, { readConfig }, { openInstallation, startSerially: startInTurn }] = await Promise.all([
      import('pino'),
      import('../../platform/config.ts'),
      import('../../modules/installation/open-installation.ts'),
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
        print: (sentence) => err.isTTY === true && void err.write(`${sentence}\n`),
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
    isUsed: () => opening !== null,
    onClose: (close) => closing.push(close),
    close: async () => {
      if (isClosing) return
      isClosing = true
      await opening?.catch(() => {})
      for (const close of closing.toReversed()) await close()
    },
  }
}
