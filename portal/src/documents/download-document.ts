import type { Connection } from '../api/connection.ts'

/** Leads the browser to the file of a document, by an address that is good for some minutes. */
export async function downloadDocument(connection: Connection, documentId: string): Promise<void> {
  const answer = (await connection.ask('GET', `/v2/documents/${documentId}/download_url`)) as {
    readonly download_url?: string
    readonly data?: { readonly attributes?: { readonly download_url?: string } }
  }
  const url = answer.data?.attributes?.download_url ?? answer.download_url
  if (url !== undefined) location.assign(url)
}
