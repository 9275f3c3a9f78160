/**
 * The program that `readMailApart` starts: it reads an e-mail from standard input and writes what it contains to
 * standard output, as a line of JSON and after it the bytes of the parts.
 */

import { takeMailApart } from './take-mail-apart.ts'

const chunks: Buffer[] = []
for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
const { head, body, parts } = await takeMailApart(Buffer.concat(chunks))
const described = parts.map(({ bytes, ...rest }) => ({ ...rest, size: bytes.length }))
process.stdout.write(`${JSON.stringify({ head, body, parts: described })}\n`)
for (const { bytes } of parts) process.stdout.write(bytes)
