// Which relations a statement can ask: those of the index contract, with their columns as the connection tells them.
import type { CaptureKind } from '../../../preload/contract/capture.ts'
import { ok, type Result } from '../../../preload/contract/errors.ts'
import type { SqlRelation } from '../../../preload/contract/queries.ts'
import type { IndexStore } from '../index-store.ts'
import { numberOf, textOf } from '../queries/row.ts'
import { namedRelations } from './relation-names.ts'

/** Answers the relations of a kind of capture, those that most questions begin with first. Errors: those of the store. */
export async function relationsOf(store: IndexStore, kind: CaptureKind): Promise<Result<{ relations: SqlRelation[] }>> {
  const relations: SqlRelation[] = []
  for (const { name } of namedRelations.filter(({ of }) => of.includes(kind))) {
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
