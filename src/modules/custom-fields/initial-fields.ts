/**
 * Custom fields that come with a tracking request. They are checked at once, and set when its shipment and containers
 * exist.
 */

import type { Db } from '../../db/database.ts'
import { asciiRequirement, isInAscii, parseContainerNumber } from '../../domain/values/identifiers.ts'
import { uuidV7 } from '../../platform/ids.ts'
import type { Context } from '../access/context.ts'
import { changedBy } from '../audit/record-change.ts'
import { refusedAt } from '../errors.ts'
import type { Service } from '../service.ts'
import { checkValue } from './check-value.ts'
import { lockDefinitionsForShare } from './custom-field-definitions-sql.ts'
import { everyContainer, type InitialField, insertInitialFields } from './initial-custom-fields-sql.ts'
import { unknownSlugMessage } from './set-field.ts'

export interface InitialFieldInput {
  readonly apiSlug: string
  readonly value: unknown
}

export interface InitialFieldsInput {
  readonly shipment: readonly InitialFieldInput[]
  /** Without a number: for every container, those that appear later too. */
  readonly containers: readonly (InitialFieldInput & { readonly number: string | null })[]
}

interface LocatedField extends InitialFieldInput {
  readonly number: string | null
  readonly pointer: string
}

const at = '/data/attributes/initial_custom_fields'

/**
 * Stores the fields that came with the request. Refuses every field that could not be set later, and states its place
 * in the body.
 */
export async function storeInitialFields(
  db: Db,
  service: Service,
  context: Context,
  of: { readonly trackingRequestId: string; readonly fields: InitialFieldsInput },
): Promise<void> {
  const shipment = of.fields.shipment.map((each, index): LocatedField => {
    return { ...each, number: null, pointer: `${at}/shipment/${index}` }
  })
  const containers = of.fields.containers.map((each, index): LocatedField => {
    const pointer = `${at}/containers/${index}`
    const number = each.number === null ? everyContainer : readNumber(each.number, `${pointer}/number`)
    return { ...each, number, pointer }
  })
  rejectDuplicates([...shipment, ...containers])
  const fields = [
    ...(await checkFields(db, service, context, { entityType: 'Shipment', given: shipment })),
    ...(await checkFields(db, service, context, { entityType: 'Container', given: containers })),
  ]
  if (fields.length === 0) return
  const { trackingRequestId } = of
  const by = changedBy(service, context)
  await insertInitialFields(db, { accountId: context.account.id, trackingRequestId, fields, by })
}

async function checkFields(
  db: Db,
  service: Service,
  context: Context,
  of: { readonly entityType: 'Shipment' | 'Container'; readonly given: readonly LocatedField[] },
): Promise<readonly InitialField[]> {
  const { entityType, given } = of
  if (given.length === 0) return []
  const slugs = [...new Set(given.map(({ apiSlug }) => apiSlug))]
  const accountId = context.account.id
  const definitions = await lockDefinitionsForShare(db, { accountId, entityType, slugs })
  const fields: InitialField[] = []
  for (const { apiSlug, value, number, pointer } of given) {
    const definition = definitions.find((each) => each.apiSlug === apiSlug)
    if (definition === undefined) throw refusedAt(`${pointer}/api_slug`, unknownSlugMessage(entityType, apiSlug))
    fields.push({
      id: uuidV7(service.clock.now()),
      definitionId: definition.id,
      number,
      value: await checkValue(db, service, definition, { value, pointer: `${pointer}/value` }),
    })
  }
  return fields
}

function readNumber(given: string, pointer: string): string {
  if (!isInAscii(given)) throw refusedAt(pointer, `This is not a container number: ${asciiRequirement}.`)
  const parsed = parseContainerNumber(given.toUpperCase().replace(/[\s.-]/g, ''))
  if (!parsed.ok) throw refusedAt(pointer, 'This is not a container number (ISO 6346).')
  return parsed.value
}

function rejectDuplicates(given: readonly LocatedField[]): void {
  const seen = new Set<string>()
  for (const { apiSlug, number, pointer } of given) {
    const key = `${number} ${apiSlug}`
    if (seen.has(key)) throw refusedAt(`${pointer}/api_slug`, `\`${apiSlug}\` is given twice.`)
    seen.add(key)
  }
}
