// The settings of the authorization server: how long its codes and tokens last, and which server replaces it.
import { number, type Setting, text, url } from './setting.ts'

export const oauthSettings = {
  issuer: url(
    'LANDFALL_OAUTH_ISSUER',
    'this installation itself',
    'Another authorization server whose tokens (JWT, RFC 9068) are taken instead of our own.',
  ),
  accountClaim: text(
    'LANDFALL_OAUTH_ACCOUNT_CLAIM',
    'landfall_account',
    'Claim of those tokens that names the account by its id; a list of ids where a token spans accounts.',
  ),
  accessTokenMinutes: number(
    'LANDFALL_OAUTH_ACCESS_TOKEN_MINUTES',
    { fallback: 15, min: 0.1, max: 1_440 },
    'How long an access token of ours is good; apps renew it by themselves.',
  ),
  refreshTokenDays: number(
    'LANDFALL_OAUTH_REFRESH_TOKEN_DAYS',
    { fallback: 30, min: 0.01, max: 365 },
    'An app that does not come back for this long has to be let in again.',
  ),
  grantDays: number(
    'LANDFALL_OAUTH_GRANT_DAYS',
    { fallback: 180, min: 0.01, max: 3_650 },
    'However much it is used, an app has to be let in again after this long.',
  ),
  unusedClientDays: number(
    'LANDFALL_OAUTH_UNUSED_CLIENT_DAYS',
    { fallback: 30, min: 0.01, max: 365 },
    'A registered client that nobody lets in for this long, and that nobody has let in, is forgotten.',
  ),
  signingKeyDays: number(
    'LANDFALL_OAUTH_SIGNING_KEY_DAYS',
    { fallback: 90, min: 2, max: 3_650 },
    'How long the authorization server signs with one key; the next one is published a day before.',
  ),
} as const satisfies Record<string, Setting<unknown>>
