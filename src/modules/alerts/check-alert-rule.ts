/** What a client may choose for an alert rule. It is checked before anything is stored; each refusal names its field. */

import { isTimeZone } from '../../domain/values/time-zone.ts'
import type { AttentionReason } from '../../domain/view/attention-reasons.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'
import { findTerminalById } from '../../reference/terminals.ts'
import type { Context } from '../access/context.ts'
import { readFieldFilters } from '../custom-fields/read-field-filters.ts'
import { sendsMail } from '../derived-settings.ts'
import { refusedAt } from '../errors.ts'
import { findParties } from '../parties/parties-sql.ts'
import type { Service } from '../service.ts'
import { parseEmail } from '../sessions/email-address.ts'
import { checkUrl } from '../webhooks/check-webhook.ts'
import type { AlertRule, Delivery, RuleField, RuleShipments, UrlFormat } from './alert-rules-sql.ts'

/** As a client writes it: custom fields by their slugs, each with a text. */
export interface WantedShipments extends Omit<RuleShipments, 'fields'> {
  readonly fields?: Readonly<Record<string, string>>
}

export interface RuleInput {
  readonly name: string
  readonly reasons: readonly AttentionReason[]
  readonly shipments: WantedShipments
  readonly emails: readonly string[]
  readonly webhook: { readonly url: string; readonly format: UrlFormat | null } | null
  readonly delivery: Delivery
  readonly dailyHour: number
  readonly timeZone: string
  readonly isActive: boolean
}

type RuleSettings = Pick<
  AlertRule,
  | 'name'
  | 'reasons'
  | 'shipments'
  | 'emails'
  | 'encryptedUrl'
  | 'urlFormat'
  | 'delivery'
  | 'dailyHour'
  | 'timeZone'
  | 'isActive'
>

const attributePointer = (name: string) => `/data/attributes/${name}`

/** Fields that are left out are not checked. `before`: the rule that is changed. */
export async function checkRule(
  service: Service,
  context: Context,
  { webhook, shipments, ...given }: Partial<RuleInput>,
  before: AlertRule | null,
): Promise<Partial<RuleSettings>> {
  const { name, timeZone, emails, reasons } = given
  if (name !== undefined && (name.trim() === '' || /\p{Cc}/u.test(name)))
    throw refusedAt(attributePointer('name'), 'A name must have at least one character, and no line ends.')
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw refusedAt(attributePointer('time_zone'), 'This is no time zone. One looks like Europe/Berlin.')
  return {
    ...given,
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(reasons === undefined ? {} : { reasons: [...new Set(reasons)] }),
    ...(emails === undefined ? {} : { emails: checkEmails(service, emails) }),
    ...(shipments === undefined ? {} : { shipments: await checkShipments(service, context, shipments) }),
    ...(webhook === undefined ? {} : checkWebhook(service, webhook, before)),
  }
}

function checkEmails(service: Service, emails: readonly string[]): readonly string[] {
  const found = new Map<string, string>()
  for (const [index, text] of emails.entries()) {
    try {
      const { email, emailKey } = parseEmail(text)
      found.set(emailKey, email)
    } catch {
      throw refusedAt(
        attributePointer(`emails/${index}`),
        'This is no e-mail address. One looks like name@example.com.',
      )
    }
  }
  if (found.size > 0 && !sendsMail(service.config))
    throw refusedAt(
      attributePointer('emails'),
      'This installation sends no mail. Its operator must set LANDFALL_SMTP_URL.',
    )
  return [...found.values()]
}

async function checkShipments(
  service: Service,
  context: Context,
  { scac, customerId, tags, pod, terminalId, fields = {} }: WantedShipments,
): Promise<RuleShipments> {
  const { pool } = service
  const accountId = context.account.id
  const line = scac === undefined ? null : findShippingLine(scac)
  if (scac !== undefined && line === null) throw refusedAt(attributePointer('shipments/scac'), 'There is no such line.')
  const port = pod === undefined ? null : findPlaceByCode(pod.replace(/\s/g, '').toUpperCase())
  if (pod !== undefined && port === null)
    throw refusedAt(attributePointer('shipments/port_of_discharge'), 'There is no such place. Give its UN/LOCODE.')
  if (customerId !== undefined) {
    const parties = await findParties(pool, { accountId, ids: [customerId] })
    if (parties.length === 0) throw refusedAt(attributePointer('shipments/customer_id'), 'There is no such party.')
  }
  const terminal = terminalId === undefined ? null : findTerminalById(terminalId)
  if (terminalId !== undefined && terminal === null)
    throw refusedAt(attributePointer('shipments/pod_terminal'), 'There is no such terminal. Give its id.')
  const ofFields = await checkFields(service, context, fields)
  return {
    ...(terminal === null ? {} : { terminalId: terminal.id }),
    ...(ofFields.length === 0 ? {} : { fields: ofFields }),
    ...(line === null ? {} : { scac: line.scac }),
    ...(customerId === undefined ? {} : { customerId }),
    ...(tags === undefined || tags.length === 0 ? {} : { tags }),
    ...(port === null ? {} : { pod: port.unlocode }),
  }
}

async function checkFields(
  service: Service,
  context: Context,
  fields: Readonly<Record<string, string>>,
): Promise<readonly RuleField[]> {
  const given = Object.entries(fields).map(([slug, text]) => {
    const pointer = attributePointer(`shipments/custom_fields/${slug.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    return { slug, text, pointer }
  })
  const conditions = await readFieldFilters(service, context, { entityType: 'Shipment', given })
  return conditions.map((condition, place) => ({ ...condition, slug: given[place]?.slug ?? '' }))
}

/** A URL that is sent back as it was shown is the same URL. */
function checkWebhook(
  service: Service,
  webhook: RuleInput['webhook'],
  before: AlertRule | null,
): Pick<RuleSettings, 'encryptedUrl' | 'urlFormat'> {
  if (webhook === null) return { encryptedUrl: null, urlFormat: null }
  const { url, format } = webhook
  const known = before?.encryptedUrl ? service.encryption.decrypt(before.encryptedUrl) : null
  if (before !== null && known !== null && url === maskUrl(known))
    return { encryptedUrl: before.encryptedUrl, urlFormat: format ?? before.urlFormat }
  checkUrl(url, { egress: service.egress, pointer: attributePointer('webhook/url') })
  return { encryptedUrl: service.encryption.encrypt(url), urlFormat: format ?? formatOf(url) }
}

export function maskUrl(url: string): string {
  return `${new URL(url).origin}/***`
}

function formatOf(url: string): UrlFormat {
  const { hostname } = new URL(url)
  if (/(^|\.)slack\.com$/.test(hostname)) return 'slack'
  return /(^|\.)(webhook\.office\.com|logic\.azure\.com|powerplatform\.com)$/.test(hostname) ? 'teams' : 'json'
}

/** Checks the complete rule. */
export function requireEmailOrWebhook({ emails, encryptedUrl }: Pick<AlertRule, 'emails' | 'encryptedUrl'>): void {
  if (emails.length === 0 && encryptedUrl === null)
    throw refusedAt('/data/attributes', 'A rule needs `emails`, or a `webhook`, or both.')
}
