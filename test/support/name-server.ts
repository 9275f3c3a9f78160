/** A name server on loopback that answers from a table over UDP (RFC 1035), for tests of SPF and DKIM. */

import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export interface NameServer {
  /** For LANDFALL_MAIL_IN_DNS. */
  readonly address: string
  /** Texts by name, in lower case. A name that is not there does not exist. */
  readonly texts: Map<string, string>
  /** Names for which the server says that it cannot answer now. */
  readonly failing: Set<string>
  /** Every name that was asked for, in order. */
  readonly asked: string[]
  readonly close: () => Promise<void>
}

const [noError, serverFails, noSuchName] = [0, 2, 3]
const textType = 16

export async function openNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4')
  const texts = new Map<string, string>()
  const failing = new Set<string>()
  const asked: string[] = []
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query)
    asked.push(name)
    const text = type === textType ? texts.get(name) : undefined
    const code = failing.has(name) ? serverFails : texts.has(name) ? noError : noSuchName
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(0x8180 | code, 2)
    head.writeUInt16BE(text === undefined || code !== noError ? 0 : 1, 6)
    head.writeUInt32BE(0, 8)
    const answer = text === undefined || code !== noError ? Buffer.alloc(0) : writeText(text)
    socket.send(Buffer.concat([head, query.subarray(12, end), answer]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    texts,
    failing,
    asked,
    close: () => new Promise((closed) => socket.close(() => closed())),
  }
}

function readQuestion(query: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** One record of type TXT whose name is that of the question. */
function writeText(text: string): Buffer {
  const pieces = text.match(/.{1,250}/gs) ?? ['']
  const data = Buffer.concat(pieces.map((piece) => Buffer.concat([Buffer.of(piece.length), Buffer.from(piece)])))
  const record = Buffer.alloc(12)
  record.writeUInt16BE(0xc00c, 0)
  record.writeUInt16BE(textType, 2)
  record.writeUInt16BE(1, 4)
  record.writeUInt16BE(data.length, 10)
  return Buffer.concat([record, data])
}
