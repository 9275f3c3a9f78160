// Refuses names of settings that do not exist, before anything is installed for a start that would be refused. The names
// are those of src/platform/settings.ts (written by tools/config-page.ts). Plain JavaScript that runs on Node 20.
import { readFileSync } from 'node:fs'

/** Throws the Error that src/platform/config.ts would throw for them. */
export function refuseUnknownSettings(env) {
  const file = new URL('../src/platform/setting-names.json', import.meta.url)
  const known = JSON.parse(readFileSync(file, 'utf8'))
  const unknown = Object.keys(env).filter(
    (name) => /^LANDFALL_(?!TEST_|URL$|API_URL$|API_KEY$)/.test(name) && !known.includes(name),
  )
  if (unknown.length > 0) {
    throw new Error(`Landfall did not start. ${unknown.map((name) => sentence(name, known)).join('\n')}`)
  }
}

function sentence(name, known) {
  const near = known
    .map((each) => ({ each, edits: countEdits(name, each) }))
    .filter(({ edits }) => edits <= 2)
    .sort((a, b) => a.edits - b.edits)
  const question = near[0] === undefined ? '' : ` Did you mean ${near[0].each}?`
  return `${name} is no setting; docs/configuration.md lists them all.${question}`
}

/** Letters put in, left out, put for another, or two neighbours that changed places. */
function countEdits(a, b) {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      row[j] = Math.min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j], rows[i - 2][j - 2] + 1)
    }
    rows.push(row)
  }
  return rows[a.length][b.length]
}
