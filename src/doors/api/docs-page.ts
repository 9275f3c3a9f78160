/** The OpenAPI document as a page to read: plain HTML, no script, nothing from elsewhere. */

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly description?: string
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly default?: unknown
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly description?: string
    readonly schema: Schema
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string
        readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
      }
    >
  >
}

export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export function writeDocsPage(document: OpenApiDocument): string {
  const { info, tags, components } = document
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const ofTag = (tag: string) => operations.filter(({ operation }) => operation.tags.includes(tag))
  const contents = tags.map(
    ({ name }) =>
      `<li>${text(name)}<ul>${ofTag(name)
        .map(
          ({ method, path, operation }) =>
            `<li><a href="#${operation.operationId}">${method.toUpperCase()} ${text(path)}</a></li>`,
        )
        .join('')}</ul></li>`,
  )
  const sections = tags.map(
    ({ name, description }) =>
      `<h2>${text(name)}</h2><p>${prose(description)}</p>${ofTag(name).map(writeOperation).join('')}`,
  )
  const resources = Object.entries(components.schemas).map(([name, schema]) => writeResource(name, schema))
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${text(info.title)} API ${text(info.version)} (Beta)</title><style>${style}</style></head><body>
<header><h1>${text(info.title)} API <small>${text(info.version)} · Beta</small></h1><p>${prose(info.description)}</p>
<p>As data: <a href="/v2/openapi.json">/v2/openapi.json</a></p></header>
<nav aria-label="Contents"><ul>${contents.join('')}<li><a href="#resources">Resources</a></li></ul></nav>
<main>${sections.join('')}<h2 id="resources">Resources</h2>${resources.join('')}</main></body></html>`
}

function writeOperation({
  path,
  method,
  operation,
}: {
  path: string
  method: string
  operation: Operation
}): string {
  const parameters = (operation.parameters ?? []).map(
    ({ name, in: place, description, schema }) =>
      `<tr><td><code>${text(name)}</code></td><td>${text(place)}</td><td>${typeOf(schema)}</td><td>${prose(description ?? '')}</td></tr>`,
  )
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema.properties?.['data']
    ?.properties?.['attributes']
  const answers = Object.entries(operation.responses).map(([status, { description, content }]) => {
    const schema = Object.values(content ?? {})[0]?.schema
    return `<tr><td>${text(status)}</td><td>${prose(description)}</td><td>${schema === undefined ? '' : typeOf(schema.properties?.['data'] ?? schema)}</td></tr>`
  })
  return `<section id="${text(operation.operationId)}"><h3><code>${method.toUpperCase()} ${text(path)}</code></h3>
<p>${prose(operation.summary)}. ${prose(operation.description ?? '')}</p>
${parameters.length === 0 ? '' : `<table><caption>Parameters</caption>${parameters.join('')}</table>`}
${body === undefined ? '' : `<table><caption>Attributes of the body</caption>${writeProperties(body)}</table>`}
<table><caption>Answers</caption>${answers.join('')}</table></section>`
}

function writeResource(name: string, schema: Schema): string {
  const attributes = schema.properties?.['attributes'] ?? schema
  const relations = Object.keys(schema.properties?.['relationships']?.properties ?? {}).map(
    (each) => `<code>${text(each)}</code>`,
  )
  return `<section id="resource-${text(name)}"><h3><code>${text(name)}</code></h3><table>${writeProperties(attributes)}</table>
${relations.length === 0 ? '' : `<p>Relationships: ${relations.join(', ')}</p>`}</section>`
}

function writeProperties(schema: Schema): string {
  return Object.entries(schema.properties ?? {})
    .map(
      ([name, each]) =>
        `<tr><td><code>${text(name)}</code></td><td>${typeOf(each)}</td><td>${prose(each.description ?? '')}</td></tr>`,
    )
    .join('')
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return `<a href="#resource-${text(name)}">${text(name)}</a>`
  }
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ')
  if (schema.const !== undefined) return `<code>${text(JSON.stringify(schema.const))}</code>`
  if (schema.enum !== undefined)
    return schema.enum.map((value) => `<code>${text(String(value))}</code>`).join(' · ')
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`
  const types = [schema.type ?? 'any'].flat().join(' or ')
  return text(schema.format === undefined ? types : `${types} (${schema.format})`)
}

/** Escaped, with `code` between backticks set as such. */
function prose(words: string): string {
  return text(words).replace(/`([^`]+)`/g, '<code>$1</code>')
}

export function text(words: string): string {
  return words.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{max-width:72rem;margin:0 auto;padding:1rem}
code{font-size:.9em;overflow-wrap:anywhere}table{border-collapse:collapse;width:100%;margin:.5rem 0}
caption{text-align:left;font-weight:600}td{border-top:1px solid #8886;padding:.25rem .5rem;vertical-align:top}
section{margin:0 0 2rem}nav ul{padding-left:1.2rem}nav>ul{columns:18rem}small{font-weight:400;opacity:.7}`
