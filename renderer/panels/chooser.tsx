// A labelled choice in a tool row.
interface ChooserProps<T extends string> {
  readonly label: string
  readonly title?: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly label: string }[]
  readonly onChoose: (value: T) => void
}

/** The label and its list. */
export function Chooser<T extends string>({ label, title, value, options, onChoose }: ChooserProps<T>) {
  const choose = (text: string) => {
    const chosen = options.find((option) => option.value === text)
    if (chosen) onChoose(chosen.value)
  }
  return (
    <label className='tool-chooser' title={title ?? label}>
      <span>{label}</span>
      <select value={value} onChange={(event) => choose(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  )
}

interface SwitchProps<T extends string> extends Omit<ChooserProps<T>, 'options'> {
  readonly options: readonly { readonly value: T; readonly label: string; readonly disabled?: boolean }[]
}

/** A choice of a few words, all in sight. */
export function Switch<T extends string>({ label, title, value, options, onChoose }: SwitchProps<T>) {
  return (
    <fieldset className='tool-switch' title={title ?? label}>
      <legend className='visually-hidden'>{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type='button'
          aria-pressed={value === option.value}
          disabled={option.disabled}
          onClick={() => onChoose(option.value)}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  )
}
