/** Times of stories: `+012 14:30` is twelve days after the world's first day. */
import { DAY, HOUR, MINUTE } from './local-time.ts'

export function readTime(day = '', time = '', day0: number): number {
  const [hours, minutes] = time.split(':').map(Number)
  const at = day0 + Number(day) * DAY + (hours ?? 0) * HOUR + (minutes ?? 0) * MINUTE
  if (!Number.isFinite(at)) throw new Error(`cannot read the time "${day} ${time}"`)
  return at
}

/** `+012`: as a date. */
export function readDay(day = '', day0: number): string {
  return new Date(readTime(day, '00:00', day0)).toISOString().slice(0, 10)
}
