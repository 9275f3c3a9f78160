// Which network addresses a request of ours may reach: global unicast only, unless the operator allows a network. An
// address is judged as a number, after any IPv4 address inside it (mapped or translated) has been found.
import { BlockList, isIP } from 'node:net'

export type Network = { readonly address: string; readonly prefix: number; readonly family: 'ipv4' | 'ipv6' }

/** Reads text such as 10.0.0.0/8 or ::1. A bare address is a network of one address. */
export function parseNetwork(text: string): Network | null {
  const [address = '', length, ...more] = text.split('/')
  const version = isIP(address)
  const bits = version === 4 ? 32 : 128
  if (version === 0 || more.length > 0 || address.includes('%')) return null
  if (length !== undefined && (!/^\d{1,3}$/.test(length) || Number(length) > bits)) return null
  return {
    address,
    prefix: length === undefined ? bits : Number(length),
    family: version === 4 ? 'ipv4' : 'ipv6',
  }
}

export type AddressRules = {
  /** Why the address may not be reached, or null when it may. Anything but a plain address literal is refused. */
  readonly findRefusal: (address: string) => string | null
}

export function addressRules(options: {
  readonly allowedNetworks: readonly string[]
  readonly allowLoopback: boolean
}): AddressRules {
  const allowed = blockList([...options.allowedNetworks, ...(options.allowLoopback ? ['127.0.0.0/8', '::1/128'] : [])])
  return {
    findRefusal(address) {
      const version = isIP(address)
      // A zone (fe80::1%eth0) names an interface of this machine. No global address has a zone.
      if (version === 0 || address.includes('%')) return 'not an address'
      const family = version === 4 ? 'ipv4' : 'ipv6'
      // BlockList judges ::ffff:127.0.0.1 by IPv4 rules. A mapped address would pass because an IPv4 network is
      // allowed, so mapped addresses are never allowed.
      const isMapped = version === 6 && mapped.check(address, 'ipv6')
      if (!isMapped && allowed.check(address, family)) return null
      if (version === 4) return special4.check(address, family) ? 'not a public address' : null
      return !isMapped && global6.check(address, family) && !special6.check(address, family)
        ? null
        : 'not a public address'
    },
  }
}

/**
 * True for this machine itself, also when the operator allows such addresses. The unspecified address leads to this
 * machine too.
 */
export function isThisMachine(address: string): boolean {
  const version = isIP(address)
  return version !== 0 && loopback.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

const loopback = blockList(['127.0.0.0/8', '0.0.0.0/8', '::1/128', '::/128'])

/**
 * A list of networks (CIDR). `has` accepts an address as a connection reports it: an IPv4 address may come in its
 * mapped IPv6 form.
 */
export function networkList(networks: readonly string[]): { readonly has: (address: string) => boolean } {
  const list = blockList(networks)
  return {
    has: (address) => {
      const version = isIP(address)
      return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6')
    },
  }
}

// IANA IPv4 Special-Purpose Address Registry, and also multicast and the reserved ranges. 192.88.99.0/24 is the 6to4
// relay.
const special4 = blockList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Clouds serve their metadata at these addresses, which seem to be public.
  '100.100.100.200/32',
  '168.63.129.16/32',
])

// Global unicast is 2000::/3; other addresses (::/96, 64:ff9b::/96, fc00::/7, fe80::/10, ff00::/8 …) is never public.
const global6 = blockList(['2000::/3'])
// IANA IPv6 Special-Purpose Address Registry within 2000::/3: protocol assignments with Teredo and ORCHID, documentation,
// 6to4, AS112, the discontinued 6bone.
const special6 = blockList(['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3ffe::/16', '3fff::/20'])
const mapped = blockList(['::ffff:0:0/96'])

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const text of networks) {
    const network = parseNetwork(text)
    if (network === null) throw new Error(`Not a network: ${text}`)
    list.addSubnet(network.address, network.prefix, network.family)
  }
  return list
}
