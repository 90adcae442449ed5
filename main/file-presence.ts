// Which of some files are there. A drive that does not answer (a network that is gone) must hold up nobody.
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Long for a disk that must wake up or a slow network, short for somebody who looks at the list. */
const answerWithinMs = 400

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

export class FilePresence {
  readonly #isThere: (path: string) => Promise<boolean>
  readonly #limitMs: number
  readonly #asked = new Map<string, Promise<boolean>>()

  /** look: how to see whether one file is there; limitMs: after this a file that gave no answer counts as missing. */
  constructor(look: (path: string) => Promise<boolean> = isThere, limitMs = answerWithinMs) {
    this.#isThere = look
    this.#limitMs = limitMs
  }

  /** Those of `paths` that were seen to be there within the time limit. */
  async existing(paths: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>()
    const folders = [...new Set(paths.map((path) => dirname(path)))]
    const looks = folders.map((folder) =>
      this.#lookInTurn(
        paths.filter((path) => dirname(path) === folder),
        found,
      ),
    )
    let timer: NodeJS.Timeout | undefined
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#limitMs)
    })
    await Promise.race([Promise.all(looks), limit])
    clearTimeout(timer)
    return new Set(found)
  }

  /** One file of a folder at a time: a look that hangs keeps one of Node's few file threads, and those are needed to open other files. */
  async #lookInTurn(files: readonly string[], found: Set<string>): Promise<void> {
    for (const path of files) if (await this.#look(path)) found.add(path)
  }

  /** A look that still hangs from an earlier list is waited for, not repeated. */
  #look(path: string): Promise<boolean> {
    const running = this.#asked.get(path)
    if (running) return running
    const look = this.#isThere(path).finally(() => this.#asked.delete(path))
    this.#asked.set(path, look)
    return look
  }
}
