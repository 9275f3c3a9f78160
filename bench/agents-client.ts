/**
 * A scripted agent: the official client, and what a careful model does with the hints that the tools give. It reads
 * only what a model reads, takes a shorter way where the list of tools offers one, follows `links.next`, and repeats a
 * refused call with what the refusal suggests.
 */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

export type Json = Readonly<Record<string, unknown>>

export class Agent {
  readonly #client: Client
  readonly #inputs: ReadonlyMap<string, Json>
  readonly #abouts: ReadonlyMap<string, string>
  /** Size of the list of tools, which a model reads once. */
  readonly listBytes: number
  calls = 0
  bytes = 0

  private constructor(
    client: Client,
    tools: readonly {
      readonly name: string
      readonly description?: string | undefined
      readonly inputSchema: unknown
    }[],
  ) {
    this.#client = client
    this.#abouts = new Map(tools.map(({ name, description }) => [name, description ?? '']))
    this.#inputs = new Map(
      tools.map(({ name, inputSchema }) => [name, (inputSchema as { properties?: Json }).properties ?? {}]),
    )
    this.listBytes = bytesOf(tools)
  }

  static async connect(url: string, key: string): Promise<Agent> {
    const client = new Client({ name: 'bench', version: '1' }, { capabilities: {} })
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Token ${key}` } },
    })
    await client.connect(transport)
    const { tools } = await client.listTools()
    return new Agent(client, tools)
  }

  close(): Promise<void> {
    return this.#client.close()
  }

  /** Whether a tool is offered, with these arguments. */
  offers(tool: string, ...names: readonly string[]): boolean {
    const input = this.#inputs.get(tool)
    return input !== undefined && names.every((name) => Object.hasOwn(input, name))
  }

  /** The argument with which a list has also what is no longer tracked, where it would leave that out. */
  withStopped(tool: string): Json {
    return this.offers(tool, 'include_stopped_tracking') ? { include_stopped_tracking: true } : {}
  }

  /** Whether the description of a list names this filter. */
  filtersBy(tool: string, filter: string): boolean {
    return new RegExp(`\\b${filter}\\b`).test(this.#abouts.get(tool) ?? '')
  }

  /** Whether the tool takes a number in place of an id. */
  takesNumbers(tool: string): boolean {
    const id = this.#inputs.get(tool)?.['id'] as Json | undefined
    return id !== undefined && id['format'] === undefined
  }

  /** What the model gets to read; a refusal that suggests a value is followed once. */
  async ask(name: string, args: Json = {}): Promise<Json> {
    const first = await this.#call(name, args)
    if (typeof first !== 'string') return first
    const [, given, meant] = /there is no [^`]*`([^`]+)`\..*Did you mean `([^`]+)`/.exec(first) ?? []
    if (given === undefined || meant === undefined) throw new Error(`${name}: ${first}`)
    const mended = JSON.parse(JSON.stringify(args).replaceAll(given, meant)) as Json
    const second = await this.#call(name, mended)
    if (typeof second === 'string') throw new Error(`${name}: ${second}`)
    return second
  }

  /** The words of a refusal. */
  async refused(name: string, args: Json = {}): Promise<string | null> {
    const answer = await this.#call(name, args)
    return typeof answer === 'string' ? answer : null
  }

  /** All rows of a list, page by page. */
  async rows(name: string, args: Json = {}, most = Number.POSITIVE_INFINITY): Promise<readonly Json[]> {
    const all: Json[] = []
    for (let page: unknown = 1; typeof page === 'number' && all.length < most; ) {
      const answer = await this.ask(name, {
        ...args,
        ...(page > 1 ? { page } : {}),
        ...(this.offers(name, 'page_size') ? { page_size: Math.min(most, 100) } : {}),
      })
      all.push(...(answer['items'] as readonly Json[]))
      page = (answer['links'] as Json)['next']
    }
    return all.slice(0, most)
  }

  /** What a tool takes as the id of this number: the number itself, or what the search finds. */
  async idOf(tool: string, number: string, kind: 'containers' | 'shipments' = 'containers'): Promise<string> {
    if (this.takesNumbers(tool)) return number
    const found = await this.ask('search_container', { query: number })
    const [row] = found[kind] as readonly Json[]
    if (row === undefined) throw new Error(`${number} is not found`)
    return String(row['id'])
  }

  async #call(name: string, args: Json): Promise<Json | string> {
    const { content, isError } = await this.#client.callTool({ name, arguments: { ...args } })
    this.calls += 1
    this.bytes += bytesOf(content)
    const [block] = content
    const text = block?.type === 'text' ? block.text : ''
    return isError === true ? text : (JSON.parse(text) as Json)
  }
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
