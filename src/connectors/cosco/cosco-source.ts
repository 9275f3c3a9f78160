/** The source for COSCO's own open interface: one question about a bill or a booking, one answer in JSON. */

import { fetchAnswer, makeUnreachable } from '../dcsa/fetch.ts'
import { limitsOf } from '../dcsa/profile.ts'
import { stripCarrierPrefix } from '../dcsa/question.ts'
import { TokenKeeper } from '../dcsa/token.ts'
import { type FetchContext, numberKinds, type PollRequest, type Source, type SourceAccess } from '../source.ts'
import { type CoscoProfile, coscoSecrets, parseCoscoProfile } from './profile.ts'
import { readerVersion, readSnapshot } from './read-snapshot.ts'
import { signQuestion } from './sign.ts'

export function openCoscoSource(): Source<CoscoProfile> {
  const tokens = new TokenKeeper()
  return {
    name: 'cosco',
    version: readerVersion,
    parseProfile: parseCoscoProfile,
    secretNames: () => coscoSecrets,
    limitsOf,
    abilityOf: ({ verified, isBilled, parameters }) => ({
      isVerified: verified,
      isBilled,
      supportedKinds: numberKinds.filter((kind) => parameters[kind] !== null),
      provides: {
        weight: true,
        sealNumber: true,
        equipmentType: true,
        departuresAndArrivals: true,
        timeOfDay: true,
      },
    }),
    fetch: (request, access, context) => fetchTracking(request, access, { ...context, tokens }),
    read: readSnapshot,
  }
}

async function fetchTracking(
  request: PollRequest,
  { profile, secrets }: SourceAccess<CoscoProfile>,
  context: FetchContext & { readonly tokens: TokenKeeper },
) {
  const url = writeQuestion(profile, request)
  const missing = coscoSecrets.filter((name) => !secrets[name])
  if (url === null || missing.length > 0) {
    const why =
      url === null
        ? makeUnreachable('unsupported_kind', `${profile.scac} cannot be polled by ${request.kind}`)
        : makeUnreachable('no_access', `the access lacks ${missing.join(', ')}`)
    return { ...why, durationMs: 0, url: url?.href ?? profile.base + profile.path }
  }
  const { apiKey = '', secretKey = '' } = secrets
  const platform = { ...profile, auth: { keyHeaders: {}, oauth: null } }
  return fetchAnswer(
    url,
    { profile: platform, secrets },
    {
      ...context,
      tenant: `source:${profile.scac}`,
      pagesMax: 1,
      nextOf: () => null,
      sign: (page) => signQuestion(page, { apiKey, secretKey, nowMs: context.now() }),
    },
  )
}

/** Null when the line cannot be polled by this kind of number. */
function writeQuestion(profile: CoscoProfile, request: PollRequest): URL | null {
  const kind = profile.parameters[request.kind]
  if (kind === null) return null
  const number = encodeURIComponent(stripCarrierPrefix(profile, request))
  return new URL(`${profile.base.replace(/\/$/, '')}${profile.path}${number}?numberType=${kind}`)
}
