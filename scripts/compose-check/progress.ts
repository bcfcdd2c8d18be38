// What the check prints: one line for each thing that held, with the seconds since the start.

export type Progress = ReturnType<typeof createProgress>

export function createProgress() {
  const begun = performance.now()
  let doing = ''
  const line = (mark: string, text: string) => {
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    console.log(`${`+${seconds}s`.padStart(9)}  ${mark.padEnd(6)}  ${text}`)
  }
  return {
    /** What is being done from now on. */
    doing(text: string): void {
      doing = text
      line('...', text)
    },
    held: (text: string): void => line('ok', text),
    failed: ({ message }: Error): void => line('FAILED', `${doing}: ${message}`),
  }
}
