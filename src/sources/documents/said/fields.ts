/** Finds the fields of a document by their names, also those in lists, whatever the list's length. */

import type { SaidField } from './word.ts'

/** The fields of a document, or of one element of a list in it. */
export interface Fields {
  /** By its path within the document or the element: `portOfLoading`, `name`. Without a path: the element itself. */
  readonly find: (...path: readonly string[]) => SaidField | null
  /** The elements of a list, in their order: of `freeTimes`, `freeTimes[0].lastFreeDate` and so on. */
  readonly list: (name: string) => readonly Fields[]
}

export function openFields(fields: readonly SaidField[]): Fields {
  return open(fields.map((field) => ({ name: field.name, field })))
}

/** `name`: within the element that it belongs to. An element without members has the empty name. */
interface Named {
  readonly name: string
  readonly field: SaidField
}

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
    find: (...path) => byName.get(path.join('.')) ?? null,
    list: (name) =>
      [...(lists.get(name) ?? [])].toSorted(([a], [b]) => a - b).map(([, element]) => open(element)),
  }
}
