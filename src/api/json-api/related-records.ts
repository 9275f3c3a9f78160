/**
 * Follows the relations to what users manage and send: the account, parties, custom fields with their definitions and
 * options, saved views, e-mails.
 */

import type { PartyRecordType } from '../../domain/values/party-role.ts'
import type { Context } from '../../modules/access/context.ts'
import type { AccountReading } from '../../modules/accounts/account-resource.ts'
import {
  type CustomFieldDefinitionReading,
  type CustomFieldOptionReading,
  readDefinition,
  readOption,
} from '../../modules/custom-fields/custom-field-definition-resource.ts'
import { getDefinitions } from '../../modules/custom-fields/get-definition.ts'
import { listFieldsOf, listNewestFields } from '../../modules/custom-fields/get-field.ts'
import { getOptions } from '../../modules/custom-fields/get-option.ts'
import type { CustomFieldReading } from '../../modules/custom-fields/list-custom-fields-sql.ts'
import { getDocuments, getRepresentations } from '../../modules/documents/get-documents.ts'
import {
  type EmailSubmissionReading,
  readSubmission,
} from '../../modules/email-submissions/email-submission-resource.ts'
import { getSubmissions } from '../../modules/email-submissions/list-submissions.ts'
import { getUsers } from '../../modules/members/get-users.ts'
import type { UserReading } from '../../modules/members/user-resource.ts'
import { getParties } from '../../modules/parties/get-party.ts'
import { type PartyReading, readParty } from '../../modules/parties/party-resource.ts'
import { type PartyRoleReading, readPartyRole } from '../../modules/parties/party-role-resource.ts'
import { rolesOfRecords } from '../../modules/parties/party-roles.ts'
import { readSavedView, type SavedViewReading } from '../../modules/saved-views/saved-view-resource.ts'
import { getSavedViews } from '../../modules/saved-views/saved-views.ts'
import type { Service } from '../../modules/service.ts'
import type { Caller } from '../callers/caller.ts'

interface CallerContext {
  readonly service: Service
  readonly context: Context
}
interface From {
  readonly id: string
}
type RelatedRows<To> = Promise<ReadonlyMap<string, readonly To[]>>

/** Everything that an account can see belongs to it. */
export async function findCallerAccount(
  { context: { account } }: CallerContext,
  from: readonly From[],
): RelatedRows<AccountReading> {
  const reading: AccountReading = { type: 'account', id: account.id, companyName: account.companyName }
  return new Map(from.map(({ id }) => [id, [reading]]))
}

export async function customersOf(
  { service, context }: CallerContext,
  ids: readonly string[],
): Promise<readonly PartyReading[]> {
  return (await getParties(service, context, { ids })).map(readParty)
}

export function partyRolesOf(type: PartyRecordType) {
  return async (
    { service, context }: CallerContext,
    records: readonly (From & { readonly customerId: string | null; readonly createdAt: string })[],
  ): RelatedRows<PartyRoleReading> => {
    const roles = await rolesOfRecords(service, context, { type, records })
    return Map.groupBy(roles.map(readPartyRole), ({ role }) => role.recordId)
  }
}

export async function savedViewsOf(
  { service, context }: CallerContext,
  ids: readonly string[],
): Promise<readonly SavedViewReading[]> {
  return (await getSavedViews(service, context, { ids })).map(readSavedView)
}

export async function submissionsOf(
  { service, context }: CallerContext,
  ids: readonly string[],
): Promise<readonly EmailSubmissionReading[]> {
  return (await getSubmissions(service, context, { ids })).map(readSubmission)
}

export async function usersOf(
  { service, context }: CallerContext,
  ids: readonly string[],
): Promise<readonly UserReading[]> {
  const users = await getUsers(service, context, { ids })
  return users.map((user) => ({ type: 'user', id: user.id, user }))
}

export async function definitionsOf(
  { service, context }: CallerContext,
  ids: readonly string[],
): Promise<readonly CustomFieldDefinitionReading[]> {
  return (await getDefinitions(service, context, { ids })).map(readDefinition)
}

/** The fields of shipments, containers or tracking requests. */
export async function customFieldsOf(
  { service, context }: CallerContext,
  from: readonly From[],
): RelatedRows<CustomFieldReading> {
  const fields = await listFieldsOf(service, context, { entityIds: from.map(({ id }) => id) })
  return Map.groupBy(fields, ({ entityId }) => entityId)
}

/** Only the newest values of each definition, which may have a million. The rest is in a list of their own. */
export async function findDefinitionFields(
  { service, context }: CallerContext,
  from: readonly From[],
): RelatedRows<CustomFieldReading> {
  const fields = await listNewestFields(service, context, {
    definitionIds: from.map(({ id }) => id),
    max: fieldsMax,
  })
  return Map.groupBy(fields, ({ definitionId }) => definitionId)
}

const fieldsMax = 100

export async function optionsOf(
  { service, context }: CallerContext,
  from: readonly From[],
): RelatedRows<CustomFieldOptionReading> {
  const options = await getOptions(service, context, { definitionIds: from.map(({ id }) => id) })
  return new Map(
    [...Map.groupBy(options, ({ definitionId }) => definitionId)].map(([id, each]) => [id, each.map(readOption)]),
  )
}

export function documentsOf({ service, context }: Caller, ids: readonly string[]) {
  return getDocuments(service, context, { ids })
}

export function representationsOf({ service, context }: Caller, ids: readonly string[]) {
  return getRepresentations(service, context, { ids })
}
