/** Invitations to an account, each for one e-mail address, for a limited time and for one use. */

import type { Db } from '../../db/database.ts'

export interface Invitation {
  readonly accountId: string
  readonly id: string
  readonly email: string
  readonly emailKey: string
  readonly role: string
  /** The person; null when a key or the operator invited. */
  readonly invitedBy: string | null
  readonly createdAt: string
  readonly expiresAt: string
}

export interface OpenInvitation extends Invitation {
  readonly companyName: string
}

const columns = `i.account_id as "accountId", i.id, i.email, i.email_key as "emailKey", i.role, i.invited_by as "invitedBy",
  i.created_at as "createdAt", i.expires_at as "expiresAt"`

export async function insertInvitation(db: Db, invitation: Invitation & { readonly tokenHmac: Buffer }): Promise<void> {
  await db.query({
    name: 'invitation_insert',
    text: `insert into invitations
             (account_id, id, email, email_key, role, token_hmac, invited_by, created_at, expires_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    values: [
      invitation.accountId,
      invitation.id,
      invitation.email,
      invitation.emailKey,
      invitation.role,
      invitation.tokenHmac,
      invitation.invitedBy,
      invitation.createdAt,
      invitation.expiresAt,
    ],
  })
}

/** Invitations that can still be accepted, newest first. */
export async function listInvitations(
  db: Db,
  of: { readonly accountId: string; readonly now: string },
): Promise<readonly Invitation[]> {
  const { rows } = await db.query<Invitation>({
    name: 'invitations_list',
    text: `select ${columns} from invitations i
            where i.account_id = $1 and i.accepted_at is null and i.revoked_at is null and i.expires_at > $2
            order by i.created_at desc, i.id`,
    values: [of.accountId, of.now],
  })
  return rows
}

/** Null when it was used or withdrawn, has expired, or never existed. */
export async function findInvitation(
  db: Db,
  token: { readonly hmac: Buffer; readonly now: string },
): Promise<OpenInvitation | null> {
  const { rows } = await db.query<OpenInvitation>({
    name: 'invitation_find',
    text: `select ${columns}, a.company_name as "companyName"
             from invitations i join accounts a on a.id = i.account_id
            where i.token_hmac = $1 and i.accepted_at is null and i.revoked_at is null and i.expires_at > $2`,
    values: [token.hmac, token.now],
  })
  return rows[0] ?? null
}

/** When two callers accept it at the same moment, only one gets true. */
export async function markInvitationAccepted(
  db: Db,
  key: { readonly accountId: string; readonly id: string; readonly now: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'invitation_take',
    text: `update invitations set accepted_at = $3
            where account_id = $1 and id = $2 and accepted_at is null and revoked_at is null and expires_at > $3`,
    values: [key.accountId, key.id, key.now],
  })
  return rowCount === 1
}

/** Revokes those for one address, except `butId`, when an address is given; otherwise the one with this id. */
export async function revokeInvitations(
  db: Db,
  key: {
    readonly accountId: string
    readonly id: string | null
    readonly emailKey: string | null
    readonly butId: string | null
    readonly now: string
  },
): Promise<readonly Invitation[]> {
  const { rows } = await db.query<Invitation>({
    name: 'invitations_revoke',
    text: `update invitations i set revoked_at = $4
            where i.account_id = $1 and (i.id = $2 or i.email_key = $3)
              and ($5::uuid is null or i.id <> $5)
              and i.accepted_at is null and i.revoked_at is null
           returning ${columns}`,
    values: [key.accountId, key.id, key.emailKey, key.now, key.butId],
  })
  return rows
}
