// The settings of the sign-in by another server (OpenID Connect).
import { choice, onOff, optionalText, type Setting, secret, text, url } from './setting.ts'

export const signInSettings = {
  issuer: url(
    'LANDFALL_SIGN_IN_ISSUER',
    'no sign-in with another server',
    'An OpenID Connect provider by which people sign in: its issuer, as `https://login.example.com/tenant`.',
  ),
  clientId: optionalText('LANDFALL_SIGN_IN_CLIENT_ID', 'none', 'Id of Landfall as a client of this provider.'),
  clientSecret: secret('LANDFALL_SIGN_IN_CLIENT_SECRET', 8, 'a client without a secret', 'The secret of this client.'),
  name: text('LANDFALL_SIGN_IN_NAME', 'your company', 'What the button says after “Sign in with”.'),
  account: optionalText(
    'LANDFALL_SIGN_IN_ACCOUNT',
    'people without an invitation are refused',
    'Id or company name of the account that new people of this provider belong to.',
  ),
  role: choice(
    'LANDFALL_SIGN_IN_ROLE',
    ['read_only', 'member', 'admin'],
    'read_only',
    'The role that new people of this provider have in that account.',
  ),
  emails: choice(
    'LANDFALL_SIGN_IN_EMAILS',
    ['verified', 'all'],
    'verified',
    'Which e-mail addresses of the provider are trusted: only those that it calls verified, or all. All: for a provider that says nothing about it and in which nobody can choose an address.',
  ),
  passwords: onOff(
    'LANDFALL_SIGN_IN_PASSWORDS',
    'on',
    '`off`: nobody signs in with a password any more. If the other server fails, set it to `on` again.',
  ),
} as const satisfies Record<string, Setting<unknown>>
