/** Writes the JSON Schema (draft 2020-12) of a payload from its list of fields. */

import { type PayloadField, schemaOfKind } from './payload-field.ts'

/** A member, a list, or a value at the end of a path. */
interface Node {
  readonly members: Map<string, Node>
  items: Node | null
  leaf: PayloadField | null
}

export function writeSchema(of: {
  readonly fullVersion: string
  readonly title: string
  readonly description: string
  readonly fields: readonly PayloadField[]
}): Readonly<Record<string, unknown>> {
  const root = newNode()
  for (const field of of.fields) nodeAt(root, field.path).leaf = field
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:landfall:document_schema:${of.fullVersion}`,
    title: of.title,
    description: of.description,
    ...schemaOf(root),
  }
}

const newNode = (): Node => ({ members: new Map(), items: null, leaf: null })

function nodeAt(root: Node, path: string): Node {
  let node = root
  for (const step of path.split('.')) {
    const name = step.replace('[]', '')
    const member = node.members.get(name) ?? newNode()
    node.members.set(name, member)
    node = member
    if (step.endsWith('[]')) {
      node.items ??= newNode()
      node = node.items
    }
  }
  return node
}

const itemsMax = 1_000

function schemaOf(node: Node): Readonly<Record<string, unknown>> {
  if (node.leaf !== null) return { ...schemaOfKind[node.leaf.kind], description: node.leaf.label }
  if (node.items !== null) return { type: 'array', maxItems: itemsMax, items: schemaOf(node.items) }
  return {
    type: 'object',
    properties: Object.fromEntries([...node.members].map(([name, member]) => [name, schemaOf(member)])),
    additionalProperties: false,
  }
}
