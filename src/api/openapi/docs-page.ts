/**
 * The OpenAPI document as readable pages: plain HTML, without scripts, loading nothing from other servers. The first
 * page lists every operation and resource as an overview; the descriptions are on a page for each tag. The explorer of
 * the portal tries them out.
 */

import { escapeHtml } from '../http/html.ts'
import { readTheme } from './read-theme.ts'

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

/** Keyed by what follows `/docs/` in their addresses; the first page's key is empty. */
export function writeDocsPages(document: OpenApiDocument): ReadonlyMap<string, string> {
  const { info, tags, components } = document
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const ofTag = (tag: string) => operations.filter(({ operation }) => operation.tags.includes(tag))
  const lists = tags.map(({ name, description }) => {
    const listed = ofTag(name).map(
      ({ method, path, operation: { operationId, summary } }) =>
        `<li id="${operationId}"><a href="/docs/${slugOf(name)}#${operationId}">${method.toUpperCase()} ${escapeHtml(path)}</a> ${renderProse(summary)}</li>`,
    )
    return `<section><h2><a href="/docs/${slugOf(name)}">${escapeHtml(name)}</a></h2><p>${renderProse(description)}</p><ul>${listed.join('')}</ul></section>`
  })
  const names = Object.keys(components.schemas).map(
    (name) => `<li id="resource-${escapeHtml(name)}">${linkTo(name)}</li>`,
  )
  const all = '<nav aria-label="Contents"><a href="/docs">All operations and resources</a></nav>'
  const title = `${escapeHtml(info.title)} API ${escapeHtml(info.version)} (Beta)`
  const first = writePage(
    title,
    `<header><h1>${escapeHtml(info.title)} API <small>${escapeHtml(info.version)} · Beta</small></h1><p>${renderProse(info.description)}</p>
<p>Search it, try it and take code in five languages: <a href="/developers/explorer">the explorer</a>. As data: <a href="/v2/openapi.json">/v2/openapi.json</a></p></header>
<main class="list">${lists.join('')}<section><h2><a href="/docs/${resourcesSlug}">Resources</a></h2><ul class="names">${names.join('')}</ul></section></main>`,
  )
  const sections = tags.map(({ name, description }): readonly [string, string] => [
    slugOf(name),
    writePage(
      `${escapeHtml(name)} · ${title}`,
      `${all}<main><h1>${escapeHtml(name)}</h1><p>${renderProse(description)}</p>${ofTag(name).map(writeOperation).join('')}</main>`,
    ),
  ])
  const resources = Object.entries(components.schemas).map(([name, schema]) => writeResource(name, schema))
  const ofResources = writePage(`Resources · ${title}`, `${all}<main><h1>Resources</h1>${resources.join('')}</main>`)
  return new Map([['', first], ...sections, [resourcesSlug, ofResources]])
}

const resourcesSlug = 'resources'

function slugOf(tag: string): string {
  return tag.toLowerCase().replaceAll(' ', '-')
}

function writePage(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${style}</style></head><body>${body}</body></html>`
}

function linkTo(resource: string): string {
  return `<a href="/docs/${resourcesSlug}#resource-${escapeHtml(resource)}">${escapeHtml(resource)}</a>`
}

function writeOperation({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  const parameters = (operation.parameters ?? []).map(
    ({ name, in: place, description, schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(place)}</td><td>${typeOf(schema)}</td><td>${renderProse(description ?? '')}</td></tr>`,
  )
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema.properties?.['data']?.properties?.[
    'attributes'
  ]
  const answers = Object.entries(operation.responses).map(([status, { description, content }]) => {
    const schema = Object.values(content ?? {})[0]?.schema
    return `<tr><td>${escapeHtml(status)}</td><td>${renderProse(description)}</td><td>${schema === undefined ? '' : typeOf(schema.properties?.['data'] ?? schema)}</td></tr>`
  })
  return `<article id="${escapeHtml(operation.operationId)}"><h2><code>${method.toUpperCase()} ${escapeHtml(path)}</code></h2><p>${renderProse(operation.summary)}</p>
<p>${renderProse(operation.description ?? '')}</p>
${parameters.length === 0 ? '' : `<table><caption>Parameters</caption>${parameters.join('')}</table>`}
${body === undefined ? '' : `<table><caption>Attributes of the body</caption>${writeProperties(body)}</table>`}
<table><caption>Answers</caption>${answers.join('')}</table></article>`
}

function writeResource(name: string, schema: Schema): string {
  const attributes = schema.properties?.['attributes'] ?? schema
  const relations = Object.keys(schema.properties?.['relationships']?.properties ?? {}).map(
    (each) => `<code>${escapeHtml(each)}</code>`,
  )
  return `<article id="resource-${escapeHtml(name)}"><h2><code>${escapeHtml(name)}</code></h2><table>${writeProperties(attributes)}</table>
${relations.length === 0 ? '' : `<p>Relationships: ${relations.join(', ')}</p>`}</article>`
}

function writeProperties(schema: Schema): string {
  return Object.entries(schema.properties ?? {})
    .map(
      ([name, each]) =>
        `<tr><td><code>${escapeHtml(name)}</code></td><td>${typeOf(each)}</td><td>${renderProse(each.description ?? '')}</td></tr>`,
    )
    .join('')
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) {
    return linkTo(schema.$ref.split('/').at(-1) ?? '')
  }
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ')
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`
  if (schema.enum !== undefined)
    return schema.enum.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(' · ')
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`
  const types = [schema.type ?? 'any'].flat().join(' or ')
  return escapeHtml(schema.format === undefined ? types : `${types} (${schema.format})`)
}

/** Escaped text, in which parts between backticks become `code` elements. */
function renderProse(source: string): string {
  return escapeHtml(source).replace(/`([^`]+)`/g, '<code>$1</code>')
}

const style = `${readTheme()}
body{max-width:76rem;margin:0 auto;padding:0 1.25rem 3rem;font-size:.9375rem}
header{border-bottom:2px solid var(--ink);padding:1.25rem 0 1rem;margin-bottom:1.5rem}
h1{font-size:1.75rem;margin:0 0 .5rem;letter-spacing:-.03em}small{font-weight:400;font-size:.9375rem;letter-spacing:0;color:var(--quiet)}
h2{font-size:1.0625rem;margin:0 0 .25rem}h2 code{font-size:1em}p{margin:0 0 .5rem;max-width:48rem}header p{max-width:60rem}
.list section{margin:2rem 0 0;padding-top:.75rem;border-top:2px solid var(--ink)}.list h2{font-size:1.5rem}
.list ul{list-style:none;margin:0;padding:0;line-height:1.7}.list li a{font:.8125rem/1.7 var(--mono);overflow-wrap:anywhere;margin-right:.75rem}.names{columns:14rem}
a{text-decoration:none}a:hover,p a{text-decoration:underline}nav{padding:1.25rem 0 0}
article{margin:0 0 .5rem;padding:.6rem 1.25rem;background:var(--card);border:1px solid var(--line);border-radius:6px;overflow-x:auto}
:target{border-color:var(--accent);box-shadow:inset 3px 0 var(--accent)}
code{overflow-wrap:anywhere}td code{white-space:normal}table{border-collapse:collapse;width:100%;margin:1rem 0 0;font-size:.875rem}
caption{text-align:left;font-size:.8125rem;color:var(--quiet);padding-bottom:.25rem}
td{border-top:1px solid var(--line);padding:.4375rem 1rem .4375rem 0;vertical-align:top}td:first-child{width:16rem}
td:nth-child(2):nth-last-child(2){width:20rem}td:nth-child(2):nth-last-child(3){width:5rem}td:nth-child(3):nth-last-child(2){width:18rem}
@media(max-width:40rem){tr{display:block;border-top:1px solid var(--line);padding:.375rem 0}td{display:block;border:0;padding:0;width:auto!important}}`
