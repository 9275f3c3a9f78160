/**
 * What it costs to renew an access token, compared with the writes that it needs at least; and what it costs to find
 * the owner of a token.
 */

import type Provider from 'oidc-provider'
import type { Context } from '../src/modules/access/context.ts'
import { insertMembership } from '../src/modules/members/memberships-sql.ts'
import { insertUser } from '../src/modules/members/users-sql.ts'
import { authenticateBearer } from '../src/modules/oauth-apps/authenticate-bearer.ts'
import { connectApp, newGrantId } from '../src/modules/oauth-apps/connect-app.ts'
import { consumeEntry, storeEntry } from '../src/modules/oauth-apps/oauth-entries.ts'
import { resourceIdentifiers } from '../src/modules/oauth-apps/protected-resources.ts'
import { allScopes } from '../src/modules/oauth-apps/token-scopes.ts'
import type { Service } from '../src/modules/service.ts'
import { openProvider } from '../src/oauth/provider/provider.ts'
import { realClock } from '../src/platform/clock.ts'
import { uuidV7 } from '../src/platform/ids.ts'
import { createApiApp } from '../src/server/app.ts'
import { openInstallation } from './installation.ts'
import { alternate, type Figure, median, medianRatio, progress, secondsOf, spread } from './measure.ts'

const rounds = 5
const renewalsInRound = 400
const checksInRound = 4_000
const hands = 4
const scope = allScopes.join(' ')

interface Holder {
  readonly clientId: string
  readonly grantId: string
  refreshToken: string
  accessToken: string
}

export async function benchOauth(): Promise<readonly Figure[]> {
  const installation = await openInstallation()
  const { service, postgres } = installation
  const app = await createApiApp(service)
  try {
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const person = await makePerson(service, await installation.newAccount())
    const provider = await openProvider(service)
    const holders = await Promise.all(Array.from({ length: hands }, () => letIn(service, provider, { url, person })))
    const renewals = await measureRenewals(service, { url, holders, postgres })
    return [renewals, await measureCheck(service, { token: holders[0]?.accessToken ?? '', postgres })]
  } finally {
    await app.close()
    await installation.close()
  }
}

async function makePerson(service: Service, { account }: Context): Promise<Context> {
  const id = uuidV7(realClock.now())
  const createdAt = new Date(realClock.now()).toISOString()
  const email = 'person@example.com'
  await insertUser(service.pool, {
    id,
    email,
    emailKey: email,
    name: 'Person',
    passwordHash: 'none',
    createdAt,
  })
  await insertMembership(service.pool, { accountId: account.id, userId: id, role: 'member', createdAt })
  return {
    account,
    actor: { kind: 'user', id },
    scopes: ['read', 'write'],
    role: 'member',
    requestId: 'bench',
  }
}

/** An app with its first refresh token, as if its user had just agreed. */
async function letIn(
  service: Service,
  provider: Provider,
  { url, person }: { readonly url: string; readonly person: Context },
): Promise<Holder> {
  const answer = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Benchmark', redirect_uris: ['http://127.0.0.1/callback'] }),
  })
  const { client_id: clientId } = (await answer.json()) as { readonly client_id: string }
  const client = await provider.Client.find(clientId)
  if (client === undefined || person.actor.kind !== 'user') throw new Error('the app did not register')
  const accountId = person.actor.id
  const resource = resourceIdentifiers(service.config).api
  const grantId = newGrantId(service)
  const grant = new provider.Grant({ jti: grantId, accountId, clientId } as never)
  grant.addOIDCScope(scope)
  grant.addResourceScope(resource, scope)
  await grant.save()
  await connectApp(service, person, {
    grantId,
    app: { clientId, clientName: 'Benchmark', redirectTarget: '127.0.0.1' },
    scopes: allScopes,
    resources: ['api'],
    spansAccounts: false,
  })
  const token = { accountId, client, grantId, gty: 'authorization_code', resource, scope, rotations: 0 }
  const refreshToken = await new provider.RefreshToken(token as never).save()
  const holder = { clientId, grantId, refreshToken, accessToken: '' }
  await renew(url, holder)
  return holder
}

async function renew(url: string, holder: Holder): Promise<void> {
  const answer = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: holder.clientId,
      refresh_token: holder.refreshToken,
    }),
  })
  const body = (await answer.json()) as { readonly access_token: string; readonly refresh_token: string }
  if (answer.status !== 200) throw new Error(`no token: ${JSON.stringify(body)}`)
  holder.accessToken = body.access_token
  holder.refreshToken = body.refresh_token
}

async function measureRenewals(
  service: Service,
  by: { readonly url: string; readonly holders: readonly Holder[]; readonly postgres: string },
): Promise<Figure> {
  progress(`oauth: ${renewalsInRound} renewals a round, ${hands} at a time`)
  const exp = Math.floor(realClock.now() / 1_000) + 3_600
  const used = by.holders.map(() => uuidV7(realClock.now()))
  for (const id of used) await storeEntry(service, { kind: 'RefreshToken', id }, { exp, scope })
  const sides = await alternate(rounds, {
    ours: () => rateOf(renewalsInRound, (hand) => renew(by.url, by.holders[hand] as Holder)),
    limit: () =>
      rateOf(renewalsInRound, async (hand) => {
        await consumeEntry(service, { kind: 'RefreshToken', id: used[hand] ?? '' })
        used[hand] = uuidV7(realClock.now())
        await storeEntry(service, { kind: 'RefreshToken', id: used[hand] }, { exp, scope })
        await storeEntry(service, { kind: 'AccessToken', id: uuidV7(realClock.now()) }, { exp, scope })
      }),
  })
  const ratio = medianRatio(sides)
  return {
    bench: 'oauth',
    what: 'Access tokens renewed over HTTP: refresh token used up, a new one and an access token made',
    unit: 'renewals/s',
    figure: median(sides.ours),
    limit: { what: 'the three writes alone, each its own transaction', value: median(sides.limit) },
    ratio,
    aim: 'ratio at least 0.25',
    isMet: ratio >= 0.25,
    note: `${rounds} rounds of ${renewalsInRound}, ${hands} at a time; ${spread(sides.ours)} against ${spread(sides.limit)}`,
    postgres: by.postgres,
  }
}

async function measureCheck(
  service: Service,
  { token, postgres }: { readonly token: string; readonly postgres: string },
): Promise<Figure> {
  progress(`token check: ${checksInRound} a round, ${hands} at a time`)
  const sides = await alternate(rounds, {
    ours: () =>
      rateOf(checksInRound, async () => {
        const answer = await authenticateBearer(service, { token, resource: 'api' })
        if (answer.kind !== 'identity') throw new Error(`the token is ${answer.kind}`)
      }),
    limit: () =>
      rateOf(checksInRound, () =>
        service.pool.query({
          name: 'bench_one',
          text: 'select id from users where email_key = $1',
          values: ['person@example.com'],
        }),
      ),
  })
  const figure = median(sides.ours)
  return {
    bench: 'oauth',
    what: `Access tokens checked, with grant, account and role; ${Math.round((1e6 * hands) / figure)} µs each at ${hands} at a time`,
    unit: 'checks/s',
    figure,
    limit: { what: 'one row read by a unique index', value: median(sides.limit) },
    ratio: medianRatio(sides),
    aim: 'ratio at least 0.3: four tables and one HMAC',
    isMet: medianRatio(sides) >= 0.3,
    note: `${rounds} rounds of ${checksInRound}; nothing is remembered between two; ${spread(sides.ours)} against ${spread(sides.limit)}`,
    postgres,
  }
}

async function rateOf(count: number, work: (hand: number) => Promise<unknown>): Promise<number> {
  const seconds = await secondsOf(() =>
    Promise.all(
      Array.from({ length: hands }, async (_, hand) => {
        for (let turn = hand; turn < count; turn += hands) await work(hand)
      }),
    ),
  )
  return count / seconds
}
