/** The help of the command line and docs/cli.md, both written from the table of commands. */

import { callIt, startIt } from '../../platform/call-it.ts'
import type { Command, Operand } from './command.ts'

export function writeList(commands: readonly Pick<Command, 'name' | 'summary'>[]): string {
  return [
    `Usage: ${callIt} <command> [options]`,
    '',
    'Commands:',
    ...formatColumns(commands.map(({ name, summary }) => [name, summary])),
    '',
    `Help for one command: ${callIt} <command> --help`,
    `Version of the program and of its schema: ${callIt} --version`,
    'Exit codes: 0 success, 1 failure, 2 wrong arguments.',
  ].join('\n')
}

/** One command in full. */
export function writeHelp({ name, operands, options, summary, about, examples }: Command): string {
  const declared = Object.entries(options)
  const required = declared.filter(([, { isRequired }]) => isRequired === true)
  const usage = [
    callIt,
    name,
    ...operands.map(writeOperand),
    ...required.map(([option, { value }]) => `--${option} ${value ?? '<value>'}`),
    ...(declared.length > required.length ? ['[options]'] : []),
  ]
  const optionLines = declared.map(([option, { type, value, about: what }]): readonly [string, string] => [
    type === 'boolean' ? `--${option}` : `--${option} ${value ?? '<value>'}`,
    what,
  ])
  const operandLines = operands.map((operand): readonly [string, string] => [
    `<${operand.name}>`,
    operand.oneOf === undefined ? operand.about : `${operand.about}: ${operand.oneOf.join(', ')}`,
  ])
  return [
    `Usage: ${usage.join(' ')}`,
    '',
    `${summary}.`,
    ...(about === '' ? [] : ['', about]),
    '',
    ...formatColumns([...operandLines, ...optionLines, ['--help', 'this text']]),
    ...(examples.length === 0 ? [] : ['', 'Examples:', ...examples.map((example) => `  ${callIt} ${example}`)]),
  ].join('\n')
}

function writeOperand({ name, isRepeated }: Operand): string {
  return isRepeated === true ? `[<${name}> …]` : `<${name}>`
}

function formatColumns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}

/** The text of docs/cli.md: each command with its `--help`. */
export function writeCommandsPage(commands: readonly Command[]): string {
  const parts = commands.flatMap((command) => [`## ${command.name}`, '', '```', writeHelp(command), '```', ''])
  return [
    '# The command line',
    '',
    'For operators: every command, with its options and examples.',
    '',
    '```sh',
    `${callIt} keys create "Warehouse system"`,
    '```',
    '',
    'Written by `node tools/run.mjs tools/cli-page.ts` from the commands in `src/server/`; change it there.',
    '',
    `Commands work on the installation that \`${startIt}\` runs: \`DATABASE_URL\`, or the private database in \`LANDFALL_DATA\`.`,
    'They use the database of a running server, and start the database themselves if no server runs. They do not start the sandbox.',
    'Results go to standard output, progress and errors to standard error.',
    '',
    '```',
    writeList(commands),
    '```',
    '',
    ...parts,
  ].join('\n')
}
