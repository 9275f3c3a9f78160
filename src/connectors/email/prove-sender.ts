/**
 * Finds out whether an e-mail is from the domain that its `From` names: SPF (RFC 7208) states from which addresses a
 * domain sends; DKIM (RFC 6376) states that a domain has signed the mail. Either proves the author's domain only if it
 * passed for that domain itself, for one above it or for one below it. (DMARC also accepts others under the same
 * registered domain; that needs a list of such domains, and refusing is the safe side.)
 */

import { domainToASCII } from 'node:url'
import type { DKIMResult, DNSResolver } from 'mailauth'
import type { FindRecords } from '../../platform/name-servers.ts'
import type { RawField, RawMail } from './raw-mail.ts'

export interface SmtpSession {
  /** The client that delivered the mail; null when a server in front did not state it. */
  readonly clientIp: string | null
  readonly helo: string | null
  /** Of the envelope; empty for a mail without one, such as a report about a delivery. */
  readonly mailFrom: string
}

export interface SenderProof {
  /** A result code of RFC 7208, 2.6. */
  readonly spf: string
  /** `pass` when one signature is valid, else the best result code (RFC 8601, 2.7.1). */
  readonly dkim: string
  /** True when the author's domain itself is proved. */
  readonly isAligned: boolean
  /** True when another try may give another result, because a name server did not answer. */
  readonly isUnsure: boolean
}

/** Further signatures are not checked: each check queries name servers. */
const signaturesMax = 8

export async function proveSender(
  mail: RawMail,
  {
    author,
    sending,
    findRecords,
  }: { readonly author: string | null; readonly sending: SmtpSession; readonly findRecords: FindRecords },
): Promise<SenderProof> {
  const domain = author === null ? null : domainOf(author)
  const [byAddress, signatures] = await Promise.all([
    checkSpf(sending, findRecords),
    checkDkimSignatures(mail, findRecords),
  ])
  const proved = [
    ...(byAddress.result === 'pass' ? [byAddress.domain] : []),
    ...signatures.flatMap((each) => (each.result === 'pass' ? [each.domain] : [])),
  ]
  const isAligned = domain !== null && proved.some((each) => areDomainsAligned(each, domain))
  const results = signatures.map(({ result }) => result)
  return {
    spf: byAddress.result,
    dkim: results.length === 0 ? 'none' : (order.find((outcome) => results.includes(outcome)) ?? 'neutral'),
    isAligned,
    isUnsure: !isAligned && (byAddress.result === 'temperror' || results.includes('temperror')),
  }
}

const order = ['pass', 'temperror', 'policy', 'fail', 'neutral', 'permerror'] as const

interface AuthenticationResult {
  readonly result: string
  readonly domain: string
}

/** For a mail without an envelope sender, SPF is about the name that the client gave itself. */
async function checkSpf(
  { clientIp, helo, mailFrom }: SmtpSession,
  findRecords: FindRecords,
): Promise<AuthenticationResult> {
  const domain = mailFrom === '' ? asciiOf(helo ?? '') : domainOf(mailFrom)
  if (clientIp === null || domain === null) return { result: 'none', domain: '' }
  const { spf } = await import('mailauth/lib/spf/index.js')
  const { status } = await spf({
    sender: mailFrom,
    ip: clientIp,
    helo: helo ?? domain,
    mta: 'landfall',
    resolver: asResolver(findRecords),
  })
  return { result: status.result, domain }
}

async function checkDkimSignatures(
  { fields, rest }: RawMail,
  findRecords: FindRecords,
): Promise<readonly AuthenticationResult[]> {
  const signed = fields.filter(({ name }) => name === 'dkim-signature')
  if (signed.length === 0) return []
  const counted = signed.filter(coversAll).slice(0, signaturesMax)
  if (counted.length === 0) return [{ result: 'policy', domain: '' }]
  const coveredFields = fields.filter((field) => counted.includes(field) || !isSignatureField(field))
  const { dkimVerify } = await import('mailauth/lib/dkim/verify.js')
  const { results } = await dkimVerify(Buffer.concat([...coveredFields.map(({ bytes }) => bytes), rest]), {
    resolver: asResolver(findRecords),
  })
  return (results as readonly VerifiedSignature[]).map(({ status, signingDomain, algo, ...rest }) => {
    const { signatureTimeValid, signingHeaders, canonBodyLengthLimited } = rest
    const names = String(signingHeaders?.keys ?? '')
      .toLowerCase()
      .split(/[\s:,]+/)
    // SHA-1 is no longer accepted (RFC 8301), nor is a signature that does not include the author (RFC 6376, 5.4).
    const isWhole = names.includes('from') && canonBodyLengthLimited !== true
    const isStrong = /sha256$/i.test(algo ?? '') && isWhole && signatureTimeValid !== false
    const result = status.result === 'pass' && !isStrong ? 'policy' : status.result
    return { result, domain: asciiOf(signingDomain ?? '') ?? '' }
  })
}

/** Members of a result that the types of the package leave out. */
type VerifiedSignature = DKIMResult & {
  readonly algo?: string
  readonly signatureTimeValid?: boolean
  readonly signingHeaders?: { readonly keys: string }
  readonly canonBodyLengthLimited?: boolean
}

/** The type of the package allows texts only, though its own code queries MX records, which are objects. */
function asResolver(findRecords: FindRecords): DNSResolver {
  return findRecords as DNSResolver
}

/** With `l=`, anything may be added below what is signed, an attachment too. */
function coversAll({ bytes }: RawField): boolean {
  return !/[:;]\s*l\s*=/i.test(bytes.toString('latin1'))
}

function isSignatureField({ name }: RawField): boolean {
  return name === 'dkim-signature' || name.startsWith('arc-')
}

/** Null when it is no address with a domain. */
export function domainOf(address: string): string | null {
  const at = address.lastIndexOf('@')
  return at < 0 ? null : asciiOf(address.slice(at + 1))
}

function asciiOf(domain: string): string | null {
  const ascii = domainToASCII(domain.trim().replace(/\.$/, '')).toLowerCase()
  return ascii.includes('.') ? ascii : null
}

function areDomainsAligned(proved: string, author: string): boolean {
  return proved !== '' && (proved === author || author.endsWith(`.${proved}`) || proved.endsWith(`.${author}`))
}
