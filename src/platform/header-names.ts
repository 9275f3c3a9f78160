// Names of HTTP headers: which texts are valid names, which names belong to the connection, and which ones a signature
// may have.

const signatureHeadersMax = 5
const signatureHeaderLengthMax = 64

/** Hop-by-hop headers (RFC 9110, 7.6.1) and those for framing and addressing. Only the HTTP client may set them. */
const ofConnection =
  /^(host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|keep-alive|accept-encoding|proxy-.*)$/i

/** A token (RFC 9110, 5.1). */
export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text)
}

export function isConnectionHeader(name: string): boolean {
  return ofConnection.test(name)
}

/** The header names under which a hex signature is sent, or a sentence with the reason why the text is not accepted. */
export type SignatureHeaders =
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'fault'; readonly detail: string }

/** Reads names separated by commas. Each name also reserves `<name>-next`, which is sent while two secrets are live. */
export function parseSignatureHeaders(text: string): SignatureHeaders {
  const names = text.split(',').map((part) => part.trim())
  if (names.length > signatureHeadersMax)
    return { kind: 'fault', detail: `A signature is sent under ${signatureHeadersMax} names at most.` }
  const reserved = new Set<string>()
  for (const name of names) {
    if (!isHeaderName(name) || name.length > signatureHeaderLengthMax)
      return {
        kind: 'fault',
        detail: `Each must be the name of a header, of ${signatureHeaderLengthMax} characters at most; separate several with commas.`,
      }
    if (isConnectionHeader(name) || /^(content-.*|webhook-.*|user-agent)$/i.test(name))
      return { kind: 'fault', detail: `The header ${name} has another meaning and cannot carry a signature.` }
    for (const each of toSignatureHeaderPair(name)) {
      if (reserved.has(each)) return { kind: 'fault', detail: `The header ${name} would be sent twice.` }
      reserved.add(each)
    }
  }
  return { kind: 'names', names }
}

/** In lower case: the header of the signature, and the header of the signature made with the next secret. */
export function toSignatureHeaderPair(name: string): readonly [string, string] {
  const lower = name.toLowerCase()
  return [lower, `${lower}-next`]
}
