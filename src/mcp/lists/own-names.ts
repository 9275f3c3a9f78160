/** Ships and terminals by their names: those of the account's own containers first, then those of our lists. */

import { anyTime } from '../../db/listing/page.ts'
import type { ContainerFilter } from '../../modules/containers/list-containers-sql.ts'
import { ServiceError } from '../../modules/errors.ts'
import { countRowsBy } from '../../modules/search/count-rows-by.ts'
import { plainName } from '../../reference/plain-name.ts'
import { allTerminals, findTerminalById } from '../../reference/terminals.ts'
import { findVesselByImo, listedVessels } from '../../reference/vessels.ts'
import type { ToolContext } from '../tool/tool.ts'
import { invalidFilterError, suggestValues } from './filter-values.ts'
import { limitFilter } from './row-limit.ts'

interface NamedRecord {
  readonly id: string
  readonly name: string
}

const everything: ContainerFilter = { number: null, status: null, scac: null, updatedAt: anyTime }

async function listOwnValues(toolContext: ToolContext, by: 'vessel' | 'terminal'): Promise<readonly string[]> {
  const list = { of: 'containers', filter: limitFilter('containers', everything), by } as const
  const { groups } = await countRowsBy(toolContext.service, toolContext.context, list)
  return groups.flatMap(({ value }) => value ?? [])
}

/** Its IMO number. */
export async function readVessel(toolContext: ToolContext, given: string): Promise<string> {
  const digits = /^(?:IMO)?\s*(\d{7})$/i.exec(given.trim())?.[1]
  if (digits !== undefined) return digits
  const ours = (await listOwnValues(toolContext, 'vessel')).flatMap((imo) => {
    const known = findVesselByImo(imo)
    return known === null ? [] : [known.name, ...known.formerNames].map((name) => ({ id: imo, name }))
  })
  const found = matchByName(ours, given)
  if (found.length > 0) return requireSingle('vessel', given, found)
  const listed = [...listedVessels()].map(({ imo, name }) => ({ id: imo, name }))
  const whole = listed.filter(({ name }) => plainName(name) === plainName(given))
  if (whole.length > 0) return requireSingle('vessel', given, whole)
  throw unknownNameError('vessel', given, ours)
}

/** Its id. */
export async function readTerminal(toolContext: ToolContext, given: string): Promise<string> {
  const ours = (await listOwnValues(toolContext, 'terminal')).flatMap((id) => {
    const name = findTerminalById(id)?.name
    return name === undefined ? [] : [{ id, name }]
  })
  const found = matchByName(ours, given)
  if (found.length > 0) return requireSingle('terminal', given, found)
  const all = allTerminals().map(({ id, name }) => ({ id, name }))
  const whole = all.filter(({ name }) => plainName(name) === plainName(given))
  if (whole.length > 0) return requireSingle('terminal', given, whole)
  throw unknownNameError('terminal', given, ours)
}

/** The complete name; else a part of one. */
function matchByName(known: readonly NamedRecord[], given: string): readonly NamedRecord[] {
  const plain = plainName(given)
  if (plain === '') return []
  const whole = known.filter(({ name }) => plainName(name) === plain)
  return whole.length > 0 ? whole : known.filter(({ name }) => plainName(name).includes(plain))
}

function requireSingle(filter: string, given: string, found: readonly NamedRecord[]): string {
  const ids = new Map(found.map(({ id, name }) => [id, name]))
  const [first, ...others] = ids.keys()
  if (first !== undefined && others.length === 0) return first
  const names = [...ids].slice(0, 6).map(([id, name]) => (filter === 'vessel' ? `${name} (IMO ${id})` : name))
  throw invalidFilterError(filter, `\`${given.slice(0, 60)}\` may be ${names.join(', ')}: say which`)
}

function unknownNameError(filter: string, given: string, ours: readonly NamedRecord[]): ServiceError {
  const names = [...new Set(ours.map(({ name }) => name))]
  return new ServiceError(
    'invalid',
    `\`${filter}\`: there is no ${filter} \`${given.slice(0, 60)}\`.${suggestValues(given, names)}`,
  )
}
