// The settings about people: how they sign in, how long they stay signed in, and how mail reaches them.
import { choice, number, optionalText, smtpUrl } from './setting.ts'

export const accountSettings = {
  signUp: choice(
    'LANDFALL_SIGN_UP',
    ['invited', 'open'],
    'invited',
    'Who may sign up. invited: the first person of an account signs up with its API key; all others need an invitation. open: everybody may sign up and gets a new account.',
  ),
  sessionDays: number(
    'LANDFALL_SESSION_DAYS',
    { fallback: 30, min: 0.01, max: 365 },
    'How long a person stays signed in at most.',
  ),
  sessionIdleHours: number(
    'LANDFALL_SESSION_IDLE_HOURS',
    { fallback: 168, min: 0.01, max: 8_760 },
    'A session that is not used for this long ends.',
  ),
  smtpUrl: smtpUrl(
    'LANDFALL_SMTP_URL',
    'Mail server for invitations, new passwords and notices of webhooks that were switched off. Workers send the mails, so set it for workers too. The host may be this machine; a host in a private network must be in LANDFALL_ALLOWED_NETWORKS.',
  ),
  mailFrom: optionalText('LANDFALL_MAIL_FROM', 'landfall@<host of LANDFALL_PUBLIC_URL>', 'Sender of those mails.'),
} as const
