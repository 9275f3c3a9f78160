/**
 * `update_shipment`: changes the customer's reference numbers and tags: adds and removes single references, or replaces
 * all.
 */

import { ServiceError } from '../../modules/errors.ts'
import { getShipment } from '../../modules/shipments/get-shipment.ts'
import { updateShipment as update } from '../../modules/shipments/update-shipment.ts'
import { Type } from '../../platform/json-schema.ts'
import { readLabels, writeLabels } from '../presenters/labels.ts'
import { describeChangedShipment, shipmentChanged } from '../presenters/shipment-changed.ts'
import { closed, id } from '../tool/inputs.ts'
import { defineTool } from '../tool/tool.ts'

function labelsSchema(description: string) {
  const label = Type.String({ minLength: 1, maxLength: 100 })
  return Type.Optional(Type.Array(label, { maxItems: 100, description }))
}

export const updateShipment = defineTool({
  name: 'update_shipment',
  title: 'Set references and tags of a shipment',
  about: 'Adds or removes references, or replaces all `ref_numbers` or all `tags`. Arguments left out change nothing.',
  effect: 'change',
  isIdempotent: true,
  isDestructive: true,
  input: Type.Object(
    {
      id,
      add_ref_numbers: labelsSchema('References to add'),
      remove_ref_numbers: labelsSchema('References to remove'),
      ref_numbers: labelsSchema('All references, in place of those there are'),
      tags: labelsSchema('All tags, in place of those there are'),
    },
    closed,
  ),
  ids: { id: 'shipment' },
  output: shipmentChanged,
  run: async (toolContext, { id: shipmentId, ...given }) => {
    const { service, context } = toolContext
    const known = await getShipment(service, context, { id: shipmentId })
    if (Object.values(given).every((each) => each === undefined))
      throw new ServiceError(
        'invalid',
        'Say what is to change: `add_ref_numbers`, `remove_ref_numbers`, `ref_numbers` or `tags`.',
      )
    const refs = (texts: readonly string[] | undefined) => texts && readLabels(texts, known.refNumbers)
    const changes = {
      refNumbers: refs(given.ref_numbers),
      addRefNumbers: refs(given.add_ref_numbers),
      removeRefNumbers: refs(given.remove_ref_numbers),
      tags: given.tags && readLabels(given.tags, known.tags),
    }
    const isGiven = ([, texts]: readonly [string, unknown]): boolean => texts !== undefined
    await update(service, context, {
      id: shipmentId,
      ...Object.fromEntries(Object.entries(changes).filter(isGiven)),
    }).catch(throwWithKnownReferences)
    return describeChangedShipment(toolContext, shipmentId)
  },
})

/** Adds to the refusal of an unknown reference which references exist. */
function throwWithKnownReferences(error: unknown): never {
  const known = error instanceof ServiceError ? error.meta?.['ref_numbers'] : undefined
  if (!(error instanceof ServiceError) || !Array.isArray(known)) throw error
  const has = known.length === 0 ? 'It has none.' : `It has: ${writeLabels(known).join(', ')}.`
  throw new ServiceError(error.code, `${error.detail} ${has}`)
}
