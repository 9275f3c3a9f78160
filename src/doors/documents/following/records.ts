/**
 * Follows the relations to what users manage and send: the account, parties, custom fields with their definitions and
 * options, saved views, e-mails.
 */

import type { Context } from '../../../service/context.ts'
import { getSubmissions } from '../../../service/documents/mail-in/list-submissions.ts'
import { getDocuments, getRepresentations } from '../../../service/documents/shown/get-documents.ts'
import { getUsers } from '../../../service/people/members/get-users.ts'
import type { Service } from '../../../service/service.ts'
import { getSavedViews } from '../../../service/sharing/saved-views.ts'
import { getDefinitions } from '../../../service/tracking/custom-fields/get-definition.ts'
import { listFieldsOf, listNewestFields } from '../../../service/tracking/custom-fields/get-field.ts'
import { getOptions } from '../../../service/tracking/custom-fields/get-option.ts'
import { getParties } from '../../../service/tracking/parties/get-party.ts'
import type { CustomFieldReading } from '../../../store/read/custom-fields.ts'
import type { AccountReading } from '../resources/account/account.ts'
import { type PartyReading, readParty } from '../resources/account/party.ts'
import type { UserReading } from '../resources/account/user.ts'
import {
  type CustomFieldDefinitionReading,
  type CustomFieldOptionReading,
  readDefinition,
  readOption,
} from '../resources/custom-fields/custom-field-definition.ts'
import { type EmailSubmissionReading, readSubmission } from '../resources/documents/email-submission.ts'
import { readSavedView, type SavedViewReading } from '../resources/sharing/saved-view.ts'
import type { Caller } from './caller.ts'

interface Asking {
  readonly service: Service
  readonly context: Context
}
interface From {
  readonly id: string
}
type Related<To> = Promise<ReadonlyMap<string, readonly To[]>>

/** Everything that an account can see belongs to it. */
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

export async function savedViewsOf(
  { service, context }: Asking,
  ids: readonly string[],
): Promise<readonly SavedViewReading[]> {
  return (await getSavedViews(service, context, { ids })).map(readSavedView)
}

export async function submissionsOf(
  { service, context }: Asking,
  ids: readonly string[],
): Promise<readonly EmailSubmissionReading[]> {
  return (await getSubmissions(service, context, { ids })).map(readSubmission)
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

/** The fields of shipments, containers or tracking requests. */
export async function customFieldsOf(
  { service, context }: Asking,
  from: readonly From[],
): Related<CustomFieldReading> {
  const fields = await listFieldsOf(service, context, { entityIds: from.map(({ id }) => id) })
  return Map.groupBy(fields, ({ entityId }) => entityId)
}

/** Only the newest values of each definition, which may have a million. The rest is in a list of their own. */
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

export function documentsOf({ service, context }: Caller, ids: readonly string[]) {
  return getDocuments(service, context, { ids })
}

export function representationsOf({ service, context }: Caller, ids: readonly string[]) {
  return getRepresentations(service, context, { ids })
}
