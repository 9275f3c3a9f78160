/** An unknown address costs the same work as a wrong password. */

import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { test } from 'node:test'

const verified: string[] = []
Object.assign(globalThis, { noteVerified: (kept: string) => verified.push(kept) })
// Replaces the package before anything loads it.
const counting = `
export { hash } from ${JSON.stringify(import.meta.resolve('@node-rs/argon2'))}
import { verify as really } from ${JSON.stringify(import.meta.resolve('@node-rs/argon2'))}
export const verify = (kept, password) => (globalThis.noteVerified(kept), really(kept, password))`
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@node-rs/argon2'
      ? { url: `data:text/javascript,${encodeURIComponent(counting)}`, shortCircuit: true }
      : next(specifier, context),
})

test('sign-in with an unknown address takes as much work as with a known address', async () => {
  const { openTestApi } = await import('../support/api.ts')
  const { openPerson, signUpFirst, tokenIn } = await import('../support/person.ts')
  const api = await openTestApi()
  try {
    await signUpFirst(api)
    const workOf = async (email: string): Promise<readonly string[]> => {
      const person = openPerson(api)
      const token = tokenIn((await person.open('/sign-in')).text)
      verified.length = 0
      const sent = await person.send('/sign-in', { email, password: 'not her password' }, { token })
      assert.equal(sent.status, 401)
      // Kind, version, memory, passes and lanes: they determine the work.
      return verified.map((kept) => kept.split('$').slice(1, 4).join(' '))
    }
    const known = await workOf('ada@example.com')
    assert.equal(known.length, 1)
    assert.deepEqual(await workOf('nobody@example.com'), known)
  } finally {
    await api.close()
  }
})
