// The settings decide where e-mail is received. Settings that contradict each other end the start with a sentence.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findMailFault, getMailServerSettings } from '../../../src/modules/email-submissions/mail-place.ts'
import { readConfig } from '../../../src/platform/config.ts'

const placeBy = (env: Readonly<Record<string, string>>) =>
  getMailServerSettings(readConfig({ LANDFALL_DATA: '/nowhere', ...env }))

test('receives e-mail for tests on a laptop, with the sandbox and only from this machine', () => {
  const trial = { host: '127.0.0.1', port: 3003, domain: 'landfall.localhost', isOnTrial: true }
  assert.deepEqual(placeBy({}), trial)
  assert.deepEqual(placeBy({ LANDFALL_PORT: '65535' }), null)
  assert.equal(placeBy({ LANDFALL_MAIL_IN_PORT: '0' }), null)
  assert.equal(placeBy({ LANDFALL_SANDBOX: 'off' }), null)
  assert.equal(placeBy({ LANDFALL_HOST: '0.0.0.0' }), null)
  assert.equal(placeBy({ LANDFALL_PUBLIC_URL: 'https://track.example.com' }), null)
})

test('receives e-mail where a port and a domain are set', () => {
  const set = { LANDFALL_MAIL_IN_PORT: '25', LANDFALL_MAIL_IN_DOMAIN: 'In.Example.Com' }
  const place = { host: '127.0.0.1', port: 25, domain: 'in.example.com', isOnTrial: false }
  assert.deepEqual(placeBy(set), place)
  assert.deepEqual(placeBy({ ...set, LANDFALL_MAIL_IN_HOST: '0.0.0.0' }), { ...place, host: '0.0.0.0' })
})

test('needs no mail domain while only programs on this machine can send e-mail', () => {
  const trial = { host: '127.0.0.1', port: 2525, domain: 'landfall.localhost', isOnTrial: false }
  assert.deepEqual(placeBy({ LANDFALL_MAIL_IN_PORT: '2525' }), trial)
  assert.equal(placeBy({ LANDFALL_MAIL_IN_PORT: '2525', LANDFALL_SANDBOX: 'off' }), null)
  assert.equal(placeBy({ LANDFALL_MAIL_IN_PORT: '2525', LANDFALL_HOST: '0.0.0.0' }), null)
})

test('reports a port without a domain outside the sandbox, a key without certificate, and an invalid domain', () => {
  const faultBy = (env: Readonly<Record<string, string>>) => findMailFault(readConfig(env))
  const outside = { LANDFALL_MAIL_IN_PORT: '25', LANDFALL_SANDBOX: 'off' }
  assert.match(faultBy(outside) ?? '', /LANDFALL_MAIL_IN_DOMAIN is needed/)
  assert.equal(faultBy({ LANDFALL_MAIL_IN_PORT: '25' }), null)
  assert.match(faultBy({ LANDFALL_MAIL_IN_TLS_KEY: 'key.pem' }) ?? '', /needed together/)
  assert.equal(faultBy({}), null)
  for (const domain of ['-a.example', 'a..b', 'a b', 'user@example.com', `${'a'.repeat(64)}.example`])
    assert.throws(() => readConfig({ LANDFALL_MAIL_IN_DOMAIN: domain }), /LANDFALL_MAIL_IN_DOMAIN accepts/)
})
