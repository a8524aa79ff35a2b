import {
  mailingPlan,
  mailings,
  previewMailing,
  sendMailing,
  stopMailing as stop,
  testMailing,
  typedFrom,
} from '@podium/contract/schools/calls-mailings'
import type { FastifyInstance } from 'fastify'
import { countLedgers } from '#features/ledger/commands'
import { tellOwners } from '#features/staff/commands-owners'
import { officerBehind } from '#platform/auth/job-askers'
import type { Deps } from '#platform/deps'
import { serve, write } from '#platform/http/http'
import { once } from '#platform/http/idempotency'
import type { JobHandlers } from '#platform/jobs/jobs'
import type { MailText } from '#platform/mail/mail-texts'
import { checkLetter, mailingKind, mailSome, sendTest, startMailing, stopMailing } from './commands.ts'
import { type MailingChoice, mailingsSent, planOf, previewAt } from './queries.ts'

/** So many schools are written to in one transaction. */
const atOnce = 50

const linkOf = ({ settings }: Pick<Deps, 'settings'>) => `${settings.publicUrl}/login`

/** What was typed, apart from the schools that it is for. */
function taken(deps: Deps, body: MailingChoice & MailText) {
  const { subject, body: text, ...choice } = body
  return { choice, letter: { subject, body: text, season: body.FYear, link: linkOf(deps) } }
}

/** The ledger is as of now: by what schools owe, nobody is written to who has paid meanwhile. */
async function upToDate({ db }: Deps, { list }: MailingChoice): Promise<void> {
  if (list === 'ledger') while ((await countLedgers(db)) > 0);
}

/** E-mails of the office to many schools at once. */
export function schoolMailingRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, mailings, 'office:mails.read', ({ scope, query }) => mailingsSent(db, scope, query.page))

  serve(app, deps, mailingPlan, 'office:mailings.send', async ({ scope, query, now }) => {
    await upToDate(deps, query)
    return planOf(db, scope, now, query)
  })

  serve(app, deps, previewMailing, 'office:mailings.send', async ({ scope, body, now }) => {
    const { at, ...written } = body
    await upToDate(deps, written)
    const typed = taken(deps, written)
    checkLetter(typed.letter)
    return previewAt(db, scope, now, { ...typed, at })
  })

  serve(app, deps, testMailing, 'office:mailings.send', async ({ scope, body, now }) => {
    await deps.limits.take('mailing-test.per-staff', String(scope.staffId))
    await db.transaction().execute((tx) => sendTest(tx, scope, now, taken(deps, body)))
    deps.nudge()
    return {}
  })

  serve(app, deps, sendMailing, 'office:mailings.send', async ({ scope, body, now, request }) => {
    const { schools, typed, ...written } = body
    await upToDate(deps, written)
    const sending = { ...taken(deps, written), schools, typed }
    const whose = String(scope.staffId)
    // Counted on a connection of its own, and so before the transaction; what is refused doesn't count.
    await deps.limits.take('mailing.per-staff', whose)
    const sent = db.transaction().execute((tx) =>
      once(tx, now, `office:${whose}`, request.idempotencyKey, body, async () => {
        const started = await startMailing(tx, scope, now, sending)
        if (schools >= typedFrom) {
          const told = { what: 'mailing', subject: sending.letter.subject, schools } as const
          await tellOwners(tx, scope, now, String(started.mailingId), told)
        }
        return started
      }),
    )
    await sent.catch(() => deps.limits.giveBack('mailing.per-staff', whose))
    deps.nudge()
    return sent
  })

  write(app, deps, stop, 'office:mailings.send', (tx, { scope, body, now }) =>
    stopMailing(tx, scope, now, body.mailingId),
  )
}

/** Writes to the schools of an e-mail, some at a time. */
export function mailingJobs(deps: Pick<Deps, 'settings' | 'nudge'>): JobHandlers {
  return {
    [mailingKind]: async (job, context) => {
      const { db, clock, progress } = context
      const scope = officerBehind(context)
      const work = { mailingId: Number(job.input.mailingId), link: linkOf(deps), most: atOnce }
      for (let done = job.done; ; ) {
        const some = await db.transaction().execute((tx) => mailSome(tx, scope, clock(), work))
        if (some === 0) return {}
        done += some
        deps.nudge()
        await progress(done)
      }
    },
  }
}
