/**
 * `data_source` of events: who stated it, as one of the three values that the contract has. Our other values are in
 * `meta`.
 */

import * as schema from '../../api/shape/schema.ts'

const ofContract = ['shipping_line', 'terminal', 'ais'] as const

const attribute = schema.oneOf(ofContract, {
  description:
    'The source. A railway is a source for its ramps, which are terminals. If the source is of another kind, this attribute is missing and `meta.data_source` names it.',
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
          description: 'The source, if the attribute cannot name it: rail, user, document.',
        }),
      ),
    },
    write(source: unknown): Readonly<Record<string, unknown>> {
      return ofContract.some((each) => each === source) ? {} : { data_source: source }
    },
  },
} as const
