// The shipped samples' indexes as small text tables, kept in git. `node scripts/golden.mjs --update` writes them anew; read the diff.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { IndexFile, type Row } from '../support/index-file.ts'
import { sampleNames, samplePath, traceSamplePath } from '../support/paths.ts'
import { type Question, questions } from './questions.ts'
import { traceQuestions } from './trace-questions.ts'

/** A table with a line a row, columns padded: a diff then shows what changed. */
function textTable(rows: readonly Row[]): string {
  const [first] = rows
  if (first === undefined) return '(no rows)\n'
  const names = Object.keys(first)
  const lines = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '∅')))]
  const widths = names.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  return lines
    .map((line) => `${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n')
    .concat('\n')
}

async function expectTables(index: IndexFile, asked: readonly Question[], file: string): Promise<void> {
  const parts: string[] = []
  for (const question of asked) parts.push(`## ${question.name}\n${textTable(await index.all(question.sql))}`)
  await index.close()
  await expect(parts.join('\n')).toMatchFileSnapshot(join(import.meta.dirname, 'tables', file))
}

test.each(sampleNames)('%s', async (name) => expectTables(await IndexFile.of(samplePath(name)), questions, `${name}.txt`))

test('the trace of trace_lora', async () => expectTables(await IndexFile.ofTrace(traceSamplePath), traceQuestions, 'trace_lora.trace.txt'))
