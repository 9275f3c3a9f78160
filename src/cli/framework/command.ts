/** What a command of `npm run landfall` is: its name, its arguments, and what it does. */

import type { Service } from '../../modules/service.ts'
import type { ChartStyle } from './spark.ts'

export interface Option {
  readonly type: 'string' | 'boolean'
  /** Placeholder of the value in the help: `<file or url>`. */
  readonly value?: string
  readonly about: string
  readonly isRequired?: true
}
export type Options = Readonly<Record<string, Option>>

export type OptionValues<Declared extends Options> = {
  readonly [Name in keyof Declared]: Declared[Name] extends { readonly type: 'boolean' }
    ? boolean
    : Declared[Name] extends { readonly isRequired: true }
      ? string
      : string | null
}

/** A token after the command's name: `smdg` in `refdata import smdg`. */
export interface Operand {
  readonly name: string
  readonly about: string
  /** The tokens that are allowed; any token when missing. */
  readonly oneOf?: readonly string[]
  /** The operand may be missing or be given several times. Only for the last operand. */
  readonly isRepeated?: true
}

/** Questions to the person at the terminal. */
export interface Prompt {
  /** The trimmed line; `preset` when the line is empty. */
  readonly ask: (question: string, preset?: string) => Promise<string>
  /** A PEM text may be pasted with all its lines. */
  readonly askSecret: (question: string) => Promise<string>
  readonly close: () => void
}

/** What a command gets: its output, and what it may open. */
export interface Shell {
  /** Writes a line to standard output: the result. */
  readonly print: (line: string) => void
  /** Writes a line to standard error: progress, and errors. */
  readonly log: (line: string) => void
  /** Overwrites one line of the terminal with the progress. Writes nothing when there is no terminal. */
  readonly progress: (line: string) => void
  /** Whether progress is shown on a terminal, where a line can change. */
  readonly isTerminal: boolean
  /** For values that belong to the caller of a server (such as its key) and not to the settings of an installation. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether standard output is a terminal that shows colours. */
  readonly hasColours: boolean
  /** How small curves are shown on standard output. */
  readonly drawing: ChartStyle
  /**
   * The installation of `npm start`, opened at the first use and closed after the command; its sandbox is not started.
   * Throws a readable sentence when there is none.
   */
  readonly openService: () => Promise<Service>
  /** Asks the person at the terminal; null where nobody can answer. Closed after the command. */
  readonly openPrompt: () => Promise<Prompt | null>
  /** For what a command opens by itself: closed after it, also when it is interrupted. The last one is closed first. */
  readonly onClose: (close: () => Promise<unknown>) => void
}

export interface Call<Declared extends Options> {
  readonly operands: readonly string[]
  readonly options: OptionValues<Declared>
  readonly shell: Shell
}

/** 0: success. 1: the command failed, or a check found a fault. 2: the command was called wrongly. */
export type ExitCode = 0 | 1 | 2

interface NamedCommand {
  /** For example `refdata import`. */
  readonly name: string
  /** One line without a full stop. */
  readonly summary: string
}

/**
 * A command as the help lists it. The rest of it is loaded when it is needed: all commands together load the complete
 * program, which takes seconds.
 */
export interface ListedCommand extends NamedCommand {
  readonly load: () => Promise<CommandBody>
}

export interface CommandBody {
  readonly about: string
  readonly operands: readonly Operand[]
  readonly options: Options
  readonly examples: readonly string[]
  readonly run: (call: Call<Options>) => Promise<ExitCode>
}

export type Command = NamedCommand & CommandBody

export async function loadCommand({ name, summary, load }: ListedCommand): Promise<Command> {
  return { name, summary, ...(await load()) }
}

/** The commands of one file, with their summaries. The file exports each under its name: `codesList` is `codes list`. */
export function commandsOf(
  load: () => Promise<object>,
  summaries: Readonly<Record<string, string>>,
): readonly ListedCommand[] {
  return Object.entries(summaries).map(([name, summary]) => ({
    name,
    summary,
    load: async () => {
      const exported = name.replace(/[ -]./g, (joint) => joint.slice(1).toUpperCase())
      // The cast is safe: a test loads every command.
      const body = ((await load()) as Readonly<Record<string, CommandBody | undefined>>)[exported]
      if (body === undefined) throw new Error(`No file exports ${exported}.`)
      return body
    },
  }))
}

/** Makes a command whose `run` knows the types of the options that it declares. */
export function defineCommand<const Declared extends Options>(declared: {
  readonly about?: string
  readonly operands?: readonly Operand[]
  readonly options?: Declared
  readonly examples?: readonly string[]
  readonly run: (call: Call<Declared>) => Promise<ExitCode>
}): CommandBody {
  return {
    ...declared,
    about: declared.about ?? '',
    operands: declared.operands ?? [],
    options: declared.options ?? {},
    examples: declared.examples ?? [],
    // The cast is safe: the options were parsed by the same table from which their type is derived.
    run: (call) => declared.run(call as Call<Declared>),
  }
}

/** The command was called wrongly. The message points to the help, and the exit code is 2. */
export class UsageError extends Error {}
