/** When a webhook is switched off for its failures, the people who manage webhooks are told by mail, where mail is sent. */

import type { Db } from '../../../store/database.ts'
import { listMembers } from '../../../store/memberships.ts'
import { linkTo, sendsMail } from '../../ground/choices.ts'
import { queueMail } from '../../ground/queue-mail.ts'
import { grantOf, parseRole } from '../../roles.ts'
import type { Service } from '../../service.ts'

/** Later it is no news any more. */
const goodForMs = 5 * 86_400_000

/**
 * In the transaction that switches it off; each person gets a mail of their own, so that nobody reads of the others. The
 * address of the webhook is told by its host alone: what follows may be a secret.
 */
export async function tellDisabled(
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
        text: `Hello ${name},\n\nLandfall has switched off the webhook ${webhookId} to ${host}, and sends it nothing more. ${reason}\n\nOnce its receiver works, switch it on again:\n\n  PATCH ${api}\n  {"data": {"attributes": {"active": true}}}\n\nand have what was missed sent once more:\n\n  POST ${api}/recover\n  {"since": "<time>", "until": "<time>", "mode": "failed_only"}\n`,
      },
    })
  }
}
