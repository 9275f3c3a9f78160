/** The common style sheet of the portal's pages and the documentation, as text. */

import { readFileSync } from 'node:fs'

export function readTheme(): string {
  return readFileSync(new URL('../../portal-server/styles/look.css', import.meta.url), 'utf8')
}
