// Signs of life on quiet streams: one timer for all of them.
import { outside } from '../telemetry/index.ts'

/** What shows that it is alive. */
export interface Beating {
  beat(): void
}

export type Heart = ReturnType<typeof createHeart>

/** They beat in so many groups, one after the other, so that thousands do not all write at once. */
const groupCount = 16

/** Has each member beat once in `interval` ms. The timer runs while there are any. */
export function createHeart(interval: number) {
  const groups = Array.from({ length: groupCount }, () => new Set<Beating>())
  let turn = 0
  let members = 0
  let timer: NodeJS.Timeout | undefined

  function beat(): void {
    turn = (turn + 1) % groupCount
    for (const member of groups[turn]!) member.beat()
  }

  return {
    /** For the first time, it beats when `interval` is over. */
    join(member: Beating): void {
      groups[turn]!.add(member)
      members += 1
      timer ??= outside(() => setInterval(beat, interval / groupCount))
    },
    /** Once for each that has joined. */
    leave(member: Beating): void {
      groups.some((group) => group.delete(member))
      members -= 1
      if (members > 0) return
      clearInterval(timer)
      timer = undefined
    },
  }
}
