const light = `color-scheme: light dark;
  --ground: #f4f6f6; --surface: #fff; --line: #dde3e6; --ink: #15212b; --ink-3: #596670; --link: #0f5289;
  --header: #0e2d47; --header-2: #1a4164; --tint: #e5eef5; --focus: #1566c0;`

const dark = `--ground: #0e1418; --surface: #151d23; --line: #28353e; --ink: #e9eef1; --ink-3: #98a6b0; --link: #8cbfe9;
  --header: #0b1f31; --header-2: #17344d; --tint: #1a3247; --focus: #7fbcff;`

/** The style of the demo's pages: a small extract of web/src/ui/tokens.css, since these pages load none of the bundles. */
export const style = `:root { ${light} }
@media (prefers-color-scheme: dark) { :root { ${dark} } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 0.875rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans Devanagari", sans-serif; }
a { color: var(--link); text-underline-offset: 2px; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 8px; top: 8px; padding: 8px 12px; background: var(--surface); z-index: 1; }
header { background: var(--header); }
header :focus-visible { outline-color: #ffd36b; }
.bar { display: flex; align-items: center; gap: 24px; max-width: 960px; min-height: 56px; margin: 0 auto; padding: 0 20px; }
.brand { display: flex; align-items: center; gap: 10px; color: #fff; font-size: 1rem; font-weight: 600; text-decoration: none; }
.mark { width: 26px; height: 22px; }
.second { fill: #fff; } .first { fill: #e6a70f; } .third { fill: #bdd0df; }
nav { display: flex; gap: 4px; }
nav a { display: flex; align-items: center; min-height: 44px; padding: 0 12px; border-radius: 6px; color: #e3edf5; text-decoration: none; }
nav a:hover, nav a[aria-current] { background: var(--header-2); color: #fff; }
nav a[aria-current] { box-shadow: inset 0 -3px #e6a70f; }
main { max-width: 960px; margin: 0 auto; padding: 24px 20px 56px; }
h1 { margin: 0 0 8px; font-size: 1.5rem; line-height: 1.25; font-weight: 600; overflow-wrap: anywhere; }
h2 { margin: 0 0 4px; font-size: 1rem; font-weight: 600; }
p { margin: 0 0 12px; }
.lead { max-width: 68ch; }
.quiet { color: var(--ink-3); }
.panel { margin: 0 0 20px; padding: 20px; background: var(--surface); border: 1px solid var(--line); border-radius: 10px; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.8125rem; }
th, td { padding: 8px 10px; border-top: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; }
thead th { border-top: 0; color: var(--ink-3); font-size: 0.75rem; }
code { font-family: ui-monospace, "SF Mono", Consolas, "DejaVu Sans Mono", monospace; font-size: 0.8125rem; user-select: all; }
.code { padding: 2px 6px; background: var(--tint); border-radius: 4px; font-weight: 600; white-space: nowrap; }
.link { display: flex; gap: 20px; justify-content: space-between; }
.link a { overflow-wrap: anywhere; }
.qr { flex: 0 0 148px; }
.qr svg { display: block; width: 148px; border-radius: 6px; }
.mails { list-style: none; padding: 0; overflow: hidden; }
.mails li + li { border-top: 1px solid var(--line); }
.mails a { display: grid; gap: 0 16px; grid-template-columns: 1fr auto; padding: 12px 20px; color: var(--ink); text-decoration: none; }
.mails a:hover { background: var(--tint); }
.mails b { grid-column: 1 / -1; font-weight: 500; color: var(--link); overflow-wrap: anywhere; }
.mails span { overflow-wrap: anywhere; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; max-width: 72ch; }
.text + h2 { margin-top: 20px; }
.files { margin: 0; padding-left: 20px; }
@media (max-width: 640px) {
  body { font-size: 1rem; }
  main { padding: 20px 16px 40px; }
  .bar { padding: 0 16px; gap: 12px; }
  .panel { padding: 16px; }
  .mails { padding: 0; }
  .mails a { grid-template-columns: 1fr; padding: 12px 16px; }
  .link { flex-direction: column; }
  table, tbody, tr, th, td { display: block; }
  thead { position: absolute; left: -9999px; }
  tr { padding: 10px 0; border-top: 1px solid var(--line); }
  th, td { padding: 2px 0; border: 0; font-size: 0.875rem; }
}
`
