// The settings of the server that receives e-mail; a group of the table in `settings.ts`.
import { domainName, hosts, integer, networks, optionalText, portOrNone, type Setting } from './setting.ts'

/** The defaults are far above what people send. Only loops and attacks reach them. */
function perHour(variable: string, fallback: number, which: string): Setting<number> {
  const range = { fallback, min: 0, max: 1_000_000 }
  return integer(variable, range, `${which} that are accepted in an hour; 0: no limit.`)
}

export const mailInSettings = {
  port: portOrNone(
    'LANDFALL_MAIL_IN_PORT',
    'none; with the sandbox the third port after LANDFALL_PORT, if it is free, and only for programs on this machine',
    'Port of the SMTP server that receives e-mail with documents; 0: no such server.',
  ),
  host: optionalText(
    'LANDFALL_MAIL_IN_HOST',
    'LANDFALL_HOST',
    'Address that the SMTP server listens on; 0.0.0.0: every IPv4 address.',
  ),
  domain: domainName(
    'LANDFALL_MAIL_IN_DOMAIN',
    'none: needed with LANDFALL_MAIL_IN_PORT',
    'Domain of the addresses to which documents are sent. Its MX record must name this server.',
  ),
  messageMb: integer(
    'LANDFALL_MAIL_IN_MB',
    { fallback: 25, min: 1, max: 100 },
    'Largest e-mail, in megabytes. The encoding of e-mail makes an attachment a third larger than its file.',
  ),
  recipientsMax: integer(
    'LANDFALL_MAIL_IN_RECIPIENTS',
    { fallback: 20, min: 1, max: 1_000 },
    'Most recipients of one e-mail.',
  ),
  connectionsMax: integer(
    'LANDFALL_MAIL_IN_CONNECTIONS',
    { fallback: 50, min: 1, max: 10_000 },
    'Most connections to the SMTP server at the same time.',
  ),
  perAddressHour: perHour('LANDFALL_MAIL_IN_PER_ADDRESS', 500, 'E-mails from one network address'),
  perAccountHour: perHour('LANDFALL_MAIL_IN_PER_ACCOUNT', 1_000, 'E-mails to one account'),
  keptDays: integer(
    'LANDFALL_MAIL_IN_KEPT_DAYS',
    { fallback: 30, min: 1, max: 3_650 },
    'How long the original e-mail is kept. Its documents, its text and the record of its parts are not deleted with it.',
  ),
  tlsKeyFile: optionalText(
    'LANDFALL_MAIL_IN_TLS_KEY',
    'none: STARTTLS is not offered',
    'File with the key for STARTTLS (PEM). Read again when it changes.',
  ),
  tlsCertificateFile: optionalText(
    'LANDFALL_MAIL_IN_TLS_CERT',
    'none: STARTTLS is not offered',
    'File with the certificate for STARTTLS and its chain of issuers (PEM).',
  ),
  relays: networks(
    'LANDFALL_MAIL_IN_RELAYS',
    'Mail servers (CIDR, separated by commas) that pass e-mail on to this server. Their XFORWARD and XCLIENT commands are trusted to name the sender.',
  ),
  nameServers: hosts(
    'LANDFALL_MAIL_IN_DNS',
    'Name servers (address:port) for the SPF and DKIM records of senders. If it is not set, the name servers of the machine are used.',
  ),
} as const satisfies Record<string, Setting<unknown>>
