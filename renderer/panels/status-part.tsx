// Read-outs of the status line.
import type { ReactNode } from 'react'
import { formatCount } from '../i18n/format.ts'
import { panelText } from '../i18n/part-texts.ts'

/** A name and its value. */
export function Part({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <span>
      {label} <b className='t1'>{children}</b>
    </span>
  )
}

/** How many events of the time line one pixel stands for. */
export function Density({ eventsPerPixel }: { readonly eventsPerPixel: number }) {
  return <span>{densityText(eventsPerPixel)}</span>
}

/** In two digits, or whole from a hundred on. The form of the noun is that of the number shown. */
export function densityText(eventsPerPixel: number): string {
  const count = eventsPerPixel >= 100 ? Math.round(eventsPerPixel) : Number(eventsPerPixel.toPrecision(2))
  return panelText('eventsPerPixel', { count, events: eventsPerPixel >= 100 ? formatCount(count) : String(count) })
}
