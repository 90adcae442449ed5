// Prints the C++ sources of the library, one a line, for binding.gyp.
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(fileURLToPath(import.meta.url))

const print = (folder) => {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory()) print(`${folder}/${entry.name}`)
    else if (entry.name.endsWith('.cc')) console.log(`${folder}/${entry.name}`)
  }
}

print('src')
