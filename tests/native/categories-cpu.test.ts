// Categories of a trace of the CPU, where the backward pass runs in the program's own thread, below the Python frames that called it.
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Fields, memoryEvent, object, x } from '../fixtures/traces/fixture.ts'
import type { RefRules } from '../reference/categories.ts'
import { rulesText } from '../support/category-rules.ts'
import { corpusFile } from '../support/corpus.ts'
import { IndexFile } from '../support/index-file.ts'
import { expectCategories, totalsAt } from './categories-agree.ts'

const python = (name: string, ts: number, dur: number) => x(name, ts, dur, { cat: 'python_function' })
const op = (name: string, ts: number, dur: number) => x(name, ts, dur, { cat: 'cpu_op' })
const memory = (ts: number, address: number, bytes: number, fields: Fields = {}) =>
  memoryEvent(ts, {
    'Ev Idx': ts,
    'Device Type': 0,
    'Device Id': -1,
    Addr: address,
    Bytes: bytes,
    'Total Allocated': 0,
    'Total Reserved': 0,
    ...fields,
  })

const engine = 'autograd::engine::evaluate_function: '
/** A step: the forward pass of a module, then the backward pass with a kept gradient, one that is passed on, and a checkpoint. */
const step = object(
  python('train.py(1): main', 0, 1000),
  python('torch/nn/modules/module.py(1): _call_impl', 10, 90),
  op('aten::addmm', 20, 20),
  memory(30, 0x1000, 4096),
  python('torch/_tensor.py(576): backward', 100, 500),
  python('torch/autograd/graph.py(860): _engine_run_backward', 110, 480),
  op(`${engine}AddmmBackward0`, 120, 100),
  op('AddmmBackward0', 121, 90),
  op('aten::mm', 130, 20),
  memory(140, 0x2000, 8192),
  op('aten::sum', 160, 20),
  memory(170, 0x3000, 1024),
  op(`${engine}CheckpointFunctionBackward`, 230, 300),
  python('torch/utils/checkpoint.py(300): backward', 240, 250),
  op('aten::relu', 250, 20),
  memory(260, 0x4000, 2048),
  op('aten::add', 300, 20),
  memory(310, 0x5000, 64),
  memory(320, 0x5000, -64),
  memory(330, 0x3000, -1024),
  memory(340, 0x4000, -2048),
  memory(350, 0x1000, -4096),
  python('train.py(9): log', 700, 50),
  op('aten::item', 710, 20),
  memory(720, 0x6000, 16),
  memory(730, 0x6000, -16),
)

test('what the backward pass makes in the program’s own thread is no activation, but what Python code within it makes is', async () => {
  const index = await IndexFile.ofTraceBytes('categories-cpu', Buffer.from(step))
  await expectCategories(index, -1, JSON.parse(rulesText) as RefRules)
  const rows = await index.all(
    'SELECT size_bytes, category, rule FROM allocation JOIN allocation_category(-1) USING (allocation_id) ORDER BY allocation_id',
  )
  await index.close()
  expect(rows.slice(0, 4).map((row) => [row.size_bytes, row.category, row.rule])).toEqual([
    [4096, 'activation', 'activation-saved'],
    [8192, 'gradient', 'gradient-by-life'],
    [1024, 'autograd_detail', 'backward-detail'],
    [2048, 'activation', 'recomputed'],
  ])
})

const path = corpusFile('healthy/trace_cpu_only/trace.json')

test.skipIf(path === null || !existsSync(path))('trace_cpu_only: the gradients are those of its two layers, to the byte', async () => {
  const index = await IndexFile.ofTrace(String(path))
  await index.all('SELECT category_rules(?)', [rulesText])
  const [peak] = await index.column('SELECT peak_event FROM device WHERE device = -1')
  const gradient = (await totalsAt(index, -1, Number(peak))).find(({ category }) => category === 'gradient')
  await index.close()
  const floats = 256 * 256 + 256 + 256 * 10 + 10
  expect(gradient?.bytes).toBe(4 * floats)
})
