// What the demo prints: the story in the order in which it happened, and a line that moves while something runs.
import { setTimeout as pause } from 'node:timers/promises'
import { styleText } from 'node:util'
import { wrap, wrapLines } from '../wrap.ts'

export interface Line {
  /** Milliseconds since the epoch. */
  at: number
  /** Who says it, or `who → whom`. */
  who: string
  text: string
}

export type Screen = ReturnType<typeof createScreen>

type Format = Parameters<typeof styleText>[0]

/** Lines come from several agents: they are held back so long, to be put in order, in ms. */
const patience = 400
const nameWidth = 26

/** `out` is a terminal or anything else that is written to. */
export function createScreen(out: NodeJS.WriteStream = process.stdout) {
  let begun = Date.now()
  const width = out.isTTY ? Math.max(60, Math.min(out.columns ?? 100, 120)) : 120
  let held: Line[] = []
  let waitingFor: { what: string; since: number; told: number } | undefined
  let moving = false
  let asking = false

  const style = (format: Format, text: string) => styleText(format, text, { stream: out })

  function write(text: string): void {
    if (moving) out.write('\r\u001b[K')
    moving = false
    out.write(`${text}\n`)
  }

  function print({ at, who, text }: Line): void {
    const time = `+${Math.max(0, (at - begun) / 1000).toFixed(1)}s`.padStart(7)
    const head = `${style('dim', time)}  ${style('bold', who.padEnd(nameWidth))}`
    const indent = ' '.repeat(nameWidth + 9)
    write(`${head}${wrap(paint(text), width - indent.length).join(`\n${indent}`)}`)
  }

  /** States stand out by their class. */
  const paint = (text: string) =>
    text.replace(/TASK_STATE_(\w+)/g, (state, name: string) => {
      const format: Format = /_REQUIRED$/.test(name)
        ? 'yellow'
        : /COMPLETED/.test(name)
          ? 'green'
          : /FAILED|REJECTED|CANCELED/.test(name)
            ? 'red'
            : 'cyan'
      return style(format, state)
    })

  function flush(before = Number.POSITIVE_INFINITY): void {
    if (asking) return
    const ready = held.filter(({ at }) => at <= before).sort((a, b) => a.at - b.at)
    held = held.filter(({ at }) => at > before)
    for (const line of ready) print(line)
  }

  let ticks = 0
  const timer = setInterval(() => {
    flush(Date.now() - patience)
    ticks += 1
    if (!waitingFor) return
    const seconds = Math.round((Date.now() - waitingFor.since) / 1000)
    if (out.isTTY && ticks % 5 === 0 && seconds > 0) {
      out.write(`\r\u001b[K${style('dim', `         … ${waitingFor.what} (${seconds} s)`)}`)
      moving = true
    } else if (!out.isTTY && seconds >= waitingFor.told + 10) {
      waitingFor.told = seconds
      write(`         … ${waitingFor.what} (${seconds} s)`)
    }
  }, 100)

  return {
    style,
    /** Times are counted from now on. */
    begin() {
      begun = Date.now()
    },
    /** A line of the story. */
    line: (line: Line) => void held.push(line),
    /** Text that stands by itself, after all that was said before; long lines are broken to fit. */
    say(text = ''): void {
      flush()
      write(wrapLines(text, width))
    },
    /** What may be copied from the screen, and so is not broken. */
    command(text: string): void {
      flush()
      write(text)
    },
    heading(text: string): void {
      flush()
      write(['', ...wrap(text, width).map((line) => style('bold', line))].join('\n'))
    },
    /** While `ask` runs, the story is held back, so that what a person reads and types stays together at the bottom. */
    async asking<T>(ask: () => Promise<T>): Promise<T> {
      await pause(patience) // what came before the question is to stand above it
      flush()
      asking = true
      try {
        return await ask()
      } finally {
        asking = false
      }
    },
    /** What is being waited for from now on; nothing if it is left out. */
    waiting(what?: string): void {
      waitingFor = what === undefined ? undefined : { what, since: Date.now(), told: 0 }
    },
    end(): void {
      clearInterval(timer)
      asking = false
      flush()
      if (moving) out.write('\r\u001b[K')
    },
  }
}
