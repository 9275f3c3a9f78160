// The settings of this process: read from the environment once, checked, frozen. Nothing else reads the environment.
import type { Setting } from './setting.ts'
import { settings } from './settings.ts'

type Value<S> = S extends Setting<infer T> ? T : never

export type Config = {
  readonly [Group in keyof typeof settings]: {
    readonly [Name in keyof (typeof settings)[Group]]: Value<(typeof settings)[Group][Name]>
  }
}

/**
 * Throws one Error that names every variable with an unusable value and what it accepts. The value of a secret is never
 * shown.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = []
  const read = (setting: Setting<unknown>): unknown => {
    const text = env[setting.variable]?.trim() ?? ''
    if (text === '') return setting.fallback
    const value = setting.parse(text)
    if (value === undefined) faults.push(`${setting.variable} accepts ${setting.accepts}.`)
    return value
  }
  const groups = Object.entries(settings).map(([group, members]) => {
    const values = Object.entries(members).map(([name, setting]) => [name, read(setting)])
    return [group, Object.freeze(Object.fromEntries(values))]
  })
  faults.push(...findUnknown(env).map(describeUnknownName))
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return Object.freeze(Object.fromEntries(groups)) as Config // safe: made from the same table as the type
}

/**
 * Finds variables whose names begin like ours but are no setting: a misspelt setting would silently do nothing.
 * LANDFALL_URL, LANDFALL_API_URL and LANDFALL_API_KEY are for programs that call a server (`landfall mcp`, `landfall
 * import`).
 */
function findUnknown(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.keys(env).filter(
    (name) => /^LANDFALL_(?!TEST_|URL$|API_URL$|API_KEY$)/.test(name) && !settingNames.includes(name),
  )
}

/** All variables. A start in a checkout reads them from a file, before it has anything that reads TypeScript. */
export const settingNames: readonly string[] = Object.values(settings).flatMap((group) =>
  Object.values(group).map(({ variable }) => variable),
)

/** `tools/setting-names.mjs` checks the same before an installation. */
function describeUnknownName(name: string): string {
  return `${name} is no setting; docs/configuration.md lists them all.${suggestNearest(name, settingNames)}`
}

/** ` Did you mean …?`; empty when none of the known names is near. */
export function suggestNearest(name: string, known: readonly string[]): string {
  const near = known
    .map((each) => ({ each, edits: countEdits(name, each) }))
    .filter(({ edits }) => edits <= 2)
    .sort((a, b) => a.edits - b.edits)
  return near[0] === undefined ? '' : ` Did you mean ${near[0].each}?`
}

/** Letters put in, left out, put for another, or two neighbours that changed places. */
function countEdits(a: string, b: string): number {
  let before: readonly number[] = []
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const ways = [(last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)]
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) ways.push((before[j - 2] ?? 0) + 1)
      row.push(Math.min(...ways))
    }
    before = last
    last = row
  }
  return last[b.length] ?? 0
}
