/**
 * `landfall refdata check smdg --from <file>`: shows how far our ports are from the terminals that SMDG lists for them.
 */

import { type CheckedPort, checkSmdg } from '../../reference/import/smdg-check.ts'
import { defineCommand } from '../framework/command.ts'
import { readSource } from './refdata-import.ts'

export const refdataCheck = defineCommand({
  about: `For each UN/LOCODE of the list: the distance from our point to its nearest terminal. Ports farther than 25 km are
printed, with the reason where it is known. Needs no database. Exits with 1 if a port is far and no reason is known.`,
  operands: [{ name: 'list', about: 'which published list', oneOf: ['smdg'] }],
  options: {
    from: { type: 'string', value: '<file>', about: 'CSV, gzipped or not', isRequired: true },
    json: { type: 'boolean', about: 'print JSON' },
  },
  examples: ['refdata check smdg --from smdg-terminals.csv'],
  run: async ({ options, shell }) => {
    const check = checkSmdg(await readSource(null, options.from))
    if (options.json) shell.print(JSON.stringify(check, null, 2))
    else {
      shell.print(`${check.near} of ${check.ports} ports are within ${check.kmMax} km of a listed terminal.`)
      for (const port of check.far) shell.print(`  ${writePort(port)}`)
    }
    return check.far.every(({ why }) => why !== null) ? 0 : 1
  },
})

function writePort({ unlocode, name, nearestKm, why }: CheckedPort): string {
  const far = name === null ? 'unknown to us' : nearestKm === null ? 'no point' : `${Math.round(nearestKm)} km`
  return `${unlocode} ${name ?? ''}: ${far}. ${why ?? 'No reason is known'}.`
}
