/** `landfall://snapshot/{id}`: the answer of a source, verbatim, marked as data. */

import type { Context } from '../../modules/access/context.ts'
import { downloadSnapshot } from '../../modules/provenance/get-snapshot.ts'
import type { Service } from '../../modules/service.ts'
import { fenceRule, markUnlessCode } from '../presenters/fence.ts'
import { writeInstant } from '../presenters/local-time.ts'

/** A longer answer is cut here; REST has the complete one. */
const charactersMax = 60_000

export async function readSnapshotPage(
  { service, context }: { readonly service: Service; readonly context: Context },
  id: string,
): Promise<string> {
  const { reading, body } = await downloadSnapshot(service, context, { id })
  const { source, about, recordedAt, bytes, sha256 } = reading
  const bodyText = body.toString('utf8').replace(/[⟦⟧]/g, '|')
  const isCut = bodyText.length > charactersMax
  return `# Answer of ${source.kind} ${markUnlessCode(source.code)} about ${about.kind} ${markUnlessCode(about.number)}

Read ${writeInstant(recordedAt, null)}; ${bytes} bytes; SHA-256 ${sha256}. ${fenceRule}${isCut ? ` Cut after ${charactersMax} characters: GET /v2/snapshots/${id}/body has all of it.` : ''}

⟦${bodyText.slice(0, charactersMax)}⟧
`
}
