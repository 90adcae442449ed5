// Names come from files, and files are hostile: what a terminal would obey is shown as a mark instead.

// C0 and C1 controls (ANSI and OSC sequences begin with one) and the marks that turn the writing direction.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const obeyed = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** One line of text without anything that a terminal would act on. */
export const printable = (line: string): string => line.replace(obeyed, '\ufffd')
