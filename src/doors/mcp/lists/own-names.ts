/** Ships and terminals by their names: those of the account's own containers first, then those of our lists. */

import { plainName } from '../../../reference/plain-name.ts'
import { allTerminals, findTerminalById } from '../../../reference/terminals.ts'
import { findVesselByImo, listedVessels } from '../../../reference/vessels.ts'
import { ServiceError } from '../../../service/errors.ts'
import { countRowsBy } from '../../../service/ground/count-by.ts'
import { anyTime } from '../../../store/lists/page.ts'
import type { Asking } from '../tool/tool.ts'
import { hint, refused } from './filter-values.ts'

type Given = Readonly<Record<string, string>>

interface Named {
  readonly id: string
  readonly name: string
}

/** The filters with `vessel` and `terminal` as numbers and ids. */
export async function readOwnNames(asking: Asking, given: Given): Promise<Given> {
  const { vessel, terminal, ...others } = given
  return {
    ...others,
    ...(vessel === undefined ? {} : { vessel_imo: await readVessel(asking, vessel) }),
    ...(terminal === undefined ? {} : { terminal_id: await readTerminal(asking, terminal) }),
  }
}

const everything = { number: null, status: null, scac: null, updatedAt: anyTime } as const

async function own(asking: Asking, by: 'vessel' | 'terminal'): Promise<readonly string[]> {
  const list = { of: 'containers', filter: everything, by } as const
  const { groups } = await countRowsBy(asking.service, asking.context, list)
  return groups.flatMap(({ value }) => value ?? [])
}

async function readVessel(asking: Asking, given: string): Promise<string> {
  const digits = /^(?:IMO)?\s*(\d{7})$/i.exec(given.trim())?.[1]
  if (digits !== undefined) return digits
  const ours = (await own(asking, 'vessel')).flatMap((imo) => {
    const known = findVesselByImo(imo)
    return known === null ? [] : [known.name, ...known.formerNames].map((name) => ({ id: imo, name }))
  })
  const found = match(ours, given)
  if (found.length > 0) return single('vessel', given, found)
  const listed = [...listedVessels()].map(({ imo, name }) => ({ id: imo, name }))
  const whole = listed.filter(({ name }) => plainName(name) === plainName(given))
  if (whole.length > 0) return single('vessel', given, whole)
  throw unknown('vessel', given, ours)
}

async function readTerminal(asking: Asking, given: string): Promise<string> {
  const ours = (await own(asking, 'terminal')).flatMap((id) => {
    const name = findTerminalById(id)?.name
    return name === undefined ? [] : [{ id, name }]
  })
  const found = match(ours, given)
  if (found.length > 0) return single('terminal', given, found)
  const all = allTerminals().map(({ id, name }) => ({ id, name }))
  const whole = all.filter(({ name }) => plainName(name) === plainName(given))
  if (whole.length > 0) return single('terminal', given, whole)
  throw unknown('terminal', given, ours)
}

/** The whole name; else a part of one. */
function match(known: readonly Named[], given: string): readonly Named[] {
  const plain = plainName(given)
  if (plain === '') return []
  const whole = known.filter(({ name }) => plainName(name) === plain)
  return whole.length > 0 ? whole : known.filter(({ name }) => plainName(name).includes(plain))
}

function single(filter: string, given: string, found: readonly Named[]): string {
  const ids = new Map(found.map(({ id, name }) => [id, name]))
  const [first, ...others] = ids.keys()
  if (first !== undefined && others.length === 0) return first
  const names = [...ids].slice(0, 6).map(([id, name]) => (filter === 'vessel' ? `${name} (IMO ${id})` : name))
  throw refused(filter, `\`${given.slice(0, 60)}\` may be ${names.join(', ')}: say which`)
}

function unknown(filter: string, given: string, ours: readonly Named[]): ServiceError {
  const names = [...new Set(ours.map(({ name }) => name))]
  return new ServiceError(
    'invalid',
    `\`${filter}\`: there is no ${filter} \`${given.slice(0, 60)}\`.${hint(given, names)}`,
  )
}
