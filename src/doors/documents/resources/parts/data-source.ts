/** `data_source` of events: who said so, in the three words that the contract has for it; in `meta` where ours is another. */

import * as schema from '../../shape/schema.ts'

const ofContract = ['shipping_line', 'terminal', 'ais'] as const

const attribute = schema.oneOf(ofContract, {
  description:
    'Who said it. A railway speaks for its ramps, which are terminals; left out where none of these spoke. `meta.data_source` tells who it was then.',
})

export const dataSource = {
  attribute,
  /** Undefined where the contract has no word: null is none that its clients can decode. */
  write(source: unknown): (typeof ofContract)[number] | undefined {
    return source === 'rail' ? 'terminal' : ofContract.find((each) => each === source)
  },
  meta: {
    properties: {
      data_source: schema.optional(
        schema.text({ description: 'Who said it, where the attribute has no word for it: rail, user.' }),
      ),
    },
    write(source: unknown): Readonly<Record<string, unknown>> {
      return ofContract.some((each) => each === source) ? {} : { data_source: source }
    },
  },
} as const
