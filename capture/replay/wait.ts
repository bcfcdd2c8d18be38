// Waiting with an end.

/** How long anything may take, in ms. */
const patience = 20_000

/**
 * What `what` resolves with.
 * @throws Error that says `name` if it does not in time
 */
export async function soon<T>(what: Promise<T>, name: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Waited ${patience / 1000} s in vain for ${name}.`)), patience)
  })
  try {
    return await Promise.race([what, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves once `check` holds, of what tells no change by itself. */
export async function until(check: () => boolean): Promise<void> {
  while (!check()) await moment()
}

/** The pause before something is looked at again. */
export const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))
