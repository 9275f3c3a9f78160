/** What a person reads when the service has started: all addresses, the first key, and commands to try. */

import { testScac } from '../domain/values/identifiers.ts'
import type { FirstAccount } from '../modules/accounts/first-account.ts'
import { findRemoteAccessSetting, mayReachLoopback } from '../modules/derived-settings.ts'
import type { MailServerSettings } from '../modules/email-submissions/mail-place.ts'
import { resourceIdentifiers } from '../modules/oauth-apps/protected-resources.ts'
import { callIt } from '../platform/call-it.ts'
import type { Config } from '../platform/config.ts'
import type { Egress } from '../platform/egress.ts'

interface NumberToTry {
  readonly scac: string
  readonly kind: 'bill_of_lading' | 'booking' | 'container'
  readonly number: string
}

const kindsToTry = ['bill_of_lading', 'booking', 'container'] as const

export interface Welcome {
  readonly config: Config
  readonly account: FirstAccount
  readonly sandboxUrl: string | null
  readonly sandboxEgress: Egress
  readonly carriers: readonly string[]
  readonly logFile: string | null
  /** The address for e-mail; null when e-mail is not received. */
  readonly mailPlace: MailServerSettings | null
  readonly firstPerson: {
    readonly hasPeople: boolean
    /** The link with which the first person signs in; null when none is to be shown. */
    readonly link: string | null
  }
}

/** Lines of at most 80 columns if the paths and addresses are short. The commands to try can be pasted into a shell. */
export async function writeWelcome(welcome: Welcome): Promise<string> {
  const { config, account } = welcome
  const hasServer = config.server.role !== 'worker'
  const paragraphs = [describePlaces(welcome), aboutKey(welcome)]
  if (hasServer && account.keyFile !== null) {
    const keyFile = account.keyFile
    const numbers = await numbersToTry(welcome.sandboxUrl, welcome.sandboxEgress)
    paragraphs.push([
      'Track something:',
      ...numbers.flatMap((number) => trackingLines(urlOf(config), keyFile, number)),
      'Then look at it:',
      `  curl -s '${urlOf(config)}/v2/shipments?include=containers' \\`,
      `    ${writeAuthorization(keyFile)}`,
    ])
  }
  const { link } = welcome.firstPerson
  if (hasServer && link !== null)
    paragraphs.push(['To sign in as the first person, open this link. It works once, for ten minutes:', `  ${link}`])
  return ['', ...paragraphs.map((lines) => `${lines.join('\n')}\n`)].join('\n')
}

function describePlaces({ config, sandboxUrl, carriers, logFile, mailPlace }: Welcome): readonly string[] {
  const url = urlOf(config)
  const isServer = config.server.role !== 'worker'
  return [
    'Landfall is up.',
    ...(isServer
      ? [
          `  API      ${url}/v2`,
          `  Docs     ${url}/docs`,
          `  Portal   ${url}/`,
          `  MCP      ${config.server.mcpPort === 0 ? `${url}/mcp` : resourceIdentifiers(config).mcp}`,
        ]
      : []),
    ...(mailPlace === null
      ? []
      : [`  E-mail   smtp://${mailPlace.host}:${mailPlace.port}   (${callIt} mailboxes create)`]),
    ...(config.metrics.mode === 'off' || config.metrics.port === 0
      ? []
      : [`  Metrics  http://${config.server.host}:${config.metrics.port}/metrics`]),
    ...(sandboxUrl === null ? [] : [`  Sandbox  ${sandboxUrl}/sandbox/numbers   (all carriers are simulated)`]),
    ...(carriers.length === 0 ? [] : [`  Carriers ${carriers.join(', ')}`]),
    ...(logFile === null ? [] : [`  Log      ${logFile}`]),
    ...(sandboxUrl === null ? [] : describeWebhookReach(config)),
  ]
}

/** The key itself is shown only once, when it is made. */
function aboutKey({ account, config, firstPerson }: Welcome): readonly string[] {
  const { accountId, keyFile, newKey } = account
  const signIn = `People sign in at ${urlOf(config)}/sign-in`
  const people = config.server.role === 'worker' ? [] : [signIn]
  if (keyFile === null)
    return [
      'The first API key is no longer stored here. This command creates another key:',
      `  ${callIt} keys create "My key" \\`,
      `    --account ${accountId}`,
      ...people,
    ]
  if (people.length > 0 && !firstPerson.hasPeople)
    people.push(`The first person signs up with this key at ${urlOf(config)}/sign-up`)
  return [
    ...(newKey === null
      ? [`The first API key is in ${keyFile}`]
      : [`API key: ${newKey}`, `(shown only now, and stored in ${keyFile})`]),
    ...people,
  ]
}

function urlOf({ server }: Config): string {
  return server.publicUrl ?? `http://${server.host}:${server.port}`
}

function describeWebhookReach(config: Config): readonly string[] {
  return mayReachLoopback(config, true)
    ? ['  Webhooks may go to this machine: the sandbox is on and only this machine can', '           reach the server.']
    : [
        '  Webhooks may not go to this machine, although the sandbox is on: because of',
        `           ${String(findRemoteAccessSetting(config))} others may reach the server.`,
      ]
}

/** One number of each kind for which the sandbox has data now; the built-in test number when there is no sandbox. */
async function numbersToTry(sandboxUrl: string | null, egress: Egress): Promise<readonly NumberToTry[]> {
  const builtIn: NumberToTry = { scac: testScac, kind: 'bill_of_lading', number: 'TEST-TR-SUCCEEDED' }
  if (sandboxUrl === null) return [builtIn]
  const found: NumberToTry[] = []
  for (const kind of kindsToTry) {
    for (const stage of stagesToTry[kind]) {
      const number = await fetchSampleNumber(`${sandboxUrl}/sandbox/numbers?kind=${kind}${stage}&limit=1`, egress)
      if (number === null) continue
      found.push(number)
      break
    }
  }
  return found.length > 0 ? found : [builtIn]
}

const ahead = ['&stage=loaded', '&stage=gated_in', ''] as const
/**
 * Journeys in the future are the interesting ones, because a simulated day may take only a second. The container of one
 * of them continues by train.
 */
const stagesToTry: Readonly<Record<NumberToTry['kind'], readonly string[]>> = {
  bill_of_lading: ['&lively=true', ...ahead],
  booking: ['&lively=true', ...ahead],
  container: ['&lively=true', '&stage=loaded&scenario=rail', '&stage=sailing&scenario=rail', ...ahead],
}

/** Null when the sandbox has none or does not answer. The service works anyway; there is only nothing to suggest. */
async function fetchSampleNumber(url: string, egress: Egress): Promise<NumberToTry | null> {
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

/**
 * The JSON has line breaks where blanks are allowed, so that the command is one line for the shell and several for the
 * reader.
 */
function trackingLines(url: string, keyFile: string, { scac, kind, number }: NumberToTry): readonly string[] {
  return [
    `  curl -s ${url}/v2/tracking_requests \\`,
    `    ${writeAuthorization(keyFile)} \\`,
    `    -H 'Content-Type: application/vnd.api+json' \\`,
    `    -d '{"data":{"type":"tracking_request","attributes":{`,
    `      "request_type":"${requestTypes[kind]}","scac":"${scac}",`,
    `      "request_number":"${number}"}}}'`,
  ]
}

/**
 * The shell reads the key from its file when the command is run. So the key stays out of the shell's history, and the
 * line stays short.
 */
function writeAuthorization(keyFile: string): string {
  const path = /^[\w./-]+$/.test(keyFile) ? keyFile : `'${keyFile.replaceAll("'", `'\\''`)}'`
  return `-H "Authorization: Token $(cat ${path})"`
}
