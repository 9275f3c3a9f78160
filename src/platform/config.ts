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
  faults.push(
    ...findUnknown(env).map((name) => `${name} is no setting; docs/configuration.md lists them all.`),
  )
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return Object.freeze(Object.fromEntries(groups)) as Config // safe: made from the same table as the type
}

/**
 * Finds variables whose names begin like ours but are no setting: a misspelt setting would silently do nothing.
 * LANDFALL_URL, LANDFALL_API_URL and LANDFALL_API_KEY are for programs that call a server (`landfall mcp`, `landfall
 * import`).
 */
function findUnknown(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known = new Set<string>(
    Object.values(settings).flatMap((group) => Object.values(group).map(({ variable }) => variable)),
  )
  return Object.keys(env).filter(
    (name) => /^LANDFALL_(?!TEST_|URL$|API_URL$|API_KEY$)/.test(name) && !known.has(name),
  )
}
