/** The key and certificate for STARTTLS, read from their files, and again when they were renewed. */

import { readFile, stat } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { Config } from '../platform/config.ts'

export interface TlsFiles {
  readonly keyFile: string
  readonly certificateFile: string
}

export interface KeyPair {
  readonly key: Buffer
  readonly cert: Buffer
}

/** Null when STARTTLS is not offered. */
export function tlsFilesOf({ mailIn }: Config): TlsFiles | null {
  const { tlsKeyFile: keyFile, tlsCertificateFile: certificateFile } = mailIn
  return keyFile === null || certificateFile === null ? null : { keyFile, certificateFile }
}

/** Throws when a file cannot be read, or the two do not belong together. */
export async function readKeyPair({ keyFile, certificateFile }: TlsFiles): Promise<KeyPair> {
  const [key, cert] = await Promise.all([readFile(keyFile), readFile(certificateFile)])
  createSecureContext({ key, cert })
  return { key, cert }
}

/** Distinguishes one state of the files from the next. */
export async function fingerprintFiles({ keyFile, certificateFile }: TlsFiles): Promise<string> {
  const [key, certificate] = await Promise.all([stat(keyFile), stat(certificateFile)])
  return `${key.mtimeMs} ${key.size} ${certificate.mtimeMs} ${certificate.size}`
}
