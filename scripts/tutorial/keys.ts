// What the reader of a tutorial presses: it counts where something is asked, and is dropped everywhere else.
import type { Keyboard } from '../demo/keys.ts'

export interface Keys {
  /**
   * Resolves with the first of `keys` that is pressed from now on; Ctrl-C counts as `q`, and a key that is held down or pressed twice as
   * one. `other` is called at every other key. Rejects when `signal` aborts.
   */
  press(keys: string, signal: AbortSignal, other?: () => void): Promise<string>
  close(): void
}

/** Reads all keys from now on, without an echo. `interrupt` is called at Ctrl-C where nothing is asked. */
export function openKeys(input: Keyboard, interrupt: () => void): Keys {
  let asked: ((key: string) => void) | undefined
  const onData = (data: Buffer) => {
    const text = data.toString().toLowerCase()
    const [key = '', ...more] = new Set(text)
    if (text.includes('\u0003')) asked ? asked('q') : interrupt()
    else asked?.(more.length === 0 ? key : text)
  }
  input.setRawMode(true)
  input.on('data', onData)

  return {
    async press(keys, signal, other = () => {}) {
      const pressed = Promise.withResolvers<string>()
      const onAbort = () => pressed.reject(signal.reason)
      signal.throwIfAborted()
      signal.addEventListener('abort', onAbort)
      asked = (key) => (key !== '' && keys.includes(key) ? pressed.resolve(key) : other())
      try {
        return await pressed.promise
      } finally {
        asked = undefined
        signal.removeEventListener('abort', onAbort)
      }
    },
    close() {
      input.off('data', onData)
      input.setRawMode(false)
      input.pause()
    },
  }
}

/** Calls `work` the first time only. */
export function onceOnly(work: () => void): () => void {
  let done = false
  return () => {
    if (!done) work()
    done = true
  }
}
