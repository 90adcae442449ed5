// The style of a report: the window's own colours, as CSS that stands alone.
import { monoFont, uiFont } from '../theme/fonts.ts'
import { dark, light, type Tokens } from '../theme/tokens.ts'
import { Html } from './html.ts'

const colours = ({ canvas, raised, line, line2, t1, t2, t3, bad, curve2 }: Tokens): string =>
  `--canvas:${canvas};--raised:${raised};--line:${line};--line2:${line2};--t1:${t1};--t2:${t2};--t3:${t3};--bad:${bad};--bar:${curve2}`

const rules = `
*{box-sizing:border-box}
html{background:var(--canvas);color:var(--t1);font:16px/1.55 ${uiFont};-webkit-text-size-adjust:100%}
body{max-width:1080px;margin:0 auto;padding:32px 24px 64px}
h1{font-size:28px;line-height:1.25;margin:0 0 4px;overflow-wrap:anywhere}
h2{font-size:21px;line-height:1.3;margin:0 0 12px;padding-top:20px;border-top:1px solid var(--line2)}
h3{font-size:16px;margin:24px 0 6px}
p,li{max-width:78ch}
p{margin:0 0 12px}
.w{color:var(--t2)}
b{font-weight:600}
b.n{white-space:nowrap}
code,pre{font:0.88em ${monoFont};unicode-bidi:isolate;overflow-wrap:anywhere}
pre{margin:0 0 14px;padding:10px 12px;border:1px solid var(--line);border-radius:6px;background:var(--raised);white-space:pre-wrap}
ol.steps{padding-left:22px}
ol.steps>li{margin-bottom:12px}
a{color:inherit;text-decoration-color:var(--t3);text-underline-offset:3px}
nav ol{display:flex;flex-wrap:wrap;gap:4px 20px;margin:16px 0 28px;padding:0;list-style:none;font-size:15px}
section{margin-bottom:36px}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(160px,1fr));gap:12px;margin:0 0 20px}
.tiles div{padding:12px 14px;border:1px solid var(--line2);border-radius:8px;background:var(--raised)}
.tiles dt{color:var(--t2);font-size:13px}
.tiles dd{margin:0;font-size:22px;font-weight:600;font-variant-numeric:tabular-nums}
.tiles .bad dd,.failure>span{color:var(--bad)}
.failure,.verdict{font-size:17px}
.verdict{font-weight:600}
.primer,.notes{padding:12px 16px;border-left:3px solid var(--line2);background:var(--raised)}
.primer{color:var(--t2)}
.notes p{white-space:pre-line;overflow-wrap:anywhere}
.notes p:last-child{margin:0}
figure{margin:20px 0 24px}
figure img{display:block;width:100%;height:auto;border:1px solid var(--line2);border-radius:6px}
figcaption{max-width:78ch;margin-bottom:10px}
details{margin:-12px 0 20px;font-size:14px}
summary{color:var(--t2);cursor:pointer}
.lead{margin-bottom:4px}
.scroll{overflow-x:auto;margin:8px 0 20px}
table{width:100%;border-collapse:collapse;font-size:14px;line-height:1.45}
th,td{padding:6px 14px 6px 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:break-word}
thead th{color:var(--t2);font-weight:400;vertical-align:bottom;word-break:keep-all}
td.k{white-space:nowrap}
tbody th{font-weight:400}
th.n,td.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
th:last-child,td:last-child{padding-right:0}
td.bar{min-width:104px}
td.bar::after{content:'';display:block;height:4px;margin:3px 0 0 auto;width:calc(90px*var(--part));border-radius:1px;background:var(--bar)}
.chain{font-size:13px}
.own>code{font-weight:700}
.stacks tbody th{min-width:150px}
.stacks td.chain{min-width:240px;width:45%}
tbody th>code:only-child{white-space:nowrap}
dl.definitions div,dl.facts div{display:grid;grid-template-columns:minmax(120px,200px) 1fr;gap:4px 16px;padding:6px 0;border-bottom:1px solid var(--line)}
dl.definitions dt{font-weight:600}
dl.facts{margin-top:28px}
dl.facts dt{color:var(--t2)}
dd{margin:0;overflow-wrap:anywhere}
@media screen and (max-width:600px){
body{padding:20px 14px 40px}
h1{font-size:23px}
dl.definitions div,dl.facts div{grid-template-columns:1fr}
figure{overflow-x:auto}
figure img{min-width:640px}
.stacks td.chain{min-width:420px}
}
@media print{
html{background:#fff;font-size:10.5pt;line-height:1.45}
body{max-width:none;padding:0}
nav{display:none}
h1{font-size:19pt}
h2{font-size:14pt}
h3{font-size:11pt}
h2,h3,figcaption,thead,.lead{break-after:avoid}
p,li{orphans:3;widows:3}
details{display:none}
figure,tr,.tiles,.primer{break-inside:avoid}
thead{display:table-header-group}
section{margin-bottom:12pt}
figure{margin:10pt 0 12pt}
table{font-size:8.5pt}
.chain{font-size:8pt}
.scroll{overflow:visible}
.tiles{grid-template-columns:repeat(5,1fr);gap:6px}
.tiles dd{font-size:13pt}
.tiles dt{font-size:8pt}
p,li,figcaption{max-width:none}
.primer,.notes,.tiles div{background:none}
figure img{border:0}
dl.definitions div,dl.facts div{padding:3px 0;break-inside:avoid}
}
`

/** Light on paper whatever the screen is. */
export const pageStyle = new Html(
  `:root{color-scheme:light dark;${colours(light)}}@media screen and (prefers-color-scheme:dark){:root{${colours(dark)}}}@media print{:root{color-scheme:light}}${rules}`,
)
