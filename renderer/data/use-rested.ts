// A value that counts once it rests.
import { useEffect, useState } from 'react'
import { later } from './later.ts'

/** The value as it was when it last stayed the same for `ms` milliseconds. */
export function useRested<T>(value: T, ms: number): T {
  const [rested, setRested] = useState(value)
  useEffect(() => (Object.is(value, rested) ? undefined : later(ms, () => setRested(value))), [value, rested, ms])
  return rested
}
