// Says in place of a picture (or above it, as a strip) why there is nothing to see and what to do about it.
import { Info, TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'

interface ViewNoticeProps {
  readonly title: string
  readonly cause: string
  readonly next: string
  readonly severity?: 'info' | 'warning'
  readonly children?: ReactNode // buttons, or lines to copy
}

/** Fills the view's area. */
export function ViewNotice({ title, cause, next, severity = 'info', children }: ViewNoticeProps) {
  const Icon = severity === 'info' ? Info : TriangleAlert
  return (
    <div className='notice'>
      <div className='notice-card'>
        <Icon className='notice-icon' aria-hidden='true' size={20} />
        <h1>{title}</h1>
        <p>{cause}</p>
        <p className='strong'>{next}</p>
        {children}
      </div>
    </div>
  )
}

interface NoticeStripProps {
  readonly title: string
  readonly cause: string
  readonly dismissLabel: string
  readonly onDismiss: () => void
}

/** One line above the picture that can be dismissed. */
export function NoticeStrip({ title, cause, dismissLabel, onDismiss }: NoticeStripProps) {
  return (
    <div className='notice-strip' role='note'>
      <Info aria-hidden='true' size={14} />
      <span className='strong'>{title}</span>
      <span className='truncate'>{cause}</span>
      <button type='button' className='icon-button' aria-label={dismissLabel} title={dismissLabel} onClick={onDismiss}>
        <X aria-hidden='true' size={14} />
      </button>
    </div>
  )
}
