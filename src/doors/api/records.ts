/** How the relations to what users keep are followed: the account, parties, custom fields, their definitions and options. */

import type { Context } from '../../service/context.ts'
import { getUsers } from '../../service/people/members/get-users.ts'
import type { Service } from '../../service/service.ts'
import { getDefinitions } from '../../service/tracking/custom-fields/get-definition.ts'
import { listFieldsOf, listNewestFields } from '../../service/tracking/custom-fields/get-field.ts'
import { getOptions } from '../../service/tracking/custom-fields/get-option.ts'
import { getParties } from '../../service/tracking/parties/get-party.ts'
import type { CustomFieldReading } from '../../store/read/custom-fields.ts'
import type { AccountReading } from './resources/account.ts'
import {
  type CustomFieldDefinitionReading,
  type CustomFieldOptionReading,
  readDefinition,
  readOption,
} from './resources/custom-field-definition.ts'
import { type PartyReading, readParty } from './resources/party.ts'
import type { UserReading } from './resources/user.ts'

interface Asking {
  readonly service: Service
  readonly context: Context
}
interface From {
  readonly id: string
}
type Related<To> = Promise<ReadonlyMap<string, readonly To[]>>

/** Whatever an account sees is its own. */
export async function accountItself(
  { context: { account } }: Asking,
  from: readonly From[],
): Related<AccountReading> {
  const reading: AccountReading = { type: 'account', id: account.id, companyName: account.companyName }
  return new Map(from.map(({ id }) => [id, [reading]]))
}

export async function customersOf(
  { service, context }: Asking,
  ids: readonly string[],
): Promise<readonly PartyReading[]> {
  return (await getParties(service, context, { ids })).map(readParty)
}

export async function usersOf(
  { service, context }: Asking,
  ids: readonly string[],
): Promise<readonly UserReading[]> {
  const users = await getUsers(service, context, { ids })
  return users.map((user) => ({ type: 'user', id: user.id, user }))
}

export async function definitionsOf(
  { service, context }: Asking,
  ids: readonly string[],
): Promise<readonly CustomFieldDefinitionReading[]> {
  return (await getDefinitions(service, context, { ids })).map(readDefinition)
}

/** Of shipments, containers or tracking requests. */
export async function customFieldsOf(
  { service, context }: Asking,
  from: readonly From[],
): Related<CustomFieldReading> {
  const fields = await listFieldsOf(service, context, { entityIds: from.map(({ id }) => id) })
  return Map.groupBy(fields, ({ entityId }) => entityId)
}

/** The newest values of each definition: it may have a million, which are a list of their own. */
export async function fieldsOf(
  { service, context }: Asking,
  from: readonly From[],
): Related<CustomFieldReading> {
  const fields = await listNewestFields(service, context, {
    definitionIds: from.map(({ id }) => id),
    max: fieldsMax,
  })
  return Map.groupBy(fields, ({ definitionId }) => definitionId)
}

const fieldsMax = 100

export async function optionsOf(
  { service, context }: Asking,
  from: readonly From[],
): Related<CustomFieldOptionReading> {
  const options = await getOptions(service, context, { definitionIds: from.map(({ id }) => id) })
  return new Map(
    [...Map.groupBy(options, ({ definitionId }) => definitionId)].map(([id, each]) => [
      id,
      each.map(readOption),
    ]),
  )
}
