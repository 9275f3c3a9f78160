/**
 * Converts the tokens of a command line into a command with its operands and options, or into a sentence that names the
 * fault.
 */

import { parseArgs } from 'node:util'
import { findSimilarWord } from '../../domain/geography/nearest.ts'
import {
  type Command,
  type ListedCommand,
  loadCommand,
  type Options,
  type OptionValues,
  UsageError,
} from './command.ts'

export type ParsedArguments =
  | { readonly kind: 'list'; readonly listed: readonly ListedCommand[] }
  | { readonly kind: 'help'; readonly command: Command }
  | { readonly kind: 'version' }
  | {
      readonly kind: 'run'
      readonly command: Command
      readonly operands: readonly string[]
      readonly options: OptionValues<Options>
    }

/** Throws a `UsageError` for an unknown command or option, and for too many or too few operands. */
export async function readArguments(
  args: readonly string[],
  commands: readonly ListedCommand[],
): Promise<ParsedArguments> {
  const leading = args.slice(0, args.findIndex((part) => part.startsWith('-')) >>> 0)
  const wantsHelp = args.includes('--help') || args.includes('-h')
  if (leading.length === 0) {
    const flag = args.find((part) => part !== '--help' && part !== '-h')
    if (flag === '--version' && args.length === 1) return { kind: 'version' }
    if (flag !== undefined) throw new UsageError(`${flag} is not a command: the command comes first.`)
    return { kind: 'list', listed: commands }
  }
  const nameParts = leading[0] === 'help' ? leading.slice(1) : leading
  const command = findCommand(nameParts, commands)
  if (command === null || wantsHelp || leading[0] === 'help') {
    const about = command === null ? commandsUnder(nameParts, commands) : [command]
    if (about.length === 0) throw unknownCommand(nameParts, commands)
    if (command === null && !wantsHelp && leading[0] !== 'help') throw unfinishedCommand(nameParts, about)
    const [only] = about
    return about.length === 1 && only !== undefined
      ? { kind: 'help', command: await loadCommand(only) }
      : { kind: 'list', listed: about }
  }
  return readCall(await loadCommand(command), args.slice(command.name.split(' ').length))
}

function findCommand(nameParts: readonly string[], commands: readonly ListedCommand[]): ListedCommand | null {
  const fitting = commands.filter(({ name }) => `${nameParts.join(' ')} `.startsWith(`${name} `))
  return fitting.toSorted((a, b) => b.name.length - a.name.length)[0] ?? null
}

/** `refdata` means all commands that begin with it. */
function commandsUnder(nameParts: readonly string[], commands: readonly ListedCommand[]): readonly ListedCommand[] {
  return commands.filter(({ name }) => nameParts.length === 0 || name.startsWith(`${nameParts.join(' ')} `))
}

function unknownCommand(nameParts: readonly string[], commands: readonly ListedCommand[]): UsageError {
  const under = commandsUnder(nameParts.slice(0, 1), commands)
  const written = nameParts.slice(0, under.length > 0 ? 2 : 1).join(' ')
  const names = under.length > 0 ? under.map(({ name }) => name) : commands.map(({ name }) => name)
  const groups = under.length > 0 ? [] : names.map((name) => name.split(' ')[0] ?? name)
  return new UsageError(`There is no command ${written}.${formatHint(findSimilarWord(written, [...names, ...groups]))}`)
}

function unfinishedCommand(nameParts: readonly string[], under: readonly ListedCommand[]): UsageError {
  return new UsageError(`${nameParts.join(' ')} needs one more word: ${under.map(({ name }) => name).join(', ')}.`)
}

function readCall(command: Command, args: readonly string[]): ParsedArguments {
  const declared = Object.entries(command.options)
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options: Object.fromEntries(declared.map(([name, { type }]) => [name, { type }])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const values: Record<string, string | boolean | null> = Object.fromEntries(
    declared.map(([name, { type }]) => [name, type === 'boolean' ? false : null]),
  )
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const option = Object.hasOwn(command.options, token.name) ? command.options[token.name] : undefined
    if (option === undefined) throw unknownOption(token.rawName, command)
    if (option.type === 'boolean') {
      if (token.value !== undefined) throw new UsageError(`${token.rawName} takes no value.`)
      values[token.name] = true
      continue
    }
    const isNextOption = token.value?.startsWith('-') === true && token.inlineValue === false && token.value !== '-'
    if (token.value === undefined || token.value === '' || isNextOption)
      throw new UsageError(`${token.rawName} needs a value: ${token.rawName} ${option.value ?? '<value>'}.`)
    if (values[token.name] !== null) throw new UsageError(`${token.rawName} may be given only once.`)
    values[token.name] = token.value
  }
  const missing = declared.find(([name, { isRequired }]) => isRequired === true && values[name] === null)
  checkOperands(command, positionals)
  if (missing !== undefined)
    throw new UsageError(`--${missing[0]} ${missing[1].value ?? '<value>'} is missing: ${missing[1].about}.`)
  // The cast is safe: every declared option has got a value of its type.
  return { kind: 'run', command, operands: positionals, options: values as OptionValues<Options> }
}

function unknownOption(rawName: string, command: Command): UsageError {
  const names = [...Object.keys(command.options), 'help'].map((name) => `--${name}`)
  return new UsageError(`${command.name} has no option ${rawName}.${formatHint(findSimilarWord(rawName, names))}`)
}

function checkOperands({ name, operands }: Command, given: readonly string[]): void {
  const last = operands.at(-1)
  const isOpen = last?.isRepeated === true
  const missing = operands[given.length]
  if (missing !== undefined && missing.isRepeated !== true)
    throw new UsageError(`${name} needs <${missing.name}>: ${missing.oneOf?.join(', ') ?? missing.about}.`)
  const tooMuch = given[operands.length]
  if (tooMuch !== undefined && !isOpen) throw new UsageError(`${name} takes no ${tooMuch}.`)
  for (const [at, part] of given.entries()) {
    const operand = operands[at] ?? last
    if (operand?.oneOf === undefined || operand.oneOf.includes(part)) continue
    throw new UsageError(
      `${part} is not a <${operand.name}> (${operand.oneOf.join(', ')}).${formatHint(findSimilarWord(part, operand.oneOf))}`,
    )
  }
}

function formatHint(nearest: string | null): string {
  return nearest === null ? '' : ` Did you mean ${nearest}?`
}
