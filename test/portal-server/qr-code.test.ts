/** The QR code of the one-time codes: a camera reads the link in it, and the content policy of the page allows it. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { TOTP, URI } from 'otpauth'
import { qrCode } from '../../src/portal-server/page-parts/qr-code.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { password, signUpFirst } from '../support/person.ts'
import { readQr } from '../support/read-qr.ts'

let api: TestApi
before(async () => {
  api = await openTestApi()
})
after(() => api.close())

test('a QR reader decodes the text, for every length', () => {
  const base = 'otpauth://totp/Landfall:'
  for (const length of [1, 20, 60, 90, 120, 150, 180, 240]) {
    const content = `${base}${'ä1@-'.repeat(length).slice(0, length)}`
    if (Buffer.byteLength(content) > 271) continue
    assert.equal(readQr(qrCode(content, 'x').text), content, `${length}`)
  }
})

test('a person who sets up one-time codes can scan them, and the authenticator code is accepted', async () => {
  const ada = await signUpFirst(api)
  assert.ok(!(await ada.open('/account')).text.includes('<svg class="qr-code"'))
  const started = await ada.send('/account/two-factor/start', { password }, { page: '/account' })
  assert.equal(started.status, 303)
  const { text, headers } = await ada.open('/account')
  const svg = /<svg class="qr-code"[\s\S]*?<\/svg>/.exec(text)?.[0] ?? ''
  const app = URI.parse(readQr(svg))
  assert.ok(app instanceof TOTP)
  assert.deepEqual([app.issuer, app.label], ['Landfall', 'ada@example.com'])
  assert.match(svg, /role="img" aria-label="[^"]+"/)
  assert.ok(!/style=|href=|<script|<image|url\(/.test(svg), 'nothing that a policy would stop')
  assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'self'; img-src 'self';/)
  assert.equal(headers['cache-control'], 'no-store')
  const code = app.generate({ timestamp: api.clock.now() })
  const confirmed = await ada.send('/account/two-factor/confirm', { code }, { page: '/account' })
  assert.match(confirmed.text, /One-time codes are on/)
  assert.ok(!(await ada.open('/account')).text.includes('<svg class="qr-code"'), 'gone once they are on')
})
