/** The operations of an OpenAPI description, as far as the explorer shows them. */

export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  readonly description?: string
  readonly required?: boolean
  readonly schema?: {
    readonly type?: unknown
    readonly enum?: readonly unknown[]
    readonly default?: unknown
  }
}
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly parameters: readonly Parameter[]
  /** Text to begin a body with; null when the operation takes none. */
  readonly body: string | null
}
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}
interface Described {
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> }
}

const jsonApi = 'application/vnd.api+json'
/** These two narrow the answer of every operation, and would hide its own parameters. */
const everywhere = /^fields\[|^if-none-match$/

export function operationsOf({ paths }: Description): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      id: `${method} ${path}`,
      method: method.toUpperCase(),
      path,
      summary: described.summary ?? '',
      description: described.description ?? '',
      parameters: (described.parameters ?? []).filter(({ name }) => !everywhere.test(name)),
      body: bodyOf(described),
    })),
  )
}

function bodyOf({ requestBody }: Described): string | null {
  if (requestBody === undefined) return null
  const example = requestBody.content[jsonApi]?.example
  return example === undefined ? '{\n}' : JSON.stringify(example, null, 2)
}
