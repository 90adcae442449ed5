// What each category of the shipped samples holds at the peak, as a small table kept in git.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { totalsAt } from '../native/categories-agree.ts'
import { rulesText } from '../support/category-rules.ts'
import { IndexFile } from '../support/index-file.ts'
import { sampleNames, samplePath, traceSamplePath } from '../support/paths.ts'

async function linesOf(name: string, index: IndexFile): Promise<string[]> {
  await index.all('SELECT category_rules(?)', [rulesText])
  const lines: string[] = []
  for (const row of await index.all('SELECT device, peak_event FROM device WHERE event_count > 0 ORDER BY device')) {
    const [device, event] = [Number(row.device), Number(row.peak_event)]
    lines.push(`## ${name}, device ${device}, event ${event}`)
    for (const { category, bytes, count, rules } of await totalsAt(index, device, event)) {
      const by = rules.map((of) => `${of.rule ?? 'no rule'} ${of.bytes}`).join(', ')
      lines.push(`${category.padEnd(16)}${String(bytes).padStart(12)}${String(count).padStart(5)}  ${by}`)
    }
    lines.push('')
  }
  await index.close()
  return lines
}

test('the categories at the peak of the samples', async () => {
  const lines: string[] = []
  for (const name of sampleNames) lines.push(...(await linesOf(name, await IndexFile.of(samplePath(name)))))
  lines.push(...(await linesOf('trace_lora.json.gz', await IndexFile.ofTrace(traceSamplePath))))
  await expect(lines.join('\n')).toMatchFileSnapshot(join(import.meta.dirname, 'tables', 'categories.txt'))
})
