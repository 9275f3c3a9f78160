/**
 * A scripted agent: the official client, and what a careful model does with the hints that the tools give. It reads
 * only what a model reads, takes a shorter way where the list of tools offers one, follows `links.next`, and repeats a
 * refused call with what the refusal suggests.
 */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

export type Json = Readonly<Record<string, unknown>>

/** What stands between the agent and the server: a planted fault changes an answer on its way. */
export type Spoil = (call: { readonly tool: string; readonly args: Json }, answer: Json) => Json

export class Agent {
  readonly #client: Client
  readonly #inputs: ReadonlyMap<string, Json>
  /** Size of the list of tools, which a model reads once. */
  readonly listBytes: number
  /** The size of each answer. */
  readonly bytes: number[] = []
  spoil: Spoil = (_, answer) => answer

  private constructor(
    client: Client,
    tools: readonly {
      readonly name: string
      readonly description?: string | undefined
      readonly inputSchema: unknown
    }[],
  ) {
    this.#client = client
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

  /** What the model gets to read; a refusal that shows what is right is followed once. */
  async ask(tool: string, args: Json = {}): Promise<Json> {
    const first = await this.#call(tool, args)
    if (typeof first !== 'string') return first
    const mended = mend(args, first)
    const second = mended === null ? first : await this.#call(tool, mended)
    if (typeof second === 'string') throw new Error(`${tool}: ${second}`)
    return second
  }

  /** The words of a refusal; null when there is none. */
  async refusal(tool: string, args: Json = {}): Promise<string | null> {
    const answer = await this.#call(tool, args)
    return typeof answer === 'string' ? answer : null
  }

  /** All rows of a list, page by page, with only these members, and the last answer. */
  async rows(tool: string, fields: string, args: Json = {}, most = Number.POSITIVE_INFINITY) {
    const rows: Json[] = []
    let answer: Json = {}
    for (let page: unknown = 1; typeof page === 'number' && rows.length < most; ) {
      answer = await this.ask(tool, {
        ...args,
        fields,
        ...(page > 1 ? { page } : {}),
        page_size: Math.min(most, 100),
      })
      rows.push(...(answer['items'] as readonly Json[]))
      page = (answer['links'] as Json)['next']
    }
    return { rows: rows.slice(0, most), answer }
  }

  async #call(tool: string, args: Json): Promise<Json | string> {
    const { content, isError } = await this.#client.callTool({ name: tool, arguments: { ...args } })
    this.bytes.push(bytesOf(content))
    const [block] = content
    const text = block?.type === 'text' ? block.text : ''
    return isError === true ? text : this.spoil({ tool, args }, JSON.parse(text) as Json)
  }
}

/** The arguments as the refusal suggests them; null when it suggests nothing. */
function mend(args: Json, refusal: string): Json | null {
  const [, given, meant] = /there is no [^`]*`([^`]+)`\..*Did you mean `([^`]+)`/.exec(refusal) ?? []
  const text = JSON.stringify(args)
  const mended = given === undefined || meant === undefined ? text : text.replaceAll(given, meant)
  const withDays = mended
    .replace(/"(\d{4})\/(\d\d)\/(\d\d)"/g, '"$1-$2-$3"')
    .replace(/"(\d\d)\.(\d\d)\.(\d{4})"/g, '"$3-$2-$1"')
    .replace(/"(\d\d? [A-Z][a-z]{2} \d{4})"/g, (_, day) => `"${new Date(`${day} UTC`).toISOString().slice(0, 10)}"`)
  return withDays === text ? null : (JSON.parse(withDays) as Json)
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
