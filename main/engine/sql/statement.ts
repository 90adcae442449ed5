// What can be told of a statement before it runs, and of the failure when it did not. Pure.
import { type Failure, fail, ok, type Result } from '../../../preload/contract/errors.ts'

/** The statement without texts, comments and names. What is not closed goes to the end: looking for its end again and again would take forever. */
export const bareText = (sql: string): string =>
  sql.replace(/'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`[^`]*(?:`|$)|\[[^\]]*(?:\]|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, (piece) =>
    /^[-/]/.test(piece) ? ' ' : 'x',
  )

/** Behind a semicolon nothing may follow. */
const holdsSeveral = (sql: string): boolean => /;\s*[^\s;]/.test(bareText(sql))

/** True of a statement that can be the body of a view. */
export const isSelect = (sql: string): boolean => /^\s*(?:select|with|values)\b/i.test(bareText(sql))

/** Errors: `query/bad_argument` unless it is one statement. */
function oneStatement(sql: string): Result<void> {
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
  const [, word = ''] = /^\s*(\w*)/.exec(bareText(sql)) ?? []
  if (writing.test(word)) return readOnly(`${word.toUpperCase()} is not run`)
  if (reading.includes(word.toLowerCase())) return one
  return fail(
    'query/failed',
    `A statement begins with SELECT, WITH, VALUES, EXPLAIN or PRAGMA, not with ${word || sql.trim().slice(0, 20)}`,
  )
}

const readOnly = (what: string) => fail('query/read_only', `${what}: statements only read the index`)

/** Relations that have arguments. */
const argumentsOf = [
  { names: /\b(block_map|segment_map|live_allocation|flame)\b/gi, wanted: '(device, event)', example: '(0, 100)' },
  { names: /\b(allocation_category)\b/gi, wanted: '(device)', example: '(0)' },
] as const

/** A failure in the words of who wrote the statement. */
export function withReason(failure: Failure, sql: string): Failure {
  const { code } = failure
  const message = failure.message.replace(/^SQLITE_\w+: /, '')
  const refused = /not authorized to use function: (\w+)/.exec(message)
  if (refused) return readOnly(`${refused[1]}() is not called`).error
  if (/not authorized|authorization denied|prohibited|attempt to write a readonly/.test(message))
    return readOnly('This is not allowed').error
  const near = /near "(\w+)": syntax error/.exec(message)?.[1] ?? ''
  if (writing.test(near) && /^\s*(?:with|explain)\b/i.test(bareText(sql))) return readOnly(`${near.toUpperCase()} is not run`).error
  // SQLite says of a relation without its arguments no more than that there is no way to read it.
  const needs = message.includes('no query solution') ? argumentsOf.flatMap((relations) => wants(relations, sql)) : []
  return { ...failure, code, message: needs.length === 0 ? message : needs.join('; ') }
}

function wants({ names, wanted, example }: (typeof argumentsOf)[number], sql: string): string[] {
  const [first, ...more] = [...new Set(bareText(sql).match(names))]
  if (first === undefined) return []
  return [`${[first, ...more].join(' and ')} ${more.length === 0 ? 'needs' : 'need'} ${wanted}, such as ${first}${example}`]
}
