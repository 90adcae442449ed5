// Short messages at the bottom: finished exports, a recovered engine, a failed export.
import { Check, TriangleAlert, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { dismissMessage, holdMessage, type Message, releaseMessage, useShell } from '../state/shell.ts'

/** All messages that are shown now. */
export function Messages() {
  const messages = useShell((state) => state.messages)
  return (
    // Only what is new is spoken, not again what stands beside it.
    <div className='messages' role='status' aria-atomic='false'>
      {messages.map((message) => (
        <MessageItem key={message.id} message={message} />
      ))}
    </div>
  )
}

function MessageItem({ message }: { readonly message: Message }) {
  const { t } = useTranslation()
  const { action } = message
  const act = () => {
    dismissMessage(message.id)
    action?.run()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: being pointed at or focused only keeps the message
    <div
      className='message'
      onPointerEnter={() => holdMessage(message)}
      onPointerLeave={() => releaseMessage(message)}
      onFocus={() => holdMessage(message)}
      onBlur={() => releaseMessage(message)}
    >
      {message.severity === 'info' ? (
        <Check className='good' aria-hidden='true' size={16} />
      ) : (
        <TriangleAlert className='bad' aria-hidden='true' size={16} />
      )}
      <span>{message.text}</span>
      {action && (
        <button type='button' className='link-button' onClick={act}>
          {action.label}
        </button>
      )}
      <button type='button' className='icon-button' aria-label={t('failure.dismiss')} onClick={() => dismissMessage(message.id)}>
        <X aria-hidden='true' size={14} />
      </button>
    </div>
  )
}
