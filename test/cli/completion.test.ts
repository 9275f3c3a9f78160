// Shell completions, tested with the shells themselves.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { openCommandLine } from '../support/command-line.ts'

const line = openCommandLine(() => ({}))

const hasBash = ((): boolean => {
  try {
    execFileSync('bash', ['-c', 'true'])
    return true
  } catch {
    return false
  }
})()
const options = hasBash ? {} : { skip: 'there is no bash on this machine' }

/** `words`: the typed words; the last one is being completed. */
async function completed(...words: readonly string[]): Promise<readonly string[]> {
  const { out } = await line.call('completion bash')
  const typed = ['landfall', ...words].map((word) => `'${word}'`).join(' ')
  const ask = `COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _landfall; printf '%s\\n' "\${COMPREPLY[@]}"`
  const text = execFileSync('bash', ['-c', `${out}\n${ask}`], { encoding: 'utf8' })
  return text.split('\n').filter(Boolean)
}

test('bash completes commands, subcommands, choices and options', options, async () => {
  assert.deepEqual(await completed('ship'), ['shipments'])
  assert.ok((await completed('')).includes('webhooks'))
  assert.deepEqual(await completed('webhooks', ''), ['check', 'listen'])
  assert.deepEqual(await completed('webhooks', 'listen', '--s'), ['--secret'])
  assert.deepEqual(await completed('completion', 'f'), ['fish'])
  assert.deepEqual(await completed('track', 'MSKU1234565', '--sc'), ['--scac'], 'an operand stands between')
  assert.deepEqual(await completed('nothing', 'x'), [])
})

test('fish and zsh have completions, and another shell is refused by name', async () => {
  const fish = await line.call('completion fish')
  assert.match(fish.out, /^complete -c landfall -f -n __fish_use_subcommand -a track -d '/m)
  assert.match((await line.call('completion zsh')).out, /^autoload -Uz \+X bashcompinit/)
  const wrong = await line.call('completion tcsh')
  assert.deepEqual([wrong.code, wrong.out], [2, ''])
})
