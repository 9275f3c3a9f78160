/**
 * The store of files: bytes by an id, without their meaning. The store on disk and the S3 store both guarantee: after
 * `put` has returned, the file is durable and complete.
 */

export interface FileStore {
  /** Writes all bytes or none. The same id again replaces them. */
  readonly put: (id: string, bytes: Buffer) => Promise<void>
  /** Null when there is no such file. */
  readonly get: (id: string) => Promise<Buffer | null>
  /** A part of the file, from byte `at`; fewer bytes where the file ends before. Null when there is no such file. */
  readonly getRange: (id: string, range: FileRange) => Promise<Buffer | null>
  /** Does nothing when there is no such file. */
  readonly delete: (id: string) => Promise<void>
  /** Deletes what writes that were cut off have left. */
  readonly sweep: (before: Date) => Promise<void>
}

export interface FileRange {
  readonly at: number
  readonly bytes: number
}

/**
 * `full`: there is no space. `away`: the store does not answer, or not in time. `refused`: it answers, and refuses us:
 * a wrong key, a missing bucket, a folder that may not be written.
 */
export type FileFault = 'full' | 'away' | 'refused'

/** The store cannot do it now. Nothing was written. The message has no secret and no content in it. */
export class FileStoreError extends Error {
  readonly fault: FileFault

  constructor(fault: FileFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'FileStoreError'
    this.fault = fault
  }
}
