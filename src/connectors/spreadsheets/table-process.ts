/**
 * The program that `readTableInJail` starts: it reads a file from standard input and writes the reading to standard
 * output.
 */

import { readTable } from './read-table.ts'
import type { TableChoice } from './table.ts'

const chunks: Buffer[] = []
for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
const choice = JSON.parse(process.argv[2] ?? '') as TableChoice
process.stdout.write(JSON.stringify(await readTable(Buffer.concat(chunks), choice)))
