/** What a finding means for an operator, and what to do, each in plain sentences. */

import type { ConnectionTarget } from './connection-target.ts'
import type { AccessCause, AccessFinding } from './diagnose-access.ts'
import type { AccessTrial } from './try-access.ts'

/** What the sentences name. */
export interface DescribedTarget {
  readonly name: string
  readonly secretNames: readonly string[]
  readonly portal: string | null
  readonly product: string | null
}

export interface FindingText {
  readonly summary: string
  /** Empty where there is nothing to do. */
  readonly remedy: string
}

export function describeTrial(
  { name, secretNames, guide }: ConnectionTarget,
  { finding }: Pick<AccessTrial, 'finding'>,
): FindingText {
  return describeFinding(finding, { name, secretNames, portal: guide?.portal ?? null, product: guide?.product ?? null })
}

export function describeFinding({ cause, detail }: AccessFinding, of: DescribedTarget): FindingText {
  const { name } = of
  const inPortal = of.portal === null ? `at ${name}` : `at ${of.portal}`
  const product = of.product === null ? 'the product that covers tracking' : `the product “${of.product}”`
  const secrets = of.secretNames.join(', ') || 'the secrets'
  const texts: Readonly<Record<AccessCause, readonly [string, string]>> = {
    works: ['The access works.', ''],
    unknown_number: [
      `The access works, but ${name} does not know this number, or your customer code is no party to the shipment.`,
      'Check the number and its kind. Try a number that you see in your own account of the carrier.',
    ],
    test_address: [
      `${detail} is a test system of ${name}: its answers are examples, not your shipments.`,
      'Set `base` to the address of the real system, and use the secrets of the real system.',
    ],
    wrong_secret: [
      `${name} does not accept the secret (${detail}).`,
      `Copy ${secrets} again ${inPortal}, without blanks and quotes. A new secret may need some minutes.`,
    ],
    wrong_plan: [
      `${name} knows the secret, but your plan does not include this interface (${detail}).`,
      `Add ${product} to your application ${inPortal}, and wait for the approval.`,
    ],
    missing_scope: [
      `The token of ${name} lacks the permission for tracking (${detail}).`,
      'Set `auth.oauth.scope` to the scope that the carrier gave you, or ask the carrier to grant it.',
    ],
    ip_not_allowed: [
      `${name} does not accept requests from the address of this machine (${detail}).`,
      `Give the carrier the public IP address from which this machine sends requests, and ask for an entry in its list.`,
    ],
    clock_skew: [
      `The clock of this machine is ${detail}, and ${name} refuses requests that are signed with a wrong time.`,
      'Set the clock with NTP (`timedatectl set-ntp true` on most systems of Linux), and try again.',
    ],
    certificate_expired: [
      `A certificate has expired: ${detail}.`,
      detail.startsWith('your')
        ? `Renew it ${inPortal}, and give the new certificate with its private key.`
        : `Only ${name} can renew it. Tell its support; Landfall does not send secrets to a server that it cannot verify.`,
    ],
    certificate_needed: [
      `${name} demands a client certificate (mutual TLS), and accepts none that it was sent (${detail}).`,
      'Set `auth.certificate` to true in the profile, and give `certificate` and `privateKey` that the carrier has registered.',
    ],
    certificate_untrusted: [
      `The certificate of ${name} cannot be verified (${detail}).`,
      'If your network has a proxy that opens TLS, name its certificate with NODE_EXTRA_CA_CERTS. Otherwise check `base`.',
    ],
    rate_limited: [
      `The limit of ${name} is used up${detail === '' ? '' : `: ${detail}`}.`,
      'Other programs may use the same secret. Wait, or ask for a plan with more requests.',
    ],
    wrong_address: [
      `There is no interface at this address: ${detail}.`,
      'Compare `base` and `path` with what the carrier gave you.',
    ],
    question_refused: [
      `${name} refuses the question (${detail}).`,
      'Check the kind of the number, and whether this carrier can be asked by it.',
    ],
    refused: [
      `${name} refuses the request and does not state why (${detail}).`,
      `The usual reasons: the plan does not include this interface, or the carrier allows only known IP addresses. Ask ${inPortal}.`,
    ],
    no_answer: [
      `${name} gave no usable answer (${detail}).`,
      'Try again later. If it stays so, check whether a firewall or a proxy blocks requests to this host.',
    ],
    not_sent: [`The request was not sent: ${detail}.`, 'Correct the profile or the secrets.'],
    not_understood: [
      `Something answered, but not the interface of ${name}: a page for people, or another format.`,
      'Compare `base` and `path` with what the carrier gave you. `landfall sources read` shows how an answer is read.',
    ],
  }
  const [summary, remedy] = texts[cause]
  return { summary, remedy }
}
