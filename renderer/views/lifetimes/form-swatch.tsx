// Small pictures of the forms that the canvas draws.
import { cssColor, mix, parseHex } from '../../theme/palette.ts'
import { useTokens } from '../../theme/theme.ts'
import type { Tokens } from '../../theme/tokens.ts'
import { heatColor, reservedColor } from './heat.ts'
import { type Form, formColor } from './legend.ts'

const middle = 0.6 // of the scale

function Shape({ form, tokens }: { readonly form: Form; readonly tokens: Tokens }) {
  const canvas = parseHex(tokens.canvas)
  const own = formColor(tokens)
  const solid = cssColor(mix(canvas, own, tokens.bandOpacity))
  const weak = cssColor(mix(canvas, own, 0.58))
  if (form === 'reserved') return <rect width='22' height='12' fill={cssColor(reservedColor(tokens))} />
  if (form === 'notReserved') return <rect x='0.5' y='0.5' width='21' height='11' fill={tokens.canvas} stroke={tokens.mark} />
  if (form === 'pendingCell') {
    return (
      <>
        <rect width='22' height='12' fill={cssColor(mix(canvas, heatColor(tokens, middle), 0.55))} />
        <path d='M0 8 8 0M4 12 16 0M12 12 22 2' stroke={tokens.canvas} strokeWidth='1.5' />
      </>
    )
  }
  if (form === 'pending') {
    return (
      <>
        <rect width='22' height='12' fill={cssColor(mix(canvas, own, 0.3))} />
        <path d='M0 8 8 0M4 12 16 0M12 12 22 2' stroke={tokens.t1} />
      </>
    )
  }
  if (form === 'idle') {
    return (
      <>
        <rect width='22' height='12' fill={weak} />
        <path d='M3 6h2M10 6h2M17 6h2' stroke={solid} strokeWidth='2' />
      </>
    )
  }
  return (
    <>
      <rect width='22' height='12' fill={solid} />
      {form === 'made' && <rect width='2' height='12' fill={tokens.t1} />}
      {form === 'freed' && <rect x='21' width='1' height='12' fill={tokens.t1} />}
      {form === 'alive' && <path d='M16 1v10l6-5z' fill={tokens.t1} />}
      {form === 'before' && <path d='M1.75 0v12M4.75 0v12' stroke={tokens.canvas} strokeWidth='1.5' />}
    </>
  )
}

/** The picture of one form. */
export function FormSwatch({ form }: { readonly form: Form }) {
  const tokens = useTokens()
  return (
    <svg className='form-swatch' width='22' height='12' aria-hidden='true'>
      <Shape form={form} tokens={tokens} />
    </svg>
  )
}
