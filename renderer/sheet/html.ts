// HTML as a value: whatever is put in is escaped, so a name from a file can never become markup.

/** Finished markup. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type HtmlValue = Html | string | number | null | readonly HtmlValue[]

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** What HTML itself does not take, and what would turn the direction of the text around it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about.
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g

/** Text for an element or a quoted attribute. */
const escapeHtml = (text: string): string =>
  text.replace(unprintable, '\ufffd').replace(/[&<>"']/g, (character) => entities[character] ?? '')

function textOf(value: HtmlValue): string {
  if (value === null) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return value.map(textOf).join('')
}

/** A template whose values are escaped unless they are markup themselves; lists are joined, null is nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(parts.map((part, at) => part + textOf(values[at] ?? null)).join(''))
}

/** Markup between items. */
export const joined = (items: readonly HtmlValue[], between: Html): Html => new Html(items.map(textOf).join(between.text))

const mark = /\ue000(\d+)\ue001/g

/**
 * A sentence of the language files with values that may be markup. translate: puts texts into the sentence; it never sees the values, so
 * nothing in them is taken for a placeholder.
 */
export function sentence(translate: (values: Record<string, string>) => string, values: Readonly<Record<string, HtmlValue>>): Html {
  const names = Object.keys(values)
  const marked = translate(Object.fromEntries(names.map((name, at) => [name, `\ue000${at}\ue001`])))
  return new Html(escapeHtml(marked).replace(mark, (_, at: string) => textOf(values[names[Number(at)] ?? ''] ?? null)))
}
