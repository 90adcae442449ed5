// Must be imported before any schema: the content policy forbids code from text, which zod would otherwise try.
import { config } from 'zod'

config({ jitless: true })
