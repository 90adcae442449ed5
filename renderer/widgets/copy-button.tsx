// Copies a text and says so.
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from '../state/copy-text.ts'
import { announce } from './announce.ts'

const shownMs = 2000

interface CopyButtonProps {
  readonly text: string
  readonly label: string
  readonly done: string
  readonly name?: string // full name for assistive technology
  readonly className?: string
}

/** A button that puts `text` on the clipboard. */
export function CopyButton({ text, label, done, name, className = 'button' }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), shownMs)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    if (!(await copyText(text))) return
    setCopied(true)
    announce(done)
  }
  const Icon = copied ? Check : Copy
  return (
    <button type='button' className={className} aria-label={name} onClick={() => void copy()}>
      <Icon aria-hidden='true' size={14} />
      {copied ? done : label}
    </button>
  )
}
