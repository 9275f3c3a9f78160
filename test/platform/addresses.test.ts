import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressRules, parseNetwork } from '../../src/platform/addresses.ts'

const strict = addressRules({ allowedNetworks: [], allowLoopback: false })

const refused = {
  'loopback, private and shared IPv4': [
    '127.0.0.1',
    '127.255.255.254',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '0.0.0.0',
  ],
  'link-local and metadata': [
    '169.254.169.254',
    '169.254.0.1',
    'fe80::1',
    '100.100.100.200',
    '168.63.129.16',
    'fd00:ec2::254',
  ],
  'documentation, benchmark, multicast, reserved': [
    '192.0.2.1',
    '198.51.100.7',
    '203.0.113.9',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '192.88.99.1',
    '192.0.0.8',
  ],
  'IPv4 inside IPv6': [
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '::ffff:0:127.0.0.1',
    '::8.8.8.8',
    '64:ff9b::7f00:1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2002:808:808::1',
  ],
  'IPv6 that is not global': [
    '::',
    '::1',
    'fc00::1',
    'fd12::1',
    'fec0::1',
    'ff02::1',
    '2001::1',
    '2001:db8::1',
    '2001:10::1',
    '2001:20::1',
    '3fff::1',
    '100::1',
    '4000::1',
    '5f00::1',
  ],
  'what is no plain address': [
    '',
    'localhost',
    'fe80::1%eth0',
    '2606:4700::1%1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '127.0.0.1 ',
    '[::1]',
    '１２７.0.0.1',
  ],
}

for (const [what, addresses] of Object.entries(refused)) {
  test(`refuses ${what}`, () => {
    for (const address of addresses) assert.notEqual(strict.findRefusal(address), null, address)
  })
}

test('allows global unicast addresses', () => {
  for (const address of [
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '193.0.0.1',
    '2606:4700::1111',
    '2a00:1450:4001::1',
    '2001:4860:4860::8888',
  ]) {
    assert.equal(strict.findRefusal(address), null, address)
  }
})

test('allows loopback addresses only if configured, and never in IPv6-mapped form', () => {
  const rules = addressRules({ allowedNetworks: [], allowLoopback: true })
  for (const address of ['127.0.0.1', '127.9.9.9', '::1']) assert.equal(rules.findRefusal(address), null, address)
  for (const address of ['::ffff:127.0.0.1', '::127.0.0.1', '10.0.0.1', '0.0.0.0', '::'])
    assert.notEqual(rules.findRefusal(address), null, address)
})

test('an allowed network permits only the addresses inside it', () => {
  const rules = addressRules({
    allowedNetworks: ['10.1.0.0/16', 'fd00:1::/32', '192.0.2.5'],
    allowLoopback: false,
  })
  for (const address of ['10.1.2.3', 'fd00:1::9', '192.0.2.5']) assert.equal(rules.findRefusal(address), null, address)
  for (const address of ['10.2.0.1', 'fd00:2::1', '192.0.2.6', '::ffff:10.1.2.3', '127.0.0.1'])
    assert.notEqual(rules.findRefusal(address), null, address)
})

test('accepts a network only if it is an address with a prefix length that fits it', () => {
  assert.deepEqual(parseNetwork('10.0.0.0/8'), { address: '10.0.0.0', prefix: 8, family: 'ipv4' })
  assert.deepEqual(parseNetwork('::1'), { address: '::1', prefix: 128, family: 'ipv6' })
  for (const text of [
    '',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0/8',
    '::1/129',
    'fe80::1%eth0/64',
    '10.0.0.0/-1',
    'all',
  ]) {
    assert.equal(parseNetwork(text), null, text)
  }
})
