/** What went wrong with a request, with the words of the API. */

/** One error of the API's answer. */
export interface Fault {
  readonly status: string
  /** Stable; the list is in docs/errors.md. */
  readonly code?: string
  readonly title?: string
  readonly detail?: string
  /** The field (`pointer`), parameter or header that is wrong. */
  readonly source?: { readonly pointer?: string; readonly parameter?: string; readonly header?: string }
  readonly meta?: Readonly<Record<string, unknown>>
}

/** The API refused, or failed after all retries. `message` has its sentences. */
export class Refused extends Error {
  override readonly name = 'Refused'
  /** The HTTP status. */
  readonly status: number
  readonly faults: readonly Fault[]
  /** What the operator finds in the log. */
  readonly requestId: string | null
  readonly retryAfterS: number | null

  constructor({ status, faults, requestId, retryAfterS }: Omit<Refused, keyof Error | 'codes'>) {
    super(faults.map(({ detail, title, source }) => `${detail ?? title ?? ''}${placeOf(source)}`).join(' '))
    this.status = status
    this.faults = faults
    this.requestId = requestId
    this.retryAfterS = retryAfterS
  }

  /** The codes of all faults: `refused.codes.includes('duplicate')`. */
  get codes(): readonly string[] {
    return this.faults.flatMap(({ code }) => code ?? [])
  }
}

/** Nobody answered, after all retries. `cause` is the error of the last attempt. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

export async function refusedOf(response: Response): Promise<Refused> {
  const document = (await response.json().catch(() => null)) as { readonly errors?: unknown } | null
  const errors = Array.isArray(document?.errors) ? (document.errors as readonly Fault[]) : []
  const { status } = response
  const faults = errors.length > 0 ? errors : [{ status: `${status}`, title: `The answer was ${status}.` }]
  return new Refused({
    status,
    faults,
    requestId: response.headers.get('x-request-id'),
    retryAfterS: retryAfterOf(response),
  })
}

/** `Retry-After` in seconds; it may be a date. */
export function retryAfterOf(response: Response): number | null {
  const text = response.headers.get('retry-after')
  if (text === null) return null
  const seconds = Number(text)
  const waitS = Number.isNaN(seconds) ? (Date.parse(text) - Date.now()) / 1000 : seconds
  return Number.isNaN(waitS) ? null : Math.max(0, waitS)
}

function placeOf(source: Fault['source']): string {
  const place = source?.pointer ?? source?.parameter ?? source?.header
  return place === undefined ? '' : ` (${place})`
}
