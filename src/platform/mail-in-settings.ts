// The settings of the server that takes e-mail in; a group of the table in `settings.ts`.
import { domainName, hosts, networks, optionalText, portOrNone, type Setting, whole } from './setting.ts'

/** The defaults are far above what people send. Only loops and attacks reach them. */
function anHour(variable: string, fallback: number, which: string): Setting<number> {
  const range = { fallback, min: 0, max: 1_000_000 }
  return whole(variable, range, `${which} that are taken in an hour; 0 is no limit.`)
}

export const mailInSettings = {
  port: portOrNone(
    'LANDFALL_MAIL_IN_PORT',
    'none; with the sandbox, and only for this machine, the third port after LANDFALL_PORT, where it is free',
    'Port of the SMTP server that takes e-mail with documents in; 0 for none.',
  ),
  host: optionalText(
    'LANDFALL_MAIL_IN_HOST',
    'LANDFALL_HOST',
    'Address that the SMTP server listens on: 0.0.0.0 for every IPv4 address.',
  ),
  domain: domainName(
    'LANDFALL_MAIL_IN_DOMAIN',
    'none: needed with LANDFALL_MAIL_IN_PORT',
    'Domain of the addresses that documents are sent to. Its MX record must lead here.',
  ),
  messageMb: whole(
    'LANDFALL_MAIL_IN_MB',
    { fallback: 25, min: 1, max: 100 },
    'Largest e-mail, in megabytes as it is sent; an attachment becomes a third larger by that.',
  ),
  recipientsMax: whole(
    'LANDFALL_MAIL_IN_RECIPIENTS',
    { fallback: 20, min: 1, max: 1_000 },
    'Recipients of one e-mail.',
  ),
  connectionsMax: whole(
    'LANDFALL_MAIL_IN_CONNECTIONS',
    { fallback: 50, min: 1, max: 10_000 },
    'Connections to the SMTP server at a time.',
  ),
  perAddressHour: anHour('LANDFALL_MAIL_IN_PER_ADDRESS', 500, 'E-mails of one network address'),
  perAccountHour: anHour('LANDFALL_MAIL_IN_PER_ACCOUNT', 1_000, 'E-mails to one account'),
  keptDays: whole(
    'LANDFALL_MAIL_IN_KEPT_DAYS',
    { fallback: 30, min: 1, max: 3_650 },
    'How long an e-mail is kept as it came. Its documents, its text and what became of its parts stay.',
  ),
  tlsKeyFile: optionalText(
    'LANDFALL_MAIL_IN_TLS_KEY',
    'none: STARTTLS is not offered',
    'File with the key for STARTTLS (PEM). Read again when it changes.',
  ),
  tlsCertificateFile: optionalText(
    'LANDFALL_MAIL_IN_TLS_CERT',
    'none: STARTTLS is not offered',
    'File with the certificate for STARTTLS and those above it (PEM).',
  ),
  relays: networks(
    'LANDFALL_MAIL_IN_RELAYS',
    'Mail servers in front (CIDR, separated by commas) that are believed when XFORWARD or XCLIENT says who the sender is.',
  ),
  nameServers: hosts(
    'LANDFALL_MAIL_IN_DNS',
    "Name servers (address:port) that are asked for senders' SPF and DKIM records, instead of the machine's.",
  ),
} as const satisfies Record<string, Setting<unknown>>
