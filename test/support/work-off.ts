import type { TestApi } from './api.ts'

const roundsMax = 120

/**
 * Does all work that is due. Facilities limit how often they may be asked, so the clock is moved on by some seconds
 * between rounds. Nothing happens in the world in that time.
 */
export async function workOff(api: TestApi): Promise<void> {
  for (let rounds = 0; rounds < roundsMax; rounds += 1) {
    await api.drain()
    const { rows } = await api.service.pool.query<{ due: number }>(
      'select count(*)::int as due from asked_numbers where next_ask_at <= $1',
      [new Date(api.clock.now()).toISOString()],
    )
    if (rounds > 1 && (rows[0]?.due ?? 0) === 0) return
    api.clock.advance(2_000)
  }
}
