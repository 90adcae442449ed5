// Pictures of the command line as its options have them: what a flame graph weighs, filters, colours of bars.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { writeLongHistory } from '../engine/long-history.ts'
import { numberOf } from './cli.ts'
import { root, samplePath } from './files.ts'
import { sharedScratch } from './with-app.ts'

const lora = samplePath('ft_lora')
const scratch = sharedScratch()
const cache = () => join(scratch.path, 'cache')

interface Picture {
  readonly svg: string
  readonly said: string // on standard error
}

function picture(file: string, view: string, ...words: string[]): Picture {
  const path = join(scratch.path, `${view}.svg`)
  const said = join(scratch.path, 'said.txt')
  const command = [join(root, 'out', 'main', 'cli.js'), 'export', file, '--view', view, '-o', path, '--size', '1200x600', ...words]
  execFileSync('/bin/sh', ['-c', 'exec "$0" "$@" 2>"$SAID"', process.execPath, ...command], {
    env: { ...process.env, TIDEMARK_CACHE: cache(), SAID: said },
    stdio: 'ignore',
  })
  return { svg: readFileSync(path, 'utf8'), said: readFileSync(said, 'utf8') }
}

test('a flame graph is drawn by the weight, range, root, order, direction and filter that were asked for', () => {
  const words = ['--weight', 'allocated', '--unit', 'count', '--range', '1900:2480', '--filter', 'size>64KiB alive_at:peak']
  const { svg, said } = picture(lora, 'flame', ...words, '--root', 'bottom-up', '--order', 'time', '--direction', 'flame')
  const peak = numberOf(cache(), lora, 'SELECT peak_event FROM device WHERE device = 0')
  const count = numberOf(
    cache(),
    lora,
    `SELECT count(*) FROM live_allocation(0, ${peak}) WHERE alloc_event >= 1900 AND alloc_event < 2480 AND size_bytes > 65536`,
  )
  for (const word of [
    'Allocations made',
    'Events 1,900 – 2,479',
    `Total ${count}`,
    'Bottom-up',
    'siblings by earliest allocation',
    'alive_at:peak',
  ])
    expect(svg).toContain(word)
  const yOf = (name: string) => Number(new RegExp(`<text[^>]* y="([\\d.]+)"[^>]*>(?:<tspan[^>]*>)?${name}<`).exec(svg)?.[1])
  expect(yOf('All stacks')).toBeGreaterThan(yOf('forward'))
  expect(said).toBe('')
})

test('colours of lifetimes are of bars where these have room, and where they have not standard error says what was drawn', () => {
  const bars = picture(lora, 'lifetimes', '--color-by', 'category')
  for (const name of ['Activation', 'Parameter']) expect(bars.svg).toContain(`>${name}<`)
  expect(bars.said).toBe('')
  const many = scratch.write('many.json', '')
  writeLongHistory(many, 20_000)
  const heat = picture(many, 'lifetimes', '--color-by', 'category')
  expect(heat.said).toContain('the colors of --color-by are of bars')
  expect(heat.said).toContain('the heat map of bytes was drawn')
  expect(picture(many, 'lifetimes').said).toBe('')
})
