/** Makes every request of the app to the API. Types come from the API's own description. */

import type { Gets } from './gets.generated.ts'
import { noteJourneyTime } from './journey-clock.ts'

export type Credentials =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'session'; readonly token: string }

/** One error of a JSON:API answer. */
export interface Fault {
  readonly status: string
  readonly code?: string
  readonly title?: string
  readonly detail?: string
  readonly source?: { readonly pointer?: string; readonly parameter?: string }
  readonly meta?: Readonly<Record<string, unknown>>
}

/** The API's own sentence is the message. `status` 0: the service cannot be reached. */
export class Refusal extends Error {
  readonly status: number
  readonly faults: readonly Fault[]
  readonly retryAfterS: number | null

  constructor(status: number, faults: readonly Fault[], retryAfterS: number | null) {
    super(faults.map(({ detail, title }) => detail ?? title ?? 'Refused.').join(' '))
    this.status = status
    this.faults = faults
    this.retryAfterS = retryAfterS
  }
}

export interface Answer<Data, Included> {
  readonly data: Data
  readonly included?: readonly Included[]
  readonly links?: Readonly<Record<string, string | null>>
  readonly meta?: Readonly<Record<string, unknown>>
}
export type AnswerOf<Path extends keyof Gets> = Answer<Gets[Path]['data'], Gets[Path]['included']>
/** Parameters that this GET has; another one does not compile. */
export type QueryOf<Path extends keyof Gets> = [Gets[Path]['query']] extends [never]
  ? Readonly<Record<string, never>>
  : Readonly<Partial<Record<Gets[Path]['query'], string | number | boolean | null | undefined>>>
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

const jsonApi = 'application/vnd.api+json'
export class Connection {
  readonly credentials: Credentials

  constructor(credentials: Credentials) {
    this.credentials = credentials
  }

  /** `path` is a path of the description, such as `/v2/shipments/{id}`; `ids` fill it, in order. */
  async read<Path extends keyof Gets & string>(
    path: Path,
    { ids = [], query, signal }: { ids?: readonly string[]; query?: QueryOf<Path>; signal?: AbortSignal } = {},
  ): Promise<AnswerOf<Path>> {
    const answer = await this.send('GET', filled(path, ids) + written(query ?? {}), {
      signal: signal ?? null,
    })
    return (await answer.json()) as AnswerOf<Path>
  }

  /** For verbs, and for answers that are not resources. Gives null when the answer has no body. */
  async ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await this.send(method, path, { body: body === undefined ? null : JSON.stringify(body) })
    const text = await answer.text()
    return text === '' ? null : (JSON.parse(text) as unknown)
  }

  /** A body as it is, whatever its media type. */
  async text(path: string): Promise<string> {
    return (await this.send('GET', path, { accept: '*/*' })).text()
  }

  /** Sends a table (CSV or XLSX) as it is. */
  async sendTable(path: string, table: Blob): Promise<unknown> {
    const answer = await this.send('POST', path, { body: table, contentType: 'application/octet-stream' })
    return (await answer.json()) as unknown
  }

  /** The bytes of an answer, to be saved as a file. */
  async blob(path: string, accept = '*/*'): Promise<Blob> {
    return (await this.send('GET', path, { accept })).blob()
  }

  headers(accept: string): Record<string, string> {
    return this.credentials.kind === 'key'
      ? { accept, authorization: `Token ${this.credentials.key}` }
      : { accept, 'x-landfall-session': this.credentials.token }
  }

  private async send(
    method: string,
    path: string,
    {
      body = null,
      signal = null,
      accept = jsonApi,
      contentType = jsonApi,
    }: {
      body?: string | Blob | null
      signal?: AbortSignal | null
      accept?: string
      contentType?: string
    },
  ): Promise<Response> {
    const headers = { ...this.headers(accept), ...(body === null ? {} : { 'content-type': contentType }) }
    const answer = await fetch(path, { method, body, signal, headers, cache: 'no-store' }).catch((error: unknown) => {
      if (signal?.aborted === true) throw error
      throw new Refusal(0, [{ status: '0', detail: 'The service cannot be reached.' }], null)
    })
    noteJourneyTime(answer.headers.get('landfall-journey-time'))
    if (answer.ok) return answer
    throw await refusalOf(answer)
  }
}

async function refusalOf(answer: Response): Promise<Refusal> {
  const document = (await answer.json().catch(() => null)) as { errors?: unknown } | null
  const faults = Array.isArray(document?.errors) ? (document.errors as readonly Fault[]) : []
  const after = Number(answer.headers.get('retry-after') ?? Number.NaN)
  const unsaid = [{ status: String(answer.status), detail: `The answer was ${answer.status}.` }]
  return new Refusal(answer.status, faults.length > 0 ? faults : unsaid, Number.isNaN(after) ? null : after)
}

function filled(path: string, ids: readonly string[]): string {
  let at = 0
  return path.replaceAll(/\{[^}]+\}/g, () => encodeURIComponent(ids[at++] ?? ''))
}

/** Null and undefined are left out; an empty text is sent, since `page[after]=` is the beginning of a list. */
export function written(query: Query): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined) search.set(name, String(value))
  return search.size === 0 ? '' : `?${search}`
}
