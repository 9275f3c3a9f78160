/**
 * The program that `readMailInJail` starts: it reads an e-mail from standard input and writes its content to standard
 * output, as a line of JSON and after it the bytes of the attachments.
 */

import { parseMail } from './parse-mail.ts'

const chunks: Buffer[] = []
for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
const { head, body, parts: attachments } = await parseMail(Buffer.concat(chunks))
const described = attachments.map(({ bytes, ...rest }) => ({ ...rest, size: bytes.length }))
process.stdout.write(`${JSON.stringify({ head, body, parts: described })}\n`)
for (const { bytes } of attachments) process.stdout.write(bytes)
