// The settings of the authorization server: how long its codes and tokens last, and which server replaces it.
import { number, type Setting, text, url } from './setting.ts'

export const oauthSettings = {
  issuer: url(
    'LANDFALL_OAUTH_ISSUER',
    'this installation itself',
    'Another authorization server. Its tokens (JWT, RFC 9068) are then accepted instead of those of Landfall.',
  ),
  accountClaim: text(
    'LANDFALL_OAUTH_ACCOUNT_CLAIM',
    'landfall_account',
    'Claim in those tokens that has the id of the account, or a list of ids if the token is for several accounts.',
  ),
  accessTokenMinutes: number(
    'LANDFALL_OAUTH_ACCESS_TOKEN_MINUTES',
    { fallback: 15, min: 0.1, max: 1_440 },
    'How long an access token of Landfall is valid. Apps renew it by themselves.',
  ),
  refreshTokenDays: number(
    'LANDFALL_OAUTH_REFRESH_TOKEN_DAYS',
    { fallback: 30, min: 0.01, max: 365 },
    'If an app is not used for this long, a person must allow it again.',
  ),
  grantDays: number(
    'LANDFALL_OAUTH_GRANT_DAYS',
    { fallback: 180, min: 0.01, max: 3_650 },
    'After this long a person must allow an app again, also if it is used every day.',
  ),
  unusedClientDays: number(
    'LANDFALL_OAUTH_UNUSED_CLIENT_DAYS',
    { fallback: 30, min: 0.01, max: 365 },
    'A registered client that no person has allowed is deleted after this long.',
  ),
  signingKeyDays: number(
    'LANDFALL_OAUTH_SIGNING_KEY_DAYS',
    { fallback: 90, min: 2, max: 3_650 },
    'How long the authorization server signs with one key. The next key is published one day before it is used.',
  ),
} as const satisfies Record<string, Setting<unknown>>
