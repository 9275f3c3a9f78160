/** The parts of the npm package `s3rver` that the tests use. The package has no types. */
declare module 's3rver' {
  import type { AddressInfo } from 'node:net'

  // biome-ignore lint/style/noDefaultExport: it is what the package exports
  export default class S3rver {
    constructor(options: {
      readonly address: string
      readonly port: number
      readonly silent: boolean
      readonly directory: string
      readonly configureBuckets: readonly { readonly name: string }[]
    })
    run(): Promise<AddressInfo>
    close(): Promise<void>
  }
}
