/** A backup file that cannot be used: cut off, changed, of another format, or closed with another passphrase. */
export class BackupFault extends Error {}
