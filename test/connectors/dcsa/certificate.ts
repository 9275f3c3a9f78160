/** A self-signed X.509 certificate for tests, written out in DER: Node makes keys but no certificates. */

import { type KeyObject, sign } from 'node:crypto'

/** With `isLoopback` it is one of a server at 127.0.0.1; `ends`: YYMMDD. */
export function selfSignedCertificate({
  privateKey,
  publicKey,
  isLoopback = false,
  ends = '400101',
}: {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly isLoopback?: boolean
  readonly ends?: string
}): string {
  const algorithm = sequence(objectId('2a864886f70d01010b'), der(0x05, Buffer.alloc(0)))
  const name = sequence(der(0x31, sequence(objectId('550403'), der(0x0c, Buffer.from('test')))))
  const validity = sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from(`${ends}000000Z`)))
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const address = sequence(der(0x87, Buffer.from([127, 0, 0, 1])))
  const extensions = der(0xa3, sequence(sequence(objectId('551d11'), der(0x04, address))))
  const plain = [der(0x02, Buffer.from([1])), algorithm, name, validity, name, spki]
  const version = der(0xa0, der(0x02, Buffer.from([2])))
  const body = isLoopback ? sequence(version, ...plain, extensions) : sequence(...plain)
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]))
  const lines = sequence(body, algorithm, signature).toString('base64').replace(/.{64}/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

function objectId(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
