/** What a command of `npm run landfall` is: its words, what it takes, and what it does with them. */

import type { Service } from '../../../service/service.ts'

export interface Option {
  readonly type: 'string' | 'boolean'
  /** What stands for the value in the help: `<file or url>`. */
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

/** A word after the command's own: `smdg` in `refdata import smdg`. */
export interface Operand {
  readonly name: string
  readonly about: string
  /** The only words it may be; any, when there is no such list. */
  readonly oneOf?: readonly string[]
  /** It may be left out, or be there several times; only the last operand. */
  readonly isRepeated?: true
}

/** Where a command speaks, and what it may open. */
export interface Shell {
  /** A line on standard output: the result. */
  readonly print: (line: string) => void
  /** A line on standard error: progress, and what went wrong. */
  readonly tell: (line: string) => void
  /** Overwrites one line of a terminal with how far it is; says nothing where nobody watches. */
  readonly progress: (line: string) => void
  /** For what is no setting of an installation, but of whoever calls a server. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Standard output is a terminal that shows colours. */
  readonly hasColours: boolean
  /**
   * The installation of `npm start`, opened on first use and closed after the command; its sandbox is not started.
   * Throws a sentence when there is none.
   */
  readonly openService: () => Promise<Service>
}

export interface Call<Declared extends Options> {
  readonly operands: readonly string[]
  readonly options: OptionValues<Declared>
  readonly shell: Shell
}

/** 0: good. 1: it failed, or what was checked is not so. 2: it was called wrongly. */
export type ExitCode = 0 | 1 | 2

export interface Command {
  /** `refdata import`. */
  readonly name: string
  /** One line without a full stop, for the list of commands. */
  readonly summary: string
  readonly about: string
  readonly operands: readonly Operand[]
  readonly options: Options
  readonly examples: readonly string[]
  readonly run: (call: Call<Options>) => Promise<ExitCode>
}

/** Makes a command whose `run` knows the types of the options that it declares. */
export function command<const Declared extends Options>(declared: {
  readonly name: string
  readonly summary: string
  readonly about?: string
  readonly operands?: readonly Operand[]
  readonly options?: Declared
  readonly examples?: readonly string[]
  readonly run: (call: Call<Declared>) => Promise<ExitCode>
}): Command {
  return {
    ...declared,
    about: declared.about ?? '',
    operands: declared.operands ?? [],
    options: declared.options ?? {},
    examples: declared.examples ?? [],
    // Read from the very table that the type is made of.
    run: (call) => declared.run(call as Call<Declared>),
  }
}

/** The command was called wrongly: told with a pointer to the help, exit code 2. */
export class UsageError extends Error {}
