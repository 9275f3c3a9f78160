/** The fields of a document as one object: `containers[0].number` is the number of the first of its containers. */

import type { DocumentField } from '../document.ts'

type Node = { [name: string]: unknown }

/** Names are ours, and none is a name that objects have by themselves. */
export function payloadOf(fields: readonly Pick<DocumentField, 'name' | 'value'>[]): Readonly<Record<string, unknown>> {
  const payload: Node = {}
  for (const { name, value } of fields) {
    const steps = name.split('.').flatMap((step) => {
      const [member = '', ...places] = step.split('[')
      return [member, ...places.map((place) => Number.parseInt(place, 10))]
    })
    setValue(payload, steps, value)
  }
  return payload
}

function setValue(root: Node, steps: readonly (string | number)[], value: unknown): void {
  let node = root
  for (const [place, step] of steps.entries()) {
    const next = steps[place + 1]
    if (next === undefined) node[step] = value
    else {
      node[step] ??= typeof next === 'number' ? [] : {}
      node = node[step] as Node
    }
  }
}
