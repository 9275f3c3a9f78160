/** Sends the partners' messages to the installation that gave them keys: each message once, at its moment. */
import { isOfThisMachine, postTo } from './deliveries.ts'
import { storyTime } from './latecomers.ts'
import { type Message, messagesOf, PARTNERS, type Partner } from './partners.ts'
import type { Shipment } from './shipment.ts'

interface Account {
  /** The address where the installation takes deliveries, without the channel's name. */
  readonly inbound: string
  /** The key of each channel. */
  readonly keys: Readonly<Record<string, string>>
}

interface Pending {
  readonly partner: Partner
  readonly shipment: Shipment
  readonly messages: readonly Message[]
  sent: number
}

const EVERY_MS = 1_000
const REST_MS = 3_000
const WATCHED_MAX = 300
const AT_ONCE = 50

export class PartnerPost {
  private readonly now: () => number
  private readonly watched = new Map<string, readonly Pending[]>()
  private readonly timer: NodeJS.Timeout
  private account: Account | null = null
  private restsUntil = 0
  private round: Promise<void> = Promise.resolve()
  private isWaiting = false

  constructor(now: () => number) {
    this.now = now
    this.timer = setInterval(() => void this.tellInTurn(), EVERY_MS)
    this.timer.unref()
  }

  /** Returns false for an address of another machine. */
  open(account: Account): boolean {
    if (!isOfThisMachine(account.inbound)) return false
    this.account = account
    return true
  }

  /** Called when somebody asks a line about this shipment: from then on the partners send messages about it. */
  watch(shipment: Shipment): void {
    if (this.account === null || this.watched.has(shipment.key)) return
    const oldest = this.watched.keys().next().value
    if (this.watched.size >= WATCHED_MAX && oldest !== undefined) this.watched.delete(oldest)
    const pending = PARTNERS.flatMap((partner): readonly Pending[] => {
      const messages = shipment.boxes.flatMap((_, box) => messagesOf(partner, shipment, box))
      messages.sort((a, b) => a.at - b.at)
      return messages.length === 0 ? [] : [{ partner, shipment, messages, sent: 0 }]
    })
    this.watched.set(shipment.key, pending)
  }

  close(): void {
    clearInterval(this.timer)
  }

  /** Sends everything that is due now, after the round that is under way. */
  tell(): Promise<void> {
    this.round = this.round.then(() => this.tellAll())
    return this.round
  }

  private async tellAll(): Promise<void> {
    if (this.account === null || this.restsUntil > Date.now()) return
    for (const partner of PARTNERS) {
      const own = [...this.watched.values()].flat().filter((pending) => pending.partner === partner)
      if (await this.tellOne(this.account, partner, own)) continue
      this.restsUntil = Date.now() + REST_MS
      return
    }
  }

  private async tellInTurn(): Promise<void> {
    if (this.isWaiting) return
    this.isWaiting = true
    await this.tell()
    this.isWaiting = false
  }

  private async tellOne({ inbound, keys }: Account, partner: Partner, pending: readonly Pending[]): Promise<boolean> {
    const bearer = keys[partner.channel]
    if (bearer === undefined) return true
    const now = this.now()
    const due = pending.flatMap((each) => {
      const at = storyTime(each.shipment, now)
      const count = each.messages.filter((message) => message.at <= at).length
      const messages = each.messages.slice(each.sent, Math.min(count, each.sent + AT_ONCE))
      return messages.length === 0 ? [] : [{ each, messages }]
    })
    for (const { each, messages } of due) {
      const body = joined(partner, messages)
      const contentType = partner.contentType
      if (!(await postTo(`${inbound}/${partner.channel}`, { bearer, contentType, body }))) return false
      each.sent += messages.length
    }
    return true
  }
}

/** EDI interchanges are joined one after the other, notices into a list. */
function joined({ language }: Partner, messages: readonly Message[]): string {
  const bytes = messages.map((message) => message.bytes)
  return language === 'arrival_notice' ? `[${bytes.join(',')}]` : bytes.join('')
}
