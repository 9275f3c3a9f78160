/**
 * Sends a mail to the people who manage webhooks when a webhook was switched off because of its failures, if mail is
 * set up.
 */

import type { Db } from '../../db/database.ts'
import { grantOf, parseRole } from '../../modules/access/roles.ts'
import { linkTo, sendsMail } from '../../modules/derived-settings.ts'
import { listMembers } from '../../modules/members/memberships-sql.ts'
import type { Service } from '../../modules/service.ts'
import { queueMail } from '../jobs/queue-mail.ts'

/** A later mail would state nothing new. */
const goodForMs = 5 * 86_400_000

/**
 * Runs in the transaction that switches the webhook off. Each person gets a separate mail, so that nobody sees the
 * other addresses. Of the webhook's URL the mail names only the host, because the rest may contain a secret.
 */
export async function notifyDisabled(
  db: Db,
  service: Service,
  webhook: {
    readonly accountId: string
    readonly webhookId: string
    readonly url: string
    readonly reason: string
  },
): Promise<void> {
  if (!sendsMail(service.config)) return
  const { accountId, webhookId, reason } = webhook
  const { host } = new URL(webhook.url)
  const api = linkTo(service.config, `/v2/webhooks/${webhookId}`)
  for (const { email, name, role } of await listMembers(db, { accountId })) {
    const known = parseRole(role)
    if (known === null || !grantOf(known).permissions.includes('webhooks')) continue
    await queueMail(db, service, {
      kind: 'webhook_disabled',
      about: webhookId,
      goodForMs,
      mail: {
        to: email,
        subject: `A webhook to ${host} was switched off`,
        text: `Hello ${name},\n\nLandfall has switched off the webhook ${webhookId} to ${host}, and sends it nothing more. ${reason}\n\nOnce its receiver works, switch it on again:\n\n  PATCH ${api}\n  {"data": {"attributes": {"active": true}}}\n\nand send the missed notifications again:\n\n  POST ${api}/recover\n  {"since": "<time>", "until": "<time>", "mode": "failed_only"}\n`,
      },
    })
  }
}
