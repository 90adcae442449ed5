// The program's mark: a tide's step curve over its line.
interface LogoProps {
  readonly size: number
}

/** Drawn in the colour of the text around it. */
export function Logo({ size }: LogoProps) {
  return (
    <svg width={size} height={size} viewBox='0 0 18 18' fill='none' stroke='currentColor' strokeWidth='1.5' aria-hidden='true'>
      <path d='M2 11.5h3.5V8H9V4.5h3.5V11.5H16' />
      <path d='M2 15h14' />
    </svg>
  )
}
