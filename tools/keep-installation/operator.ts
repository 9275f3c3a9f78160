/** What the operator does at the command line: keys of all kinds, limits, lines that must be enabled, known numbers. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Db } from '../../src/db/database.ts'
import { attest } from '../../test/support/attestations.ts'
import { landfall } from './command.ts'

export interface MadeKey {
  readonly key: string
  readonly about: string
}

export async function operate(db: Db, env: Readonly<Record<string, string>>): Promise<readonly MadeKey[]> {
  const accounts = await listAccounts(db)
  const fiction = accounts.find(({ isSandbox }) => isSandbox)
  const make = async (about: string, ...args: readonly string[]) => ({
    about,
    key: await landfall(env, 'keys', 'create', about, ...args),
  })
  const ofFirst = ['--account', fiction?.id ?? '']
  const keys = [
    await make('may read', '--read-only', ...ofFirst),
    await make('publishable', '--origins', 'https://shop.example', ...ofFirst),
    await make('was deleted', '--read-only', ...ofFirst),
  ]
  for (const { id, isSandbox, companyName } of accounts)
    if (!isSandbox) keys.push(await make(`of ${companyName}`, '--account', id))
  const [deleted] = (await db.query<{ id: string }>({ text: `select id from api_keys where name = 'was deleted'` }))
    .rows
  await landfall(env, 'keys', 'delete', deleted?.id ?? '', ...ofFirst)
  for (const { id, isSandbox } of accounts) {
    if (isSandbox) continue
    await landfall(env, 'limits', 'set', id, 'create', '5000')
    await landfall(env, 'lines', 'enable', 'SMLU', '--account', id)
  }
  const file = join(env['LANDFALL_DATA'] ?? '', 'known-numbers.csv')
  writeFileSync(
    file,
    'number,number_type,scac,group\nMSCU4000005,container,MSCU,a\nEGLV123456789012,bill_of_lading,EGLV,b\n',
  )
  await landfall(env, 'inference', 'import', file, ...ofFirst)
  const report = join(env['LANDFALL_DATA'] ?? '', 'attestation.json')
  writeFileSync(report, JSON.stringify(attest({ installation: 'another', answer: [{ eventID: 'x' }] })))
  await landfall(env, 'attest', 'import', report)
  return keys
}

/** A channel for a partner who sends by himself. Returns its key. */
export function openDoor(env: Readonly<Record<string, string>>, accountId: string): Promise<string> {
  const speaker = ['--speaker', 'terminal:W185', '--language', 'statements']
  return landfall(env, 'channels', 'create', 'depot', ...speaker, '--account', accountId)
}

export async function listAccounts(
  db: Db,
): Promise<readonly { readonly id: string; readonly companyName: string; readonly isSandbox: boolean }[]> {
  const { rows } = await db.query<{ id: string; companyName: string; isSandbox: boolean }>({
    text: `select id, company_name as "companyName", is_fiction as "isSandbox" from accounts order by id`,
  })
  return rows
}
