// A line of a log without what loggers, launchers and terminals put around it.

/** What stands before the text of a line. */
export interface LogLine {
  readonly text: string
  /** Who wrote it, times left out: lines of one writer belong together. Empty when nothing says so. */
  readonly writer: string
  readonly rank: number | null
  readonly time: string | null
}

// Colors and other commands of a terminal, and its titles: an escape, then a run without an end mark, then the end mark.
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals' commands are control characters
const terminalCommand = /\u001b(?:\[[0-9;?]{0,40}[ -/]{0,4}[@-~]|\][^\u0007\u001b]{0,256}(?:\u0007|\u001b\\)|[@-Z\\^_])/g

const time = '\\d{4}[-/]\\d\\d[-/]\\d\\d[ T]\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?(?:Z|[+-]\\d\\d:?\\d\\d)?'
const shortTime = '\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?'
const level = '(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)'

const prefixes: readonly RegExp[] = [
  new RegExp(`^\\s{0,8}(?:${time})\\s*[-|:]?\\s*`),
  new RegExp(`^${level}:?\\s+(?:${time}|${shortTime})?\\s*(?:\\S{1,80}\\]:?\\s?)?`),
  // As a system log writes it, and schedulers that label the lines of a program.
  /^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?: [\w.-]{1,80})? (?=[\w./-]{1,80}\[\d{1,10}\]:)/,
  /^[\w./-]{1,80}\[\d{1,10}\]:\s?/,
  /^\[[^\]\n]{1,80}\]\s?(?:<(?:stderr|stdout)>)?:?\s?/,
  /^\([^)\n]{1,80}\)\s?/,
  /^\d{1,5}:\s/,
  // Launchers of several machines name the machine before the rank.
  /^[\w.-]{1,80}:\s(?=\[rank\d)/,
]

const timeIn = new RegExp(time)
const levelFirst = new RegExp(`^${level}\\b`)
const maxPrefixes = 8
const rankIn = /\brank[ :=_]{0,2}(\d{1,6})\b/i
/** `srun --label` and `mpirun --tag-output` write the rank alone, `torchrun --tee` after the name of the role. */
const bareRank = /^(?:(\d{1,5}):\s|\[\d{1,4},(\d{1,5})\]|\[default(\d{1,5})\]:)/

/** Separates the text of a line from its prefixes. */
export function readLine(raw: string): LogLine {
  const line = raw.includes('\u001b') ? raw.replace(terminalCommand, '') : raw
  let text = line
  let writer = ''
  for (let count = 0; count < maxPrefixes; count += 1) {
    const found = firstPrefix(text)
    if (found === '') break
    if (!isTime(found)) writer += found.trim()
    text = text.slice(found.length)
  }
  const prefix = line.slice(0, line.length - text.length)
  const rank =
    rankIn.exec(prefix)?.[1] ??
    bareRank
      .exec(prefix)
      ?.slice(1)
      .find((group) => group !== undefined)
  return { text, writer, rank: rank === undefined ? null : Number(rank), time: prefix === '' ? null : (timeIn.exec(prefix)?.[0] ?? null) }
}

function firstPrefix(text: string): string {
  for (const prefix of prefixes) {
    const found = prefix.exec(text)?.[0]
    if (found) return found
  }
  return ''
}

const isTime = (prefix: string): boolean => /^(?:\s{0,8}\d{4}[-/]|[A-Z][a-z]{2} [ \d]\d )/.test(prefix) || levelFirst.test(prefix)

/** A text inside JSON or a Python repr holds its line ends as `\n`: the lines that it stands for. */
export const unescapedLines = (line: string): readonly string[] =>
  line.includes('\\n') ? line.replaceAll('\\"', '"').split('\\n') : [line]
