/**
 * `update_shipment`: changes the customer's reference numbers and tags: adds and removes single references, or replaces
 * all.
 */

import { Type } from '../../../platform/json-schema.ts'
import { ServiceError } from '../../../service/errors.ts'
import { getShipment } from '../../../service/tracking/shipments/get-shipment.ts'
import { updateShipment as update } from '../../../service/tracking/shipments/update-shipment.ts'
import { closed, id } from '../tool/inputs.ts'
import { tool } from '../tool/tool.ts'
import { readLabels, writeLabels } from '../words/labels.ts'
import { shipmentChanged, tellShipment } from '../words/shipment-changed.ts'

function labels(description: string) {
  const label = Type.String({ minLength: 1, maxLength: 100 })
  return Type.Optional(Type.Array(label, { maxItems: 100, description }))
}

export const updateShipment = tool({
  name: 'update_shipment',
  title: 'Set references and tags of a shipment',
  about:
    'Adds or removes references, or replaces all `ref_numbers` or all `tags`. Arguments left out change nothing.',
  effect: 'change',
  isDestructive: true,
  input: Type.Object(
    {
      id,
      add_ref_numbers: labels('References to add'),
      remove_ref_numbers: labels('References to remove'),
      ref_numbers: labels('All references, in place of those there are'),
      tags: labels('All tags, in place of those there are'),
    },
    closed,
  ),
  ids: { id: 'shipment' },
  output: shipmentChanged,
  run: async (asking, { id: shipmentId, ...given }) => {
    const { service, context } = asking
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
    }).catch(tellKnown)
    return tellShipment(asking, shipmentId)
  },
})

/** Adds to the refusal of an unknown reference which references exist. */
function tellKnown(error: unknown): never {
  const known = error instanceof ServiceError ? error.meta?.['ref_numbers'] : undefined
  if (!(error instanceof ServiceError) || !Array.isArray(known)) throw error
  const has = known.length === 0 ? 'It has none.' : `It has: ${writeLabels(known).join(', ')}.`
  throw new ServiceError(error.code, `${error.detail} ${has}`)
}
