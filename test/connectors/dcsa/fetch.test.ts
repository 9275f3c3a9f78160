/** Requests over real HTTP on loopback: access, pages, limits, and every kind of failure of a line. */

import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { after, describe, it } from 'node:test'
import { openDcsaSource } from '../../../src/connectors/dcsa/dcsa-source.ts'
import type { DcsaProfile } from '../../../src/connectors/dcsa/profile.ts'
import type { FetchResult, PollRequest } from '../../../src/connectors/source.ts'
import { createEgress } from '../../../src/platform/egress.ts'
import { type Asked, type LineServer, sendJson, startLine } from '../line-server.ts'
import { selfSignedCertificate } from './certificate.ts'
import { equipmentEvent, profile, transportEvent } from './events.ts'

const egress = createEgress({ allowedNetworks: [], allowLoopback: true })
after(() => egress.close())

const request: PollRequest = { scac: 'ACLU', kind: 'bill_of_lading', number: 'HHL71800000' }
const secrets = { consumerKey: 'KEY-s3cret', clientId: 'ID-s3cret', clientSecret: 'PASS-s3cret' }

interface Given {
  readonly profile?: Partial<DcsaProfile>
  readonly secrets?: Readonly<Record<string, string>>
  readonly now?: () => number
  readonly source?: ReturnType<typeof openDcsaSource>
  readonly request?: PollRequest
}

async function withLine(
  answer: (asked: Asked, response: ServerResponse) => void,
  test: (line: LineServer, fetch: (given?: Given) => Promise<FetchResult>) => Promise<void>,
): Promise<void> {
  const line = await startLine(answer)
  try {
    await test(
      line,
      ({
        profile: changes = {},
        secrets = {},
        now = Date.now,
        source = openDcsaSource(),
        request: requested = request,
      } = {}) =>
        source.fetch(requested, { profile: { ...profile, base: line.base, ...changes }, secrets }, { egress, now }),
    )
  } finally {
    await line.close()
  }
}

function readingOf(result: FetchResult, changes: Partial<DcsaProfile> = {}) {
  assert.ok(result.kind === 'answered', JSON.stringify(result))
  return openDcsaSource().read(result.snapshot, request, { ...profile, ...changes })
}

function summary(result: FetchResult): string {
  const { outcome, issues, observations } = readingOf(result)
  return [outcome, ...issues.map(({ kind }) => kind), observations.length].join(' ')
}

function assertNoSecret(result: FetchResult): void {
  const body = result.kind === 'answered' ? JSON.stringify({ ...result, snapshot: null }) : JSON.stringify(result)
  assert.ok(!body.includes('s3cret'), body)
}

describe('A poll of a line', () => {
  it('sends the number, the credentials and the settings of the profile, and stores the answer byte for byte', async () => {
    const body = JSON.stringify([equipmentEvent(), transportEvent()], null, 3)
    await withLine(
      (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
      async (line, fetch) => {
        const auth = { keyHeaders: { 'Consumer-Key': 'consumerKey' }, oauth: null }
        const result = await fetch({ profile: { auth }, secrets, now: () => Date.UTC(2026, 2, 1) })
        assert.ok(result.kind === 'answered')
        assert.equal(result.snapshot.body.toString(), body)
        assert.equal(result.snapshot.fetchedAt, '2026-03-01T00:00:00.000Z')
        assert.equal(result.url, `${line.base}/v2/events?transportDocumentReference=HHL71800000&limit=100`)
        assert.equal(summary(result), 'found 2')
        assertNoSecret(result)
        const [requested] = line.asked
        assert.equal(requested?.headers['consumer-key'], 'KEY-s3cret')
        assert.equal(requested?.headers['api-version'], '2')
      },
    )
  })

  it('is not sent without the required credentials, or for an unsupported kind of number', async () => {
    await withLine(
      (_, response) => sendJson(response, []),
      async (line, fetch) => {
        const auth = { keyHeaders: { 'Consumer-Key': 'consumerKey' }, oauth: null }
        const without = await fetch({ profile: { auth } })
        assert.ok(without.kind === 'unreachable' && without.reason === 'no_access')
        assert.match(without.detail, /consumerKey/)
        const parameters = { ...profile.parameters, bill_of_lading: null }
        const unsupported = await fetch({ profile: { parameters } })
        assert.ok(unsupported.kind === 'unreachable' && unsupported.reason === 'unsupported_kind')
        assert.equal(line.asked.length, 0)
      },
    )
  })
})

describe('Tokens', () => {
  const oauthOf = (line: LineServer, client: 'form' | 'basic' | 'certificate' = 'form') => ({
    auth: { keyHeaders: {}, oauth: { tokenUrl: `${line.base}/token`, client, scope: 'tnt', keyHeaders: {} } },
  })
  const tokensAsked = (line: LineServer) => line.asked.filter(({ url }) => url.pathname === '/token')

  /** Gives token-1, token-2 … and answers requests whose token `accepts` accepts. */
  function tokenLine(accepts: (token: string) => boolean, expiresIn: unknown = 600) {
    let given = 0
    return ({ url, headers }: Asked, response: ServerResponse): void => {
      if (url.pathname === '/token') {
        given += 1
        sendJson(response, { access_token: `token-${given}`, expires_in: expiresIn })
      } else if (accepts(headers.authorization?.replace('Bearer ', '') ?? '')) sendJson(response, [transportEvent()])
      else response.writeHead(401).end('{}')
    }
  }

  it('are requested once and shared by all polls until shortly before they expire', async () => {
    await withLine(
      tokenLine(() => true),
      async (line, fetch) => {
        const source = openDcsaSource()
        let ms = 0
        const given = { profile: oauthOf(line), secrets, source, now: () => ms }
        await Promise.all([fetch(given), fetch(given), fetch(given)])
        ms = 539_000
        await fetch(given)
        assert.equal(tokensAsked(line).length, 1)
        ms = 541_000
        assert.equal((await fetch(given)).kind, 'answered')
        assert.equal(tokensAsked(line).length, 2)
        const [requested] = tokensAsked(line)
        assert.deepEqual(Object.fromEntries(new URLSearchParams(requested?.body)), {
          grant_type: 'client_credentials',
          client_id: 'ID-s3cret',
          client_secret: 'PASS-s3cret',
          scope: 'tnt',
        })
      },
    )
  })

  it('are not shared between different secrets', async () => {
    await withLine(
      tokenLine(() => true),
      async (line, fetch) => {
        const source = openDcsaSource()
        await fetch({ profile: oauthOf(line), secrets, source })
        await fetch({ profile: oauthOf(line), secrets: { ...secrets, clientId: 'another' }, source })
        assert.equal(tokensAsked(line).length, 2)
      },
    )
  })

  it('that the line no longer accepts are replaced, once', async () => {
    await withLine(
      tokenLine((token) => token === 'token-2'),
      async (line, fetch) => {
        assert.equal(summary(await fetch({ profile: oauthOf(line), secrets })), 'found 1')
        assert.equal(tokensAsked(line).length, 2)
      },
    )
    await withLine(
      tokenLine(() => false),
      async (line, fetch) => {
        assert.equal(summary(await fetch({ profile: oauthOf(line), secrets })), 'access_denied error_status 0')
        assert.equal(tokensAsked(line).length, 2)
      },
    )
  })

  it('are requested with a Basic header where the line requires one', async () => {
    await withLine(
      tokenLine(() => true),
      async (line, fetch) => {
        await fetch({ profile: oauthOf(line, 'basic'), secrets })
        const [requested] = tokensAsked(line)
        assert.equal(
          requested?.headers.authorization,
          `Basic ${Buffer.from('ID-s3cret:PASS-s3cret').toString('base64')}`,
        )
        assert.equal(new URLSearchParams(requested?.body).get('client_secret'), null)
      },
    )
  })

  it('are requested with a signature by the key of a certificate where the line requires one', async () => {
    await withLine(
      tokenLine(() => true),
      async (line, fetch) => {
        const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
        const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
        const certificate = selfSignedCertificate({ privateKey, publicKey })
        const result = await fetch({
          profile: oauthOf(line, 'certificate'),
          secrets: { clientId: 'client-7', privateKey: key, certificate },
        })
        assert.equal(result.kind, 'answered')
        const form = new URLSearchParams(tokensAsked(line)[0]?.body)
        const [head = '', claims = '', signature = ''] = (form.get('client_assertion') ?? '').split('.')
        const signed = Buffer.from(`${head}.${claims}`)
        assert.ok(
          verify(
            'sha256',
            signed,
            createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
            Buffer.from(signature, 'base64url'),
          ),
        )
        const stated = JSON.parse(Buffer.from(claims, 'base64url').toString())
        assert.deepEqual([stated.iss, stated.sub, stated.aud], ['client-7', 'client-7', `${line.base}/token`])
        const broken = await fetch({
          profile: oauthOf(line, 'certificate'),
          secrets: { clientId: 'c', privateKey: 's3cret', certificate: 's3cret' },
        })
        assert.ok(broken.kind === 'unreachable' && broken.reason === 'no_access')
        assertNoSecret(broken)
      },
    )
  })

  it('that are refused prevent the poll, without the server’s text in the result', async () => {
    await withLine(
      ({ body }, response) => response.writeHead(400).end(`bad client: ${body}`),
      async (line, fetch) => {
        const result = await fetch({ profile: oauthOf(line), secrets })
        assert.ok(result.kind === 'unreachable')
        assert.deepEqual([result.reason, result.statusCode], ['no_access', 400])
        assertNoSecret(result)
        assert.equal(line.asked.length, 1)
      },
    )
    for (const body of ['<html>', '[]', '{}', '{"access_token":7}', '{"access_token":"a\\nb"}']) {
      await withLine(
        (_, response) => response.writeHead(200).end(body),
        async (line, fetch) => {
          const result = await fetch({ profile: oauthOf(line), secrets })
          assert.ok(result.kind === 'unreachable' && result.reason === 'no_access', body)
        },
      )
    }
  })
})

describe('Pages', () => {
  /** Page n of `count`, linked by a cursor or an address. */
  function pagedLine(count: number, link: (page: number, line: URL) => string) {
    return ({ url }: Asked, response: ServerResponse): void => {
      const page = Number(url.searchParams.get('cursor') ?? 1)
      const next: Record<string, string> = page < count ? { 'Next-Page': link(page + 1, url) } : {}
      sendJson(response, [transportEvent()], next)
    }
  }

  it('are followed by cursor and by address, and read as one answer', async () => {
    const links = [
      (page: number) => String(page),
      (page: number) => `?cursor=${page}`,
      (page: number, url: URL) => `${url.origin}/v2/events?cursor=${page}`,
      (page: number) => `</v2/events?cursor=${page}>`,
    ]
    for (const link of links) {
      await withLine(pagedLine(3, link), async (line, fetch) => {
        const result = await fetch()
        assert.equal(summary(result), 'found 3')
        assert.equal(readingOf(result, { isFullPicture: true }).statedFullPicture, true)
        assert.equal(line.asked.length, 3)
      })
    }
  })

  it('that lead in a circle are read once', async () => {
    await withLine(
      (_, response) => sendJson(response, [transportEvent()], { 'Next-Page': 'again' }),
      async (line, fetch) => {
        assert.equal(summary(await fetch()), 'found 2')
        assert.equal(line.asked.length, 2)
      },
    )
  })

  it('that never end are read up to the limit in the profile', async () => {
    await withLine(pagedLine(1_000, String), async (line, fetch) => {
      const paging = { header: 'Next-Page', parameter: 'cursor', pagesMax: 4 }
      const result = await fetch({ profile: { paging } })
      assert.equal(summary(result), 'found missing_page 4')
      assert.equal(readingOf(result, { isFullPicture: true }).statedFullPicture, false)
      assert.equal(line.asked.length, 4)
    })
  })

  it('at another host are not requested, because that would send our credentials there', async () => {
    await withLine(
      (_, response) => sendJson(response, [transportEvent()], { 'Next-Page': 'http://127.0.0.2:1/v2/events' }),
      async (line, fetch) => {
        assert.equal(summary(await fetch()), 'found missing_page 1')
        assert.equal(line.asked.length, 1)
      },
    )
  })

  it('that fail do not lose the pages before them', async () => {
    const failures: readonly ((response: ServerResponse) => void)[] = [
      (response) => response.writeHead(500).end('oops'),
      (response) => response.socket?.destroy(),
      (response) => response.writeHead(200).end('<html>'),
    ]
    for (const fail of failures) {
      await withLine(
        ({ url }, response) => {
          if (url.searchParams.has('cursor')) fail(response)
          else sendJson(response, [transportEvent()], { 'Next-Page': '2' })
        },
        async (_, fetch) => {
          const reading = readingOf(await fetch(), { isFullPicture: true })
          assert.deepEqual(
            [reading.outcome, reading.observations.length, reading.statedFullPicture],
            ['found', 1, false],
          )
          assert.ok(reading.issues.some(({ kind }) => kind === 'missing_page'))
        },
      )
    }
  })
})

describe('An answer of a line', () => {
  const answers: readonly (readonly [string, number, string, string])[] = [
    ['no such number', 404, '{"statusCode":404}', 'not_found 0'],
    ['an empty list', 200, '[]', 'not_found 0'],
    ['a server error', 500, 'stack trace', 'unreachable error_status 0'],
    ['a login page', 200, '<html>Please <b>log in</b></html>', 'unrecognized login_page 0'],
    ['a web page', 200, '<html>Maintenance</html>', 'unrecognized not_json 0'],
    ['JSON that breaks off', 200, '[{"eventID":"', 'unrecognized truncated_body 0'],
    ['nothing', 200, '', 'unrecognized empty_answer 0'],
  ]
  for (const [what, status, body, expected] of answers) {
    it(`with ${what} is stored and classified`, async () => {
      await withLine(
        (_, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(body),
        async (_, fetch) => {
          const result = await fetch()
          assert.ok(result.kind === 'answered')
          assert.equal(result.snapshot.body.toString(), body)
          assert.equal(summary(result), expected)
        },
      )
    })
  }

  it('with status 429 states how long the cooldown lasts', async () => {
    const now = (): number => Date.UTC(2026, 2, 1)
    for (const [stated, ms] of [
      ['7', 7_000],
      ['Sun, 01 Mar 2026 00:01:00 GMT', 60_000],
      ['999999999', 999_999_999_000],
      ['99999999999999999999999', Number.MAX_SAFE_INTEGER],
      ['soon', null],
    ] as const) {
      await withLine(
        (_, response) => response.writeHead(429, { 'retry-after': stated }).end(),
        async (_, fetch) => {
          const result = await fetch({ now })
          assert.equal(result.retryAfterMs, ms)
          assert.equal(summary(result), 'unreachable error_status 0')
        },
      )
    }
  })

  it('that is a redirect is not followed', async () => {
    await withLine(
      (_, response) => response.writeHead(302, { location: '/login' }).end(),
      async (line, fetch) => {
        assert.equal(summary(await fetch()), 'unrecognized redirected 0')
        assert.equal(line.asked.length, 1)
      },
    )
  })

  it('of a hundred megabytes is cut at the profile’s limit, and only the beginning is stored', async () => {
    let sent = 0
    await withLine(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const chunk = Buffer.alloc(1_000_000, ' ')
        response.write('[')
        const pump = (): void => {
          while (sent < 100 && !response.destroyed) {
            sent += 1
            if (!response.write(chunk)) return void response.once('drain', pump)
          }
          response.end(']')
        }
        pump()
      },
      async (_, fetch) => {
        const result = await fetch({ profile: { maxBytes: 2_000_000 } })
        assert.equal(summary(result), 'unrecognized truncated_body 0')
        assert.ok(result.kind === 'answered' && result.snapshot.body.length < 70_000)
      },
    )
    assert.ok(sent < 60, `${sent} MB were sent`)
  })

  it('that comes too slowly counts as unreachable', async () => {
    await withLine(
      (_, response) => void response.writeHead(200).write('['),
      async (_, fetch) => {
        const result = await fetch({ profile: { timeoutMs: 100 } })
        assert.ok(result.kind === 'unreachable')
        assert.deepEqual([result.reason, result.statusCode], ['timeout', null])
      },
    )
  })

  it('that is cut off, or never comes, counts as unreachable', async () => {
    await withLine(
      (_, response) => response.socket?.destroy(),
      async (line, fetch) => {
        const cut = await fetch()
        assert.ok(cut.kind === 'unreachable' && cut.reason === 'network')
        await line.close()
        const gone = await fetch()
        assert.ok(gone.kind === 'unreachable' && gone.reason === 'network')
      },
    )
  })

  it('from an address that the guard forbids is never requested', async () => {
    const guarded = createEgress({ allowedNetworks: [], allowLoopback: false })
    const changed = { ...profile, base: 'http://127.0.0.1:9' }
    const result = await openDcsaSource().fetch(
      request,
      { profile: changed, secrets: {} },
      { egress: guarded, now: Date.now },
    )
    assert.ok(result.kind === 'unreachable' && result.reason === 'refused')
    guarded.close()
  })
})
