/** Finds the fields of a document by their names, also those in lists, whatever the list's length. */

import type { SaidField } from './word.ts'

/** The fields of a document, or of one element of a list in it. */
export interface Fields {
  /** The first of these names that has a value. */
  readonly find: (names: readonly string[]) => SaidField | null
  /** The elements of a list, in their order: of `free_time`, `free_time[0].kind` and `free_time[1].kind`. */
  readonly list: (names: readonly string[]) => readonly Fields[]
}

export function openFields(fields: readonly SaidField[]): Fields {
  return open(fields.map((field) => ({ name: field.name, field })))
}

/** `name`: within the element that it belongs to. */
interface Named {
  readonly name: string
  readonly field: SaidField
}

/** A list of texts has its elements under the empty name. */
const ofList = /^([^[\]]+)\[(\d{1,5})\](?:\.(.+))?$/s

function open(all: readonly Named[]): Fields {
  const byName = new Map(all.toReversed().map(({ name, field }) => [name, field]))
  const lists = new Map<string, Map<number, Named[]>>()
  for (const { name, field } of all) {
    const [, list, place, rest = ''] = ofList.exec(name) ?? []
    if (list === undefined || place === undefined) continue
    const elements = lists.get(list) ?? new Map<number, Named[]>()
    lists.set(list, elements)
    const element = elements.get(Number(place)) ?? []
    elements.set(Number(place), element)
    element.push({ name: rest, field })
  }
  return {
    find: (names) => names.flatMap((name) => byName.get(name) ?? [])[0] ?? null,
    list: (names) =>
      names.flatMap((name) =>
        [...(lists.get(name) ?? [])].toSorted(([a], [b]) => a - b).map(([, element]) => open(element)),
      ),
  }
}
