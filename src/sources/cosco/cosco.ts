/** The source for COSCO's own open interface: one question about a bill or a booking, one answer in JSON. */

import { fetchAnswer, unsent } from '../dcsa/fetch.ts'
import { limitsOf } from '../dcsa/profile.ts'
import { numberFor } from '../dcsa/question.ts'
import { TokenKeeper } from '../dcsa/token.ts'
import { type Access, type FetchContext, type LookRequest, numberKinds, type Source } from '../source.ts'
import { type CoscoProfile, coscoSecrets, parseCoscoProfile } from './profile.ts'
import { readerVersion, readSnapshot } from './read.ts'
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
      asksBy: numberKinds.filter((kind) => parameters[kind] !== null),
      tells: {
        weight: true,
        sealNumber: true,
        equipmentType: true,
        departuresAndArrivals: true,
        timeOfDay: true,
      },
    }),
    fetch: (request, access, context) => ask(request, access, { ...context, tokens }),
    read: readSnapshot,
  }
}

async function ask(
  request: LookRequest,
  { profile, secrets }: Access<CoscoProfile>,
  context: FetchContext & { readonly tokens: TokenKeeper },
) {
  const url = writeQuestion(profile, request)
  const missing = coscoSecrets.filter((name) => !secrets[name])
  if (url === null || missing.length > 0) {
    const why =
      url === null
        ? unsent('unsupported_kind', `${profile.scac} cannot be asked by ${request.kind}`)
        : unsent('no_access', `the access lacks ${missing.join(', ')}`)
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

/** Null when the line cannot be asked by this kind of number. */
function writeQuestion(profile: CoscoProfile, request: LookRequest): URL | null {
  const kind = profile.parameters[request.kind]
  if (kind === null) return null
  const number = encodeURIComponent(numberFor(profile, request))
  return new URL(`${profile.base.replace(/\/$/, '')}${profile.path}${number}?numberType=${kind}`)
}
