/** A receiver of webhooks on this machine, to which commands send what a webhook would send. */

import { UsageError } from '../framework/command.ts'

export const hexHeader = 'x-landfall-signature'
const patienceMs = 15_000

/** Throws a usage error when the address is none. */
export function parseReceiverUrl(to: string): string {
  if (!/^https?:\/\//.test(to) || !URL.canParse(to)) throw new UsageError(`${to} is not a URL with http or https.`)
  return to
}

export interface PostResult {
  readonly isGood: boolean
  /** The status of the answer, or why there was none. */
  readonly outcome: string
}

export async function postTo(
  to: string,
  { body, headers }: { readonly body: Buffer; readonly headers: readonly (readonly [name: string, value: string])[] },
): Promise<PostResult> {
  try {
    const answer = await fetch(to, {
      method: 'POST',
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
      headers: { 'content-type': 'application/json', ...Object.fromEntries(headers) },
    })
    await answer.body?.cancel()
    return { isGood: answer.ok, outcome: String(answer.status) }
  } catch (error) {
    const { cause } = error as { readonly cause?: unknown }
    const why = cause instanceof Error ? cause : error
    return { isGood: false, outcome: `no answer (${why instanceof Error ? why.message : String(why)})` }
  }
}
