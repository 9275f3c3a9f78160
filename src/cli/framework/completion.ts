/** `landfall completion`: what a shell needs to complete commands and their options. */

import { type Command, type CommandBody, defineCommand, UsageError } from './command.ts'

const shells = ['bash', 'zsh', 'fish'] as const
type ShellName = (typeof shells)[number]

/** `all`: every command of the command line, also this one. */
export function completionOf(all: () => Promise<readonly Command[]>): CommandBody {
  return defineCommand({
    about: `For the program \`landfall\` of the package. Put the line that fits into the file that your shell reads at its start:
  bash: eval "$(landfall completion bash)"
  zsh:  eval "$(landfall completion zsh)"
  fish: landfall completion fish | source`,
    operands: [{ name: 'shell', about: 'bash, zsh or fish', oneOf: shells }],
    examples: ['completion bash'],
    run: async ({ operands, shell }) => {
      const name = shells.find((each) => each === operands[0])
      if (name === undefined) throw new UsageError(`The shell is one of: ${shells.join(', ')}.`)
      shell.print(writeScript(name, await all()))
      return 0
    },
  })
}

function writeScript(shell: ShellName, commands: readonly Command[]): string {
  if (shell === 'fish') return writeFish(commands)
  const script = writeBash(commands)
  // zsh reads completions of bash once this is loaded.
  return shell === 'zsh' ? `autoload -Uz +X bashcompinit && bashcompinit\n${script}` : script
}

/** The tokens that may come next, by those that are there already: `channels` has `create`, `list` and so on. */
function nextTokens(commands: readonly Command[]): ReadonlyMap<string, readonly string[]> {
  const after = new Map<string, Set<string>>()
  for (const { name, operands, options } of commands) {
    const tokens = name.split(' ')
    for (const [at, token] of tokens.entries()) {
      const before = tokens.slice(0, at).join(' ')
      after.set(before, (after.get(before) ?? new Set()).add(token))
    }
    const ownTokens = after.get(name) ?? new Set()
    for (const choice of operands[0]?.oneOf ?? []) ownTokens.add(choice)
    for (const option of [...Object.keys(options), 'help']) ownTokens.add(`--${option}`)
    after.set(name, ownTokens)
  }
  return new Map([...after].map(([before, tokens]) => [before, [...tokens].toSorted()]))
}

/** Searches for the longest beginning of the line that is known, so that options are completed after operands too. */
function writeBash(commands: readonly Command[]): string {
  const cases = [...nextTokens(commands)].map(([before, tokens]) => `    '${before}') found='${tokens.join(' ')}' ;;`)
  return `_landfall() {
  local words='' found='' before='' at
  for ((at = 1; at < COMP_CWORD; at++)); do
    before="\${before:+$before }\${COMP_WORDS[at]}"
    _landfall_after "$before"
    if [ -n "$words" ]; then found="$words"; fi
  done
  if [ "$COMP_CWORD" -le 1 ]; then _landfall_after ''; found="$words"; fi
  COMPREPLY=($(compgen -W "$found" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
_landfall_after() {
  local found=''
  case "$1" in
${cases.join('\n')}
  esac
  words="$found"
}
complete -o default -F _landfall landfall`
}

function writeFish(commands: readonly Command[]): string {
  const lines = commands.flatMap(({ name, summary, options }) => {
    const tokens = name.split(' ')
    const [first = '', second] = tokens
    const about = quoteFish(summary)
    const names =
      second === undefined
        ? [`complete -c landfall -f -n __fish_use_subcommand -a ${first} -d ${about}`]
        : [
            `complete -c landfall -f -n __fish_use_subcommand -a ${first}`,
            `complete -c landfall -f -n '__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${second}' -a ${second} -d ${about}`,
          ]
    const seen = tokens.map((token) => `__fish_seen_subcommand_from ${token}`).join('; and ')
    const optionLines = Object.entries(options).map(
      ([option, { about: text, type }]) =>
        `complete -c landfall -n '${seen}' -l ${option} ${type === 'string' ? '-r ' : ''}-d ${quoteFish(text)}`,
    )
    return [...names, ...optionLines]
  })
  return [...new Set(lines)].join('\n')
}

function quoteFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
