/** `npm run landfall -- <command>`: the program behind the command line. */

import { isErrorCode } from '../platform/error-code.ts'
import { commands } from './commands.ts'
import { runCommand } from './framework/run-command.ts'

let close = async (): Promise<void> => {}
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => void close().finally(() => process.exit(code)))

// Who reads the output wants no more of it, as `head` does: that is no fault.
process.stdout.on('error', (error) => {
  if (!isErrorCode(error, 'EPIPE')) throw error
  void close().finally(() => process.exit(0))
})

process.exitCode = await runCommand(commands, {
  args: process.argv.slice(2),
  env: process.env,
  out: process.stdout,
  err: process.stderr,
  input: process.stdin,
  onClose: (undo) => {
    close = undo
  },
})
