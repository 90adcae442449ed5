// How long to wait before a failed engine is started again.
const delaysMs = [100, 500, 2000, 5000]

/** crashes: how often in a row it failed, from 1. Answers milliseconds, or null when it should be left until the user asks. */
export const restartDelay = (crashes: number): number | null => delaysMs[crashes - 1] ?? null
