/**
 * Calendar days in words, the same in mails, in the portal and for agents. This file imports nothing, because the portal
 * loads it as well.
 */

/** Days are `YYYY-MM-DD` at one place. Negative: `to` is before `from`. */
export function countDays(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
}

/** "3 days left", "tomorrow", "today", "1 day over". */
export function describeDaysLeft(days: number): string {
  if (days === 0) return 'today'
  if (days === 1) return 'tomorrow'
  const size = Math.abs(days)
  return `${size} ${size === 1 ? 'day' : 'days'} ${days < 0 ? 'over' : 'left'}`
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** "Fri 27 Nov"; with the year where it is another than that of `today`. */
export function nameDay(day: string, today: string): string {
  const date = new Date(`${day.slice(0, 10)}T00:00:00Z`)
  const year = date.getUTCFullYear()
  const name = `${weekdays[date.getUTCDay()]} ${date.getUTCDate()} ${months[date.getUTCMonth()]}`
  return Number(today.slice(0, 4)) === year ? name : `${name} ${year}`
}

/** "Free time ended Fri 27 Nov, 1 day over", "Free time ends Mon 30 Nov, tomorrow". */
export function describeFreeTime(lastFreeDay: string, today: string): string {
  const days = countDays(today, lastFreeDay)
  return `Free time ${days < 0 ? 'ended' : 'ends'} ${nameDay(lastFreeDay, today)}, ${describeDaysLeft(days)}`
}
