// Writes docs/cli.md from the table of commands. Run it after a change there; a test compares the two.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { commands } from '../src/cli/commands.ts'
import { loadCommand } from '../src/cli/framework/command.ts'
import { writeCommandsPage } from '../src/cli/framework/help.ts'

const page = new URL('../docs/cli.md', import.meta.url)
writeFileSync(page, writeCommandsPage(await Promise.all(commands.map(loadCommand))))
console.log(`Written: ${fileURLToPath(page)}`)
