// A connection for statements that a user wrote: nothing but reading is possible on it, whatever they say.
import type { Result } from '../../../preload/contract/errors.ts'
import type { CategoryRuleSet } from '../category-rules.ts'
import type { FoundIndex } from '../index-builder.ts'
import { IndexStore } from '../index-store.ts'
import type { NativeLibrary } from '../native-library.ts'
import { connectSource } from '../trace-source.ts'

/** Opens it; rules: those of categories, as the views of the capture have them. The caller closes it. Errors: as `IndexStore.open`, `categories/broken_rules`. */
export async function openReadingOnly(
  library: NativeLibrary,
  index: Pick<FoundIndex, 'path' | 'sourcePath'>,
  rules: CategoryRuleSet,
): Promise<Result<IndexStore>> {
  const opened = await IndexStore.open(index.path, 'read', library.path)
  if (!opened.ok) return opened
  await connectSource(opened.value, index)
  const ruled = await rules.applyTo(opened.value)
  const restricted = ruled.ok ? await opened.value.restrict() : ruled
  if (restricted.ok) return opened
  await opened.value.close()
  return restricted
}
