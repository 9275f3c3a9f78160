// Writes docs/openapi.json with one line per operation and per resource, so that a diff shows what has changed.

/** `document`: the result of `app.swagger()`. */
export function writeOpenApi(document: object): string {
  const { paths, components, ...rest } = document as {
    readonly paths: Readonly<Record<string, object>>
    readonly components: { readonly schemas: object }
  }
  const { schemas, ...others } = components
  const members = [
    ...lines(rest),
    block(
      'paths',
      Object.entries(paths).map(([path, methods]) => block(path, lines(methods))),
    ),
    block('components', [...lines(others), block('schemas', lines(schemas))]),
  ]
  return `{\n${members.join(',\n')}\n}\n`
}

const lines = (value: object): readonly string[] =>
  Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${JSON.stringify(each)}`)

const block = (name: string, members: readonly string[]): string =>
  `${JSON.stringify(name)}: {\n${members.join(',\n')}\n}`
