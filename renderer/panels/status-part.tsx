// One read-out of the status line.
import type { ReactNode } from 'react'

/** A name and its value. */
export function Part({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <span>
      {label} <b className='t1'>{children}</b>
    </span>
  )
}
