/** The least that a server of this kind takes: Fastify with one route, and a pool of `pg` that has asked once. */

import Fastify from 'fastify'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 1 })
await pool.query('select 1')
const app = Fastify()
app.get('/', async () => ({ isUp: true }))
await app.listen({ port: 0, host: '127.0.0.1' })
process.stderr.write('Landfall is up.\n\n')
