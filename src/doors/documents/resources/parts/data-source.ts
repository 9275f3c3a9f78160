/**
 * `data_source` of events: who stated it, as one of the three values that the contract has. Our other values are in
 * `meta`.
 */

import * as schema from '../../shape/schema.ts'

const ofContract = ['shipping_line', 'terminal', 'ais'] as const

const attribute = schema.oneOf(ofContract, {
  description:
    'Who said it. A railway speaks for its ramps, which are terminals; left out where none of these spoke. `meta.data_source` tells who it was then.',
})

export const dataSource = {
  attribute,
  /** Undefined when the contract has no such value: its clients could not decode null. */
  write(source: unknown): (typeof ofContract)[number] | undefined {
    return source === 'rail' ? 'terminal' : ofContract.find((each) => each === source)
  },
  meta: {
    properties: {
      data_source: schema.optional(
        schema.text({
          description: 'Who said it, where the attribute has no word for it: rail, user, document.',
        }),
      ),
    },
    write(source: unknown): Readonly<Record<string, unknown>> {
      return ofContract.some((each) => each === source) ? {} : { data_source: source }
    },
  },
} as const
