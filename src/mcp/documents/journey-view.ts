/**
 * `ui://landfall/journey-map`: the view of a journey as one HTML document, with its script and the outline of land
 * within. Its own policy allows this script and nothing else, whatever the host allows.
 */

import { createHash } from 'node:crypto'
import { findPortalFile } from '../../portal-server/app/files.ts'

let written: string | null = null

/** Null when the portal was not built. */
export function writeJourneyView(): string | null {
  const file = findPortalFile('journey-view.js')
  if (file === null) return null
  written ??= writeHtmlPage(file.bytes.toString())
  return written
}

function writeHtmlPage(bundle: string): string {
  // In an HTML script, this text would end the script.
  const script = bundle.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')
  const hash = createHash('sha256').update(script).digest('base64')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Map of a journey</title>
</head>
<body>
<main></main>
<script>${script}</script>
</body>
</html>
`
}
