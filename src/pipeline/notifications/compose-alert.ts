/** The text of an alert: as a mail, for Slack and Teams, and as JSON for programs. */

import type { AttentionReason } from '../../domain/view/attention-reasons.ts'
import type { UrlFormat } from '../../modules/alerts/alert-rules-sql.ts'
import { linkTo } from '../../modules/derived-settings.ts'
import type { Service } from '../../modules/service.ts'
import type { Mail } from '../jobs/queue-mail.ts'

/** What one message is about. */
export interface AlertContent {
  readonly rule: { readonly id: string; readonly name: string }
  readonly companyName: string
  readonly items: readonly AlertLine[]
  readonly isTest?: boolean
}

export interface AlertLine {
  readonly id: string
  readonly reason: AttentionReason
  readonly text: string
  readonly shipmentId: string | null
}

/** Maximum items in a message; it then states how many more there are. */
const linesMax = 50

export function writeAlertMail(
  service: Service,
  content: AlertContent,
  to: { readonly email: string; readonly stopLink: string },
): Mail {
  const lines = content.items.slice(0, linesMax).map(({ text }) => `- ${oneLine(text)}`)
  return {
    to: to.email,
    subject: oneLine(titleOf(content)),
    text: `${[titleOf(content), '', ...lines, ...describeRemainder(content)].join('\n')}\n\nAll that needs attention: ${linkTo(service.config, '/')}\nThe alert rule "${oneLine(content.rule.name)}" of ${oneLine(content.companyName)} sent this mail.\nStop these mails to this address: ${to.stopLink}\n`,
  }
}

/** The JSON that is posted to the rule's URL. */
export function writeAlertBody(content: AlertContent, format: UrlFormat, sentAt: string): unknown {
  if (format === 'json') {
    const { rule, items, isTest = false } = content
    return {
      type: 'attention_items',
      is_test: isTest,
      rule,
      sent_at: sentAt,
      total: items.length,
      items: items.slice(0, linesMax).map(({ id, reason, text, shipmentId }) => {
        return { id, reason, text, shipment_id: shipmentId }
      }),
    }
  }
  const lines = content.items.slice(0, linesMax).map(({ text }) => oneLine(text))
  if (format === 'slack') {
    // Slack reads these three characters as markup (https://api.slack.com/reference/surfaces/formatting).
    const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    const text = [titleOf(content), ...lines.map((line) => `• ${line}`), ...describeRemainder(content)]
    return { text: text.map(escaped).join('\n') }
  }
  const block = (text: string, more: object = {}) => ({ type: 'TextBlock', text, wrap: true, ...more })
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            block(titleOf(content), { weight: 'Bolder' }),
            ...[...lines, ...describeRemainder(content)].map((line) => block(line)),
          ],
        },
      },
    ],
  }
}

function titleOf({ rule, items, isTest }: AlertContent): string {
  if (isTest === true) return `${rule.name}: a test of this alert rule`
  return `${rule.name}: ${items.length} ${items.length === 1 ? 'thing needs' : 'things need'} attention`
}

function describeRemainder({ items }: AlertContent): readonly string[] {
  return items.length <= linesMax ? [] : [`… and ${items.length - linesMax} more.`]
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
}
