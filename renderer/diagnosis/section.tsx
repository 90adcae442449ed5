// A section of the page with its heading.
import { type ReactNode, useId } from 'react'

interface SectionProps {
  readonly title: string
  readonly note?: string
  readonly className?: string
  readonly children: ReactNode
}

/** A labelled region under a rule. */
export function Section({ title, note, className = '', children }: SectionProps) {
  const id = useId()
  return (
    <section className={`diag-section ${className}`} aria-labelledby={id}>
      <div className='diag-head'>
        <h3 id={id}>{title}</h3>
        {note !== undefined && <span className='weak'>{note}</span>}
      </div>
      {children}
    </section>
  )
}
