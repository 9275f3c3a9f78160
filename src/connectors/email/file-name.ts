/** The name of an attached file as it is stored and shown: without a path, and without misleading characters. */

import { mailBounds } from './mail.ts'

/** Control characters, and those that change the direction of what follows: `fdp.exe` would be shown as `exe.pdf`. */
const misleading = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

export function normalizeFileName(name: string | undefined): string | null {
  if (name === undefined) return null
  const last = name.replace(misleading, '').split(/[\\/]/).at(-1)?.trim() ?? ''
  // A drive is written before its file without a slash between them: `C:x.pdf`.
  const bare = last.replace(/^[a-z]:/i, '').replace(/^\.+/, '')
  return bare === '' ? null : [...bare].slice(-mailBounds.fileNameCharacters).join('')
}
