// Which relations a statement can ask: those of the index contract, with their columns as the connection tells them.
import type { CaptureKind } from '../../../preload/contract/capture.ts'
import { ok, type Result } from '../../../preload/contract/errors.ts'
import type { SqlRelation } from '../../../preload/contract/queries.ts'
import type { IndexStore } from '../index-store.ts'
import { numberOf, textOf } from '../queries/row.ts'

const shared = [
  'capture',
  'finding',
  'device',
  'event',
  'allocation',
  'live_allocation',
  'memory_curve',
  'flame',
  'stack',
  'frame',
  'stack_frame',
  'stream',
  'pool',
  'metadata',
]
const ofSnapshots = ['segment', 'block', 'block_map', 'segment_map', 'reservation', 'annotation', 'oom']
const ofTraces = ['process', 'track', 'lane', 'slice', 'instant', 'counter', 'flow', 'memory_event', 'trace_allocation']

/** Virtual tables of SQLite's own. */
const ofSqlite = /^(?:pragma_|json|fts|rtree|geopoly|dbstat|bytecode|tables_used|sqlite_)/

/** Answers the relations, those that most questions begin with first. Errors: those of the store. */
export async function relationsOf(store: IndexStore, kind: CaptureKind): Promise<Result<{ relations: SqlRelation[] }>> {
  const modules = await store.all('SELECT name FROM pragma_module_list ORDER BY name')
  if (!modules.ok) return modules
  const isTrace = kind === 'chrome_trace'
  const left = isTrace ? ofSnapshots : ofTraces
  const known = isTrace ? [...shared, ...ofTraces] : [...shared, ...ofSnapshots]
  const others = modules.value.map((row) => textOf(row, 'name')).filter((name) => !ofSqlite.test(name) && !left.includes(name))
  const relations: SqlRelation[] = []
  for (const name of new Set([...known, ...others])) {
    const columns = await store.all('SELECT name, substr(type, 1, 40) AS type, hidden FROM pragma_table_xinfo(?)', [name])
    if (!columns.ok) return columns
    if (columns.value.length === 0) continue
    const isArgument = (row: (typeof columns.value)[number]) => numberOf(row, 'hidden') === 1
    relations.push({
      name,
      arguments: columns.value.filter(isArgument).map((row) => textOf(row, 'name').replace(/^at_/, '')),
      columns: columns.value.filter((row) => !isArgument(row)).map((row) => ({ name: textOf(row, 'name'), type: textOf(row, 'type') })),
    })
  }
  return ok({ relations })
}
