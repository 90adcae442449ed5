// The templates of hot spots: ours, and the user's before them. See resources/templates/README.md.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import envPaths from 'env-paths'
import { z } from 'zod'
import { categorySchema } from '../../../preload/contract/categories.ts'
import { fail, ok, type Result } from '../../../preload/contract/errors.ts'
import dataLoading from '../../../resources/templates/data-loading.json'
import fullFineTuning from '../../../resources/templates/full-fine-tuning.json'
import generation from '../../../resources/templates/generation.json'
import kvCache from '../../../resources/templates/kv-cache.json'
import lora from '../../../resources/templates/lora.json'
import { textSchema } from '../bilingual.ts'
import { readOwnJson } from '../own-json.ts'
import { messageOf } from '../system-error.ts'

/** No list that a person writes is longer. */
const mostBytes = 2 ** 20
const patterns = z.array(z.string().min(1)).max(1000)

const matchSchema = z.strictObject({
  frames: patterns.optional(),
  without_frames: patterns.optional(),
  categories: z.array(categorySchema).min(1).optional(),
  device: z.enum(['cpu', 'gpu']).optional(),
  min_bytes: z.number().int().nonnegative().optional(),
})
/** All conditions must hold; none at all matches everything. */
export type SpotMatch = z.infer<typeof matchSchema>

const templateSchema = z.strictObject({
  format: z.literal(1).default(1),
  id: z.string().min(1),
  rank: z.number().default(0),
  title: textSchema,
  explanation: textSchema,
  applies: matchSchema,
  spots: z
    .array(z.strictObject({ id: z.string().min(1), label: textSchema, explanation: textSchema, match: matchSchema }))
    .min(1)
    .max(50),
})
export type Template = z.infer<typeof templateSchema>

const ours = [lora, kvCache, dataLoading, fullFineTuning, generation].map((file) => templateSchema.parse(file))

export class TemplateFiles {
  readonly #userFolder: string | null
  readonly #mustExist: boolean

  /** userFolder: where the user's own files are; null = none are looked for. mustExist: it is a failure when it cannot be read. */
  constructor(userFolder: string | null = null, mustExist = false) {
    this.#userFolder = userFolder
    this.#mustExist = mustExist
  }

  /** The user's own files are in the folder that TIDEMARK_TEMPLATES says, or in `templates` of the user's configuration folder. */
  static fromEnvironment(env: NodeJS.ProcessEnv): TemplateFiles {
    const named = env.TIDEMARK_TEMPLATES
    return new TemplateFiles(named || join(envPaths('tidemark', { suffix: '' }).config, 'templates'), Boolean(named))
  }

  /** All templates, those that suit best first; one of the user's takes the place of ours with the same id. Errors: `templates/broken_template`. */
  async read(): Promise<Result<readonly Template[]>> {
    const own: Template[] = []
    if (this.#userFolder !== null) {
      const names = await namesIn(this.#userFolder, this.#mustExist)
      if (!names.ok) return names
      for (const name of names.value) {
        const read = await readTemplate(join(this.#userFolder, name))
        if (!read.ok) return read
        own.push(read.value)
      }
    }
    const ids = new Set(own.map(({ id }) => id))
    return ok([...own, ...ours.filter(({ id }) => !ids.has(id))].sort((a, b) => a.rank - b.rank))
  }
}

/** A folder that nobody named may be missing, or closed to this user. */
async function namesIn(folder: string, mustExist: boolean): Promise<Result<readonly string[]>> {
  try {
    return ok((await readdir(folder)).filter((name) => name.endsWith('.json')).sort())
  } catch (error) {
    return mustExist ? broken(`${folder}: ${messageOf(error)}`) : ok([])
  }
}

async function readTemplate(path: string): Promise<Result<Template>> {
  const read = await readOwnJson(path, templateSchema, mostBytes)
  return 'value' in read ? ok(read.value) : broken(read.message)
}

const broken = (message: string) => fail('templates/broken_template', message)
