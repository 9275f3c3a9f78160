/**
 * Checks a signature of S3 as the service does (AWS Signature Version 4, in the header): written from its description,
 * apart from the package that signs.
 */

import { createHmac, hash } from 'node:crypto'

export interface SignedRequest {
  readonly method: string
  /** Path and query as they were sent. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** The word of the error; null when the signature is right. */
export function findSignatureFault(
  request: SignedRequest,
  keys: Readonly<Record<string, string>>,
): 'InvalidAccessKeyId' | 'SignatureDoesNotMatch' | 'XAmzContentSHA256Mismatch' | 'AccessDenied' | null {
  const { headers } = request
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/.exec(
      headers['authorization'] ?? '',
    )
  if (parts === null) return 'AccessDenied'
  const [, keyId = '', day = '', region = '', signedHeaders = '', signature] = parts
  const secret = keys[keyId]
  if (secret === undefined) return 'InvalidAccessKeyId'
  const [path = '', query = ''] = request.url.split('?', 2)
  const canonical = [
    request.method,
    path,
    query,
    ...signedHeaders.split(';').map((name) => `${name}:${headers[name]?.trim().replace(/ +/g, ' ')}`),
    '',
    signedHeaders,
    headers['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash('sha256', canonical)].join('\n')
  const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const key = [region, 's3', 'aws4_request'].reduce(mac, mac(`AWS4${secret}`, day))
  if (mac(key, toSign).toString('hex') !== signature) return 'SignatureDoesNotMatch'
  const isSame = hash('sha256', request.body) === headers['x-amz-content-sha256']
  return isSame ? null : 'XAmzContentSHA256Mismatch'
}
