/** What a person reads when the service is up: where everything is, the first key, and lines to try. */

import type { Config } from '../../platform/config.ts'
import type { Egress } from '../../platform/egress.ts'
import { resourceIdentifiers } from '../../service/access/protected-resources.ts'
import { findOpening, mayReachLoopback } from '../../service/setup/choices.ts'

interface NumberToTry {
  readonly scac: string
  readonly kind: 'bill_of_lading' | 'booking' | 'container'
  readonly number: string
}

const kindsToTry = ['bill_of_lading', 'booking', 'container'] as const

export async function writeWelcome(welcome: {
  readonly config: Config
  readonly account: { readonly key: string; readonly keyFile: string }
  readonly sandboxUrl: string | null
  readonly sandboxEgress: Egress
  readonly carriers: readonly string[]
  readonly logFile: string | null
  readonly say: (sentence: string) => void
}): Promise<void> {
  const { config, account, sandboxUrl, say } = welcome
  const url = config.server.publicUrl ?? `http://${config.server.host}:${config.server.port}`
  say('')
  say('Landfall is up.')
  if (config.server.role !== 'worker') {
    say(`  API      ${url}/v2`)
    say(`  Docs     ${url}/docs`)
    say(`  Portal   ${url}/`)
    say(`  MCP      ${config.server.mcpPort === 0 ? `${url}/mcp` : resourceIdentifiers(config).mcp}`)
  }
  if (config.metrics.mode !== 'off' && config.metrics.port !== 0)
    say(`  Metrics  http://${config.server.host}:${config.metrics.port}/metrics`)
  if (sandboxUrl !== null) say(`  Sandbox  ${sandboxUrl}/sandbox/numbers   (all carriers are simulated)`)
  if (welcome.carriers.length > 0) say(`  Carriers ${welcome.carriers.join(', ')}`)
  if (welcome.logFile !== null) say(`  Log      ${welcome.logFile}`)
  if (sandboxUrl !== null) say(`  ${sayWhereWebhooksGo(config)}`)
  say('')
  say(`API key: ${account.key}`)
  say(`(kept in ${account.keyFile})`)
  if (config.server.role === 'worker') return
  say(`People sign in at ${url}/sign-in; the first one signs up with this key at ${url}/sign-up`)
  say('')
  say('Track something:')
  for (const number of await numbersToTry(sandboxUrl, welcome.sandboxEgress))
    say(`  ${curlLine(url, account.key, number)}`)
  say('Then look at it:')
  say(`  curl -s ${url}/v2/shipments?include=containers -H 'Authorization: Token ${account.key}'`)
  say('')
}

function sayWhereWebhooksGo(config: Config): string {
  return mayReachLoopback(config, true)
    ? 'Webhooks may go to this machine: the sandbox is on and only this machine can reach the server.'
    : `Webhooks may not go to this machine, though the sandbox is on: by ${String(findOpening(config))} others may reach the server.`
}

/** One number of each kind that the sandbox can tell about now; the built-in test number when there is no sandbox. */
async function numbersToTry(sandboxUrl: string | null, egress: Egress): Promise<readonly NumberToTry[]> {
  const builtIn: NumberToTry = { scac: 'TEST', kind: 'bill_of_lading', number: 'TEST-TR-SUCCEEDED' }
  if (sandboxUrl === null) return [builtIn]
  const found: NumberToTry[] = []
  for (const kind of kindsToTry) {
    for (const stage of stagesToTry) {
      const number = await askSandbox(`${sandboxUrl}/sandbox/numbers?kind=${kind}${stage}&limit=1`, egress)
      if (number === null) continue
      found.push(number)
      break
    }
  }
  return found.length > 0 ? found : [builtIn]
}

/** A journey that lies ahead is worth watching: a simulated day may take a second. */
const stagesToTry = ['&stage=loaded', '&stage=gated_in', ''] as const

/** Null when there is none, or no answer: the service is up all the same, there is only nothing to suggest. */
async function askSandbox(url: string, egress: Egress): Promise<NumberToTry | null> {
  const answer = await egress.request({ url, timeoutMs: 5_000, maxBytes: 100_000 })
  if (answer.kind !== 'answer' || answer.status !== 200) return null
  const [first] = JSON.parse(answer.body.toString('utf8')) as NumberToTry[]
  return first ?? null
}

const requestTypes = {
  bill_of_lading: 'bill_of_lading',
  booking: 'booking_number',
  container: 'container',
} as const

function curlLine(url: string, key: string, { scac, kind, number }: NumberToTry): string {
  const attributes = { request_type: requestTypes[kind], request_number: number, scac }
  const body = JSON.stringify({ data: { type: 'tracking_request', attributes } })
  return (
    `curl -s ${url}/v2/tracking_requests -H 'Authorization: Token ${key}' ` +
    `-H 'Content-Type: application/vnd.api+json' -d '${body}'`
  )
}
