// Prints the C++ sources of the library, one a line, for binding.gyp.
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(fileURLToPath(import.meta.url))
for (const stage of readdirSync(join(root, 'src')).sort()) {
  for (const file of readdirSync(join(root, 'src', stage)).sort()) {
    if (file.endsWith('.cc')) console.log(`src/${stage}/${file}`)
  }
}
