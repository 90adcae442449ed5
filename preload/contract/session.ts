// What is remembered about a capture between runs. Main keeps it as it is; what the parts mean is the window's to say, which checks each.
import { z } from 'zod'

/** Digits of a fingerprint that tell the contents alone; those after them also tell when the file was written. */
export const contentDigits = 20

export const sessionKeySchema = z.string().regex(/^[0-9a-f]{20}$/)

/** Under which a capture's session is kept: the same for the same bytes, wherever they lie; undefined for an index that names no contents. */
export const sessionKeyOf = (fingerprint: string): string | undefined =>
  sessionKeySchema.safeParse(fingerprint.slice(0, contentDigits)).data

export const sessionVersion = 1
export const mostNotes = 500

export const sessionSchema = z.object({
  schemaVersion: z.literal(sessionVersion),
  view: z.record(z.string(), z.unknown()), // renderer/app/session-document.ts
  looks: z.record(z.string(), z.unknown()), // by view: what only that view knows
  notes: z.array(z.unknown()).max(mostNotes), // renderer/state/notes.ts
})
export type Session = z.infer<typeof sessionSchema>

/** A session as a file for colleagues. It names its capture and that one's contents, and no path. */
export const sessionFileEnd = '.tidemark-session.json'
export const sessionDocumentSchema = z.object({
  kind: z.literal('tidemark-session'),
  sourceName: z.string().max(1000),
  key: sessionKeySchema,
  session: sessionSchema,
})
export type SessionDocument = z.infer<typeof sessionDocumentSchema>

export const sessionRoutes = {
  /** Asks where, then writes a session as a file. savedName null = cancelled. Errors: `export/write_failed`. */
  'session.saveAs': {
    input: z.object({ suggestedName: z.string().max(1000), document: sessionDocumentSchema }),
    output: z.object({ savedName: z.string().nullable() }),
  },
  /** Asks for such a file and reads it. name null = cancelled; document null = it is none that can be read. */
  'session.openFile': {
    input: z.object({}),
    output: z.object({ name: z.string().nullable(), document: sessionDocumentSchema.nullable() }),
  },
  /** null = none is kept, or none that can be read. */
  'session.load': { input: z.object({ key: sessionKeySchema }), output: z.object({ session: sessionSchema.nullable() }) },
  /** saved false = it could not be written. */
  'session.save': { input: z.object({ key: sessionKeySchema, session: sessionSchema }), output: z.object({ saved: z.boolean() }) },
  /** Forgets the sessions of all captures. */
  'session.clear': { input: z.object({}), output: z.object({}) },
} as const
