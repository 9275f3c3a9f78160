/** The common style sheet of the portal's pages and the documentation, as text. */

import { readFileSync } from 'node:fs'

export function readLook(): string {
  return readFileSync(new URL('../portal/look/look.css', import.meta.url), 'utf8')
}
