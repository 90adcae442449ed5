// What can be told of a statement before it runs, and of the failure when it did not. Pure.
import { type Failure, fail, ok, type Result } from '../../../preload/contract/errors.ts'
import { exampleCallOf, namedRelations } from './relation-names.ts'

/** Texts, quoted names and comments. A group that holds something, be it nothing but the end, tells of one that is not closed. */
const quoted = /'(?:[^']|'')*(?:'|($))|"(?:[^"]|"")*(?:"|($))|`[^`]*(?:`|($))|\[[^\]]*(?:\]|($))|--[^\n]*|\/\*[\s\S]*?(?:\*\/|($))/g

/** The statement without texts, comments and names. What is not closed goes to the end: looking for its end again and again would take forever. */
export const bareText = (sql: string): string => sql.replace(quoted, (piece) => (/^[-/]/.test(piece) ? ' ' : 'x'))

const unclosedNames: Readonly<Record<string, string>> = { "'": 'text', '/': 'comment' }

/** What of the statement has no end, in words. SQLite takes a comment without an end; then nothing can stand behind the statement. */
function unclosed(sql: string): string | undefined {
  for (const [piece, ...ends] of sql.matchAll(quoted)) {
    if (ends.some((end) => end !== undefined))
      return `${unclosedNames[piece.charAt(0)] ?? 'quoted name'} that begins with ${piece.slice(0, 20)}`
  }
  return undefined
}

/** Behind a semicolon nothing may follow. */
const holdsSeveral = (sql: string): boolean => /;\s*[^\s;]/.test(bareText(sql))

/** True of a statement that can be the body of a view. */
export const isSelect = (sql: string): boolean => /^\s*(?:select|with|values)\b/i.test(bareText(sql))

/** Errors: `query/bad_argument` unless it is one statement, `query/failed` when a text, a name or a comment in it has no end. */
function oneStatement(sql: string): Result<void> {
  if (sql.includes('\0')) return fail('query/failed', 'A statement holds no character 0')
  const open = unclosed(sql)
  if (open !== undefined) return fail('query/failed', `The ${open} is not closed`)
  if (bareText(sql).replaceAll(';', '').trim() === '') return fail('query/bad_argument', 'The statement is empty')
  return holdsSeveral(sql) ? fail('query/bad_argument', 'Only one statement can be run') : ok(undefined)
}

const reading = ['select', 'with', 'values', 'explain', 'pragma']
const writing =
  /^(?:alter|analyze|attach|begin|commit|create|delete|detach|drop|end|insert|reindex|release|replace|rollback|savepoint|update|vacuum)$/i

/** As `oneStatement`, and nothing but reading. Errors also: `query/read_only`. */
export function readingStatement(sql: string): Result<void> {
  const one = oneStatement(sql)
  if (!one.ok) return one
  const [, word = ''] = /^\s*(?:explain\s+(?:query\s+plan\s+)?)?(\w*)/i.exec(bareText(sql)) ?? []
  if (writing.test(word)) return readOnly(`${word.toUpperCase()} is not run`)
  if (reading.includes(word.toLowerCase())) return one
  return fail(
    'query/failed',
    `A statement begins with SELECT, WITH, VALUES, EXPLAIN or PRAGMA, not with ${word || sql.trim().slice(0, 20)}`,
  )
}

const readOnly = (what: string) => fail('query/read_only', `${what}: statements only read the index`)

const withArguments = namedRelations.filter(({ arguments: needs }) => needs.length > 0)

/** Functions of SQLite's shell that reach beyond the index; here there are none, which says less than why. */
const ofTheShell = /no such function: (readfile|writefile|edit|fsdir|lsmode|zipfile|shell_\w+)$/i

/** A failure in the words of who wrote the statement. */
export function withReason(failure: Failure, sql: string): Failure {
  const { code } = failure
  const message = failure.message.replace(/^SQLITE_\w+: /, '')
  const refused = /not authorized to use function: (\w+)/.exec(message) ?? ofTheShell.exec(message)
  if (refused) return readOnly(`${refused[1]}() is not called`).error
  if (/not authorized|authorization denied|prohibited|attempt to write a readonly/.test(message))
    return readOnly('This is not allowed').error
  const near = /near "(\w+)": syntax error/.exec(message)?.[1] ?? ''
  if (writing.test(near) && /^\s*(?:explain\s+(?:query\s+plan\s+)?)?with\b/i.test(bareText(sql)))
    return readOnly(`${near.toUpperCase()} is not run`).error
  // SQLite says of a relation without its arguments no more than that there is no way to read it.
  const needs = message.includes('no query solution') ? wants(sql) : []
  return { ...failure, code, message: needs.length === 0 ? message : needs.join('; ') }
}

/** What the relations in the statement that have arguments want, a text for those that want the same. */
function wants(sql: string): string[] {
  const words = new Set(bareText(sql).toLowerCase().match(/\w+/g))
  const asked = withArguments.filter(({ name }) => words.has(name))
  const wanted = new Set(asked.map(({ arguments: needs }) => needs.join(', ')))
  return [...wanted].map((needs) => {
    const [first, ...more] = asked.filter((relation) => relation.arguments.join(', ') === needs)
    const names = [first, ...more].map((relation) => relation?.name).join(' and ')
    return `${names} ${more.length === 0 ? 'needs' : 'need'} (${needs}), such as ${first ? exampleCallOf(first) : ''}`
  })
}
