/**
 * What signing in costs compared with the argon2 hash that it needs at least, and what it costs to find who is signed
 * in.
 */

import { verify } from '@node-rs/argon2'
import { insertMembership } from '../src/modules/members/memberships-sql.ts'
import { insertUser } from '../src/modules/members/users-sql.ts'
import type { Service } from '../src/modules/service.ts'
import { findSession } from '../src/modules/sessions/find-session.ts'
import { hashPassword } from '../src/modules/sessions/password.ts'
import { signIn } from '../src/modules/sessions/sign-in.ts'
import { drainJobs } from '../src/pipeline/jobs/after-answer.ts'
import { realClock } from '../src/platform/clock.ts'
import { uuidV7 } from '../src/platform/ids.ts'
import { openInstallation } from './installation.ts'
import { alternate, type Figure, median, medianRatio, progress, secondsOf, spread } from './measure.ts'

const rounds = 5
const signInsInRound = 100
const checksInRound = 4_000
const hands = 4
const wrongInRound = 30
const password = 'a password for measuring'

export async function benchSignIn(): Promise<readonly Figure[]> {
  const installation = await openInstallation()
  const { service, postgres } = installation
  try {
    const { account } = await installation.newAccount()
    const passwordHash = await hashPassword(password)
    const emails = await makePeople(service, { accountId: account.id, passwordHash, count: hands })
    const wronged = await makePeople(service, { accountId: account.id, passwordHash, count: wrongInRound })
    return [
      await measureSignIn(service, { emails, passwordHash, postgres }),
      await measureCheck(service, { email: emails[0] ?? '', postgres }),
      await measureNobody(service, { emails: wronged, postgres }),
    ]
  } finally {
    await drainJobs(service)
    await installation.close()
  }
}

async function makePeople(
  service: Service,
  of: { readonly accountId: string; readonly passwordHash: string; readonly count: number },
): Promise<readonly string[]> {
  const { accountId, passwordHash, count } = of
  const emails = Array.from({ length: count }, (_, at) => `person${at}-of-${count}@example.com`)
  const createdAt = new Date(realClock.now()).toISOString()
  for (const email of emails) {
    const id = uuidV7(realClock.now())
    await insertUser(service.pool, { id, email, emailKey: email, name: 'Person', passwordHash, createdAt })
    await insertMembership(service.pool, { accountId, userId: id, role: 'member', createdAt })
  }
  return emails
}

/** Each parallel worker signs in one person again and again. */
async function measureSignIn(
  service: Service,
  by: { readonly emails: readonly string[]; readonly passwordHash: string; readonly postgres: string },
): Promise<Figure> {
  progress(`sign-in: ${signInsInRound} a round, ${hands} at a time`)
  const sides = await alternate(rounds, {
    ours: () =>
      rateOf(signInsInRound, async (turn) => {
        const answer = await signIn(
          service,
          { email: by.emails[turn % hands] ?? '', password },
          {
            from: { ip: '203.0.113.7', userAgent: 'bench' },
            requestId: 'bench',
            device: null,
            oldSession: null,
          },
        )
        if (answer.kind !== 'signed_in') throw new Error(`nobody was let in: ${answer.kind}`)
      }),
    limit: () => rateOf(signInsInRound, () => verify(by.passwordHash, password)),
  })
  const ratio = medianRatio(sides)
  return {
    bench: 'sign-in',
    what: 'People signed in: attempts counted, password verified, session and audit row written',
    unit: 'sign-ins/s',
    figure: median(sides.ours),
    limit: { what: 'argon2id alone (19 MiB, two passes), as many at a time', value: median(sides.limit) },
    ratio,
    aim: 'ratio at least 0.6',
    isMet: ratio >= 0.6,
    note: `${rounds} rounds of ${signInsInRound}, ${hands} at a time; ${spread(sides.ours)} against ${spread(sides.limit)}`,
    postgres: by.postgres,
  }
}

async function measureCheck(
  service: Service,
  { email, postgres }: { readonly email: string; readonly postgres: string },
): Promise<Figure> {
  progress(`session check: ${checksInRound} a round, ${hands} at a time`)
  const from = { ip: '203.0.113.8', userAgent: 'bench' }
  const asked = { from, requestId: 'bench', device: null, oldSession: null }
  const answer = await signIn(service, { email, password }, asked)
  if (answer.kind !== 'signed_in') throw new Error('nobody was let in')
  const sides = await alternate(rounds, {
    ours: () => rateOf(checksInRound, () => findSession(service, answer.token)),
    limit: () =>
      rateOf(checksInRound, () =>
        service.pool.query({
          name: 'bench_one',
          text: 'select id from users where email_key = $1',
          values: [email],
        }),
      ),
  })
  const figure = median(sides.ours)
  return {
    bench: 'sign-in',
    what: `Sessions checked, with the person and their accounts; ${Math.round((1e6 * hands) / figure)} µs each at ${hands} at a time`,
    unit: 'checks/s',
    figure,
    limit: { what: 'one row read by a unique index', value: median(sides.limit) },
    ratio: medianRatio(sides),
    aim: 'ratio at least 0.25: four tables and two HMACs',
    isMet: medianRatio(sides) >= 0.25,
    note: `${rounds} rounds of ${checksInRound}; nothing is remembered between two; ${spread(sides.ours)} against ${spread(sides.limit)}`,
    postgres,
  }
}

/**
 * The time of an answer must not show whether the person exists: a wrong password must take as long as an unknown
 * person.
 */
async function measureNobody(
  service: Service,
  { emails, postgres }: { readonly emails: readonly string[]; readonly postgres: string },
): Promise<Figure> {
  progress(`wrong passwords: ${wrongInRound} a round, of somebody and of nobody`)
  const refuse = async (as: string, turn: number): Promise<void> => {
    const request = {
      from: { ip: `198.51.${turn}.9`, userAgent: 'bench' },
      requestId: 'bench',
      device: null,
    }
    const input = { email: as, password: 'not the password' }
    const answer = await signIn(service, input, { ...request, oldSession: null })
    if (answer.kind !== 'wrong') throw new Error(`it was ${answer.kind}`)
  }
  const timed = (as: (turn: number) => string): Promise<number> =>
    secondsOf(async () => {
      for (let turn = 0; turn < wrongInRound; turn += 1) await refuse(as(turn), turn)
    }).then((seconds) => wrongInRound / seconds)
  const sides = await alternate(rounds, {
    ours: (round) => timed((turn) => `nobody${round}-${turn}@example.com`),
    limit: () => timed((turn) => emails[turn] ?? ''),
  })
  const ratio = medianRatio(sides)
  return {
    bench: 'sign-in',
    what: 'Answers to an address that nobody has',
    unit: 'answers/s',
    figure: median(sides.ours),
    limit: { what: 'a wrong password of somebody', value: median(sides.limit) },
    ratio,
    aim: 'ratio from 0.8 to 1.25',
    isMet: ratio >= 0.8 && ratio <= 1.25,
    note: `${rounds} rounds of ${wrongInRound}, one after the other; ${spread(sides.ours)} against ${spread(sides.limit)}`,
    postgres,
  }
}

async function rateOf(count: number, work: (turn: number) => Promise<unknown>): Promise<number> {
  const seconds = await secondsOf(() =>
    Promise.all(
      Array.from({ length: hands }, async (_, hand) => {
        for (let turn = hand; turn < count; turn += hands) await work(turn)
      }),
    ),
  )
  return count / seconds
}
