/** Some of the values that are stored encrypted, whatever table they are in, to test a secret with. */

import type { Db } from './database.ts'

/** The newest value of each kind that is stored longer than a day; none in a new database. */
export async function sampleEncryptedValues(db: Db): Promise<readonly Buffer[]> {
  const { rows } = await db.query<{ sealed: Buffer }>({
    name: 'sealed_sample',
    text: `(select secret_sealed as sealed from webhook_secrets order by created_at desc limit 1)
           union all
           (select key_sealed from oauth_signing_keys order by generation desc limit 1)
           union all
           (select key_sealed from evidence_keys order by made_at desc limit 1)
           union all
           (select secret_sealed from channels where secret_sealed is not null order by created_at desc limit 1)
           union all
           (select totp_sealed from users where totp_sealed is not null order by updated_at desc limit 1)
           union all
           (select content_sealed from mails order by created_at desc limit 1)
           union all
           (select metadata_sealed from oauth_clients order by created_at desc limit 1)`,
  })
  return rows.map(({ sealed }) => sealed)
}
