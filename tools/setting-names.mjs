// Refuses names of settings that do not exist, and of members of carriers.json, before anything is installed for a start that
// would be refused. The names are those of the settings and profiles in src/ (written by tools/config-page.ts). Plain
// JavaScript that runs on Node 20.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Throws the Error that the program would throw for them. */
export function refuseUnknownSettings(env) {
  const file = new URL('../src/platform/setting-names.json', import.meta.url)
  const { settings, carriers } = JSON.parse(readFileSync(file, 'utf8'))
  const unknown = Object.keys(env).filter(
    (name) => /^LANDFALL_(?!TEST_|URL$|API_URL$|API_KEY$)/.test(name) && !settings.includes(name),
  )
  const faults = unknown.map(
    (name) => `${name} is no setting; docs/configuration.md lists them all.${askNearest(name, settings)}`,
  )
  const path = join(env.LANDFALL_DATA?.trim() || './.landfall', 'carriers.json')
  if (existsSync(path)) faults.push(...findCarrierFaults(path, carriers))
  if (faults.length > 0) throw new Error(`Landfall did not start. ${faults.join('\n')}`)
}

function findCarrierFaults(path, known) {
  let entries
  try {
    entries = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    return [error instanceof SyntaxError ? `${path} is not JSON.` : `${path} cannot be read (${error.code}).`]
  }
  if (!Array.isArray(entries)) return [`${path} must be a list of carriers: [{"scac": …, "secrets": {…}}].`]
  return entries.flatMap((entry, index) => {
    if (typeof entry?.scac !== 'string') return [`${path}: entry ${index + 1} names no scac.`]
    const { keyHeaders, oauth } = entry.profile?.auth ?? {}
    const own = [keyHeaders, oauth?.keyHeaders].flatMap((headers) => Object.values(headers ?? {}))
    const secrets = Object.fromEntries([...known.secrets, ...own].map((name) => [name, null]))
    const members = { scac: null, source: null, profile: known.profile, secrets }
    return findUnknown(entry, members, '').map(
      ({ at, name, names }) => `${path}: ${entry.scac} has an unknown member ${at}${name}.${askNearest(name, names)}`,
    )
  })
}

/** A value whose member names are null may have any members. */
function findUnknown(value, members, at) {
  if (members === null || typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([name, inside]) =>
    Object.hasOwn(members, name)
      ? findUnknown(inside, members[name], `${at}${name}.`)
      : [{ at, name, names: Object.keys(members) }],
  )
}

function askNearest(name, known) {
  const near = known
    .map((each) => ({ each, edits: countEdits(name, each) }))
    .filter(({ edits }) => edits <= 2)
    .sort((a, b) => a.edits - b.edits)
  return near[0] === undefined ? '' : ` Did you mean ${near[0].each}?`
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
