// A page as one HTML file: no script, nothing fetched, readable on a screen of any width and on paper.
import { currentLanguage } from '../i18n/language.ts'
import { type Html, html } from './html.ts'
import { pageStyle } from './style.ts'
import { reportText } from './words.ts'

/** What the page may load: the pictures in it, and nothing from anywhere. */
const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"

export interface SheetSection {
  readonly id: string
  readonly title: string
  readonly content: Html
}

interface Sheet {
  readonly title: string
  readonly heading: Html
  readonly lead: Html // below the heading
  readonly sections: readonly SheetSection[]
  readonly version: string // of this program
}

/** The whole file, in the language shown. */
export function sheetHtml({ title, heading, lead, sections, version }: Sheet): string {
  return html`<!doctype html>
<html lang="${currentLanguage()}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Tidemark ${version}">
<title>${title}</title>
<style>${pageStyle}</style>
</head>
<body>
<header><h1>${heading}</h1>
<p class="w">${lead}</p></header>
<nav aria-label="${reportText('contents')}"><ol>${sections.map((section) => html`<li><a href="#${section.id}">${section.title}</a></li>`)}</ol></nav>
<main>${sections.map(
    (section) => html`
<section id="${section.id}" aria-labelledby="${section.id}-title"><h2 id="${section.id}-title">${section.title}</h2>
${section.content}
</section>`,
  )}
</main>
</body>
</html>
`.text
}
