import type { FastifyInstance, FastifyReply } from 'fastify'
import { totpCode } from '#platform/auth/totp'
import type { Deps } from '#platform/deps'
import { orNotFound, Refusal } from '#platform/errors'
import { listMails, readMail } from '#platform/mail/mail-folder'
import { findPeople, isDemoWorld } from './commands.ts'
import { mailPage, mailsPage, signInsPage, style } from './documents.ts'
import { demoAccounts, demoOfficers } from './rules.ts'

const base = '/demo'
const most = 200

const sendPage = (reply: FastifyReply, page: string) =>
  reply.header('content-type', 'text/html; charset=utf-8').header('x-robots-tag', 'noindex').send(page)

/**
 * Pages of the demo world, plain HTML without scripts: sign-ins with the codes of the moment, and the mails. They are
 * not there in production, and not on a database that is no demo world, whatever DEMO says.
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
        sendPage(reply, mailsPage(await listMails(settings.dataDir, most), query.live === '1')),
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
