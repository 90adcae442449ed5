// Every way in which PyTorch and its relatives write snapshots must load, with all its events.
import { expect, test } from 'vitest'
import { histories } from '../fixtures/histories.ts'
import { variants } from '../fixtures/variants.ts'
import { IndexFile } from '../support/index-file.ts'

test.each([...variants, ...histories].map((variant) => [variant.name, variant] as const))('%s', async (name, variant) => {
  const index = await IndexFile.ofBytes(name, variant.bytes())
  try {
    const counts = await index.all('SELECT device, count(*) AS events FROM event GROUP BY device ORDER BY device')
    const wanted = variant.events.map((events, device) => ({ device, events })).filter(({ events }) => events > 0)
    expect(counts).toEqual(wanted)
    const findings = await index.column('SELECT code FROM finding')
    expect(findings).toEqual(expect.arrayContaining([...(variant.findings ?? [])]))
  } finally {
    await index.close()
  }
})
