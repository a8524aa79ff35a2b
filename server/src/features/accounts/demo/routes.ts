import { formatMoment } from '@podium/contract/season'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { totpCode } from '#platform/auth/secrets'
import type { Deps } from '#platform/deps'
import { orNotFound, Refusal } from '#platform/errors'
import { listMails, readMail, type StoredMail } from '#platform/mail/mail-folder'
import { qrSvg } from '#platform/pdf/qr'
import { findPeople, isDemoWorld } from './commands.ts'
import {
  type DemoOfficer,
  demoAccounts,
  demoFamilyLink,
  demoOfficers,
  demoPassword,
  demoSchoolLink,
} from './rules.ts'

/** Text that is already HTML; `html` escapes everything else. */
class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Html | readonly Part[]

function written(part: Part): string {
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(written).join('')
  return String(part).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.map((text, index) => text + written(parts[index] ?? '')).join(''))
}

const mark = html`<svg class="mark" viewBox="0 0 26 22" aria-hidden="true"><path class="second" d="M0 8h8v14H0z"/><path class="first" d="M9 0h8v22H9z"/><path class="third" d="M18 12h8v10h-8z"/></svg>`

interface Page {
  title: string
  here: 'sign-ins' | 'mails'
  /** Seconds after which the page reloads; never if absent */
  again?: number
  body: Html
}

function page({ title, here, again, body }: Page): string {
  const entry = (name: Page['here'], href: string, words: string) =>
    html`<a href="${href}"${name === here ? html` aria-current="page"` : ''}>${words}</a>`
  return written(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
${again === undefined ? '' : html`<meta http-equiv="refresh" content="${again}">`}
<title>${title} · Podium demo</title>
<link rel="stylesheet" href="/demo/demo.css">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header><div class="bar"><a class="brand" href="/demo">${mark}<span>Podium</span></a>
<nav aria-label="Demo">${entry('sign-ins', '/demo', 'Sign-ins')}${entry('mails', '/demo/mail', 'Mails')}</nav></div></header>
<main id="main">${body}</main>
</body>
</html>
`)
}

interface SignIns {
  publicUrl: string
  /** By e-mail */
  people: ReadonlyMap<string, { name: string; school: string | null }>
  officers: readonly (DemoOfficer & { code: string })[]
  secondsLeft: number
  live: boolean
}

function linkPanel(title: string, url: string, code: string, what: string): Html {
  return html`<section class="panel link"><div><h2>${title}</h2><p>${what}</p>
<p><a href="${url}">${url}</a></p><p>Access code <code class="code">${code}</code></p></div>
<div class="qr">${new Html(qrSvg(url, `QR code of the ${title.toLowerCase()}`))}</div></section>`
}

/** The page of sign-ins, links and codes. */
function signInsPage({ publicUrl, people, officers, secondsLeft, live }: SignIns): string {
  const accounts = demoAccounts.map(({ email, shows }) => {
    const person = people.get(email)
    return html`<tr><th scope="row"><code>${email}</code></th><td>${person?.name ?? ''}<br><span class="quiet">${person?.school ?? 'no school'}</span></td><td>${shows}</td></tr>`
  })
  const staff = officers.map(
    ({ email, name, role, code }) =>
      html`<tr><th scope="row"><code>${email}</code></th><td>${name}</td><td>${role}</td><td><code class="code">${code.slice(0, 3)} ${code.slice(3)}</code></td></tr>`,
  )
  const fresh = live
    ? html`This page loads itself again when they change. <a href="/demo">Stop that</a>`
    : html`<a href="/demo">Show the codes of now</a> or <a href="/demo?live=1">keep them fresh</a>`
  return page({
    title: 'Sign-ins',
    here: 'sign-ins',
    ...(live && { again: secondsLeft + 1 }),
    body: html`<h1>The demo world</h1>
<p class="lead">Everybody in it is invented. Whatever you change stays until the data folder is deleted. Mails are not sent: they are <a href="/demo/mail">kept here</a>.</p>
<p class="lead">One password for all: <code class="code">${demoPassword}</code></p>
<section class="panel"><h2>Schools</h2><p><a href="/login">Sign in as a school</a></p>
<div class="scroll"><table><thead><tr><th scope="col">E-mail</th><th scope="col">Who</th><th scope="col">Shows</th></tr></thead><tbody>${accounts}</tbody></table></div></section>
<section class="panel"><h2>The foundation’s office</h2><p><a href="/office">Sign in to the office</a></p>
<p class="quiet">The codes of the second factor change in <b>${secondsLeft}</b> s, and each works once. ${fresh}</p>
<div class="scroll"><table><thead><tr><th scope="col">E-mail</th><th scope="col">Name</th><th scope="col">Role</th><th scope="col">Code</th></tr></thead><tbody>${staff}</tbody></table></div></section>
${linkPanel('School link', `${publicUrl}/login?id=${demoSchoolLink.id}`, demoSchoolLink.code, 'What the letter to a school carries: who registers with it belongs to the school at once.')}
${linkPanel('Family link', `${publicUrl}/student?id=${demoFamilyLink.id}`, demoFamilyLink.code, 'What the slip from school carries: a family sees and corrects the details of its two children, and takes their tickets.')}`,
  })
}

/** The list of saved e-mails, newest first. */
function mailsPage(mails: readonly StoredMail[], live: boolean): string {
  const rows = mails.map(
    ({ id, at, to, subject, attachments }) =>
      html`<li><a href="/demo/mail/${id}"><b>${subject}</b><span>${to}</span><span class="quiet">${formatMoment(at)}${attachments.length > 0 ? html` · ${attachments.length} attached` : ''}</span></a></li>`,
  )
  const fresh = live
    ? html`This page loads itself again every 5 s. <a href="/demo/mail">Stop that</a>`
    : html`<a href="/demo/mail">Look again</a> or <a href="/demo/mail?live=1">keep looking</a>`
  return page({
    title: 'Mails',
    here: 'mails',
    ...(live && { again: 5 }),
    body: html`<h1>Mails</h1><p class="lead">The mails that would have left, newest first. ${fresh}</p>
${rows.length > 0 ? html`<ul class="panel mails">${rows}</ul>` : html`<p class="panel">There are no mails yet.</p>`}`,
  })
}

/** A text with its addresses as links, otherwise escaped. */
function linked(text: string): Html {
  const parts = text.split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])/g)
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : part))}`
}

/** One e-mail with its text and attachments. */
function mailPage({ id, at, to, subject, text, attachments }: StoredMail): string {
  const files = attachments.map(
    ({ filename, content }, number) =>
      html`<li><a href="/demo/mail/${id}/${number}">${filename}</a> <span class="quiet">${Math.ceil(content.length / 1024)} kB</span></li>`,
  )
  return page({
    title: subject,
    here: 'mails',
    body: html`<p><a href="/demo/mail">All mails</a></p><h1>${subject}</h1>
<p class="lead">To ${to}<br><span class="quiet">${formatMoment(at)}</span></p>
<div class="panel"><div class="text">${linked(text)}</div>
${files.length > 0 ? html`<h2>Attached</h2><ul class="files">${files}</ul>` : ''}</div>`,
  })
}

const light = `color-scheme: light dark;
  --ground: #f4f6f6; --surface: #fff; --line: #dde3e6; --ink: #15212b; --ink-3: #596670; --link: #0f5289;
  --header: #0e2d47; --header-2: #1a4164; --tint: #e5eef5; --focus: #1566c0;`

const dark = `--ground: #0e1418; --surface: #151d23; --line: #28353e; --ink: #e9eef1; --ink-3: #98a6b0; --link: #8cbfe9;
  --header: #0b1f31; --header-2: #17344d; --tint: #1a3247; --focus: #7fbcff;`

/** The style of the demo pages: an extract of web/src/ui/tokens.css, because they load none of the bundles. */
const style = `:root { ${light} }
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

const base = '/demo'
const maxMails = 200

const sendPage = (reply: FastifyReply, page: string) =>
  reply.header('content-type', 'text/html; charset=utf-8').header('x-robots-tag', 'noindex').send(page)

/**
 * Pages of the demo world in plain HTML without scripts: sign-ins with current codes, and e-mails. They do not exist in
 * production or on any other database, whatever DEMO says.
 */
export function demoRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, settings, clock } = deps
  const onlyInDemo = async () => {
    if (!settings.demo || !(await isDemoWorld(db))) throw new Refusal('not_found')
  }
  app.register(
    (pages, _, done) => {
      pages.addHook('onRequest', onlyInDemo)

      pages.get('/demo.css', async (_, reply) =>
        reply.header('content-type', 'text/css; charset=utf-8').send(style),
      )

      pages.get<{ Querystring: { live?: string } }>('/', async ({ query }, reply) => {
        const now = clock()
        const page = signInsPage({
          publicUrl: settings.publicUrl,
          people: await findPeople(
            db,
            demoAccounts.map(({ email }) => email),
          ),
          officers: demoOfficers.map((officer) => ({ ...officer, code: totpCode(officer.totpSecret, now) })),
          secondsLeft: 30 - (Math.floor(now.getTime() / 1000) % 30),
          live: query.live === '1',
        })
        return sendPage(reply, page)
      })

      pages.get<{ Querystring: { live?: string } }>('/mail', async ({ query }, reply) =>
        sendPage(reply, mailsPage(await listMails(settings.dataDir, maxMails), query.live === '1')),
      )

      pages.get<{ Params: { id: string } }>('/mail/:id', async ({ params }, reply) =>
        sendPage(reply, mailPage(orNotFound(await readMail(settings.dataDir, params.id)))),
      )

      pages.get<{ Params: { id: string; number: string } }>(
        '/mail/:id/:number',
        async ({ params }, reply) => {
          const mail = orNotFound(await readMail(settings.dataDir, params.id))
          const file = orNotFound(mail.attachments[Number(params.number)])
          return reply
            .header('content-type', file.mediaType)
            .header(
              'content-disposition',
              `attachment; filename*=UTF-8''${encodeURIComponent(file.filename)}`,
            )
            .header('content-security-policy', "sandbox; default-src 'none'")
            .send(file.content)
        },
      )

      pages.get('/*', async () => {
        throw new Refusal('not_found')
      })
      done()
    },
    { prefix: base },
  )
}
