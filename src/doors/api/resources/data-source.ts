/** `data_source` of events: who said so, in the three words that the contract has for it; in `meta` where ours is another. */

import * as schema from '../schema.ts'

const ofContract = ['shipping_line', 'terminal', 'ais'] as const

const attribute = schema.oneOfOrNull(ofContract, {
  description:
    'Who said it. A railway speaks for its ramps, which are terminals; null where none of these spoke. `meta.data_source` tells who it was then.',
})

export const dataSource = {
  attribute,
  write(source: unknown): (typeof ofContract)[number] | null {
    return source === 'rail' ? 'terminal' : (ofContract.find((each) => each === source) ?? null)
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
