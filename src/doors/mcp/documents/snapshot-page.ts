/** `landfall://snapshot/{id}`: the answer of a source, word for word, marked as the data that it is. */

import type { Context } from '../../../service/context.ts'
import { downloadSnapshot } from '../../../service/proving/snapshots/get-snapshot.ts'
import type { Service } from '../../../service/service.ts'
import { fenceRule, fenceUnlessCode } from '../words/fence.ts'
import { writeInstant } from '../words/local-time.ts'

/** A longer answer is cut here; REST has the whole of it. */
const charactersMax = 60_000

export async function readSnapshotPage(
  { service, context }: { readonly service: Service; readonly context: Context },
  id: string,
): Promise<string> {
  const { reading, body } = await downloadSnapshot(service, context, { id })
  const { source, about, recordedAt, bytes, sha256 } = reading
  const told = body.toString('utf8').replace(/[⟦⟧]/g, '|')
  const isCut = told.length > charactersMax
  return `# Answer of ${source.kind} ${fenceUnlessCode(source.code)} about ${about.kind} ${fenceUnlessCode(about.number)}

Read ${writeInstant(recordedAt, null)}; ${bytes} bytes; SHA-256 ${sha256}. ${fenceRule}${isCut ? ` Cut after ${charactersMax} characters: GET /v2/snapshots/${id}/body has all of it.` : ''}

⟦${told.slice(0, charactersMax)}⟧
`
}
