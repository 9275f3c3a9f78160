/** The name of an attached file as it is kept and shown: without a path, and without characters that mislead. */

import { mailBounds } from './mail.ts'

/** Control characters, and those that change the direction of what follows: `fdp.exe` would be shown as `exe.pdf`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
const misleading = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

export function tidyFileName(name: string | undefined): string | null {
  if (name === undefined) return null
  const last = name.replace(misleading, '').split(/[\\/]/).at(-1)?.trim() ?? ''
  // A drive stands before its file without a stroke between them: `C:x.pdf`.
  const bare = last.replace(/^[a-z]:/i, '').replace(/^\.+/, '')
  return bare === '' ? null : [...bare].slice(-mailBounds.fileNameCharacters).join('')
}
