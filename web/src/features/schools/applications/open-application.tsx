import { LoadProblem } from '#shell/load-problem.tsx'
import { Note } from '#ui/note.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { ApplicationView } from './application-view.tsx'
import { DecisionSide } from './decision-side.tsx'
import type { Open } from './use-open-application.ts'
import type { Queue } from './use-queue.ts'
import { words } from './words.ts'

/** The application that is open, and the decision beside it. */
export function OpenApplication({ queue, open }: { queue: Queue; open: Open }) {
  const t = words.use()
  const { opened, detail, selected } = queue
  if (opened === undefined) {
    // Nothing waits: the sentence stands in the list's place.
    if (selected === undefined && queue.rows !== undefined) return null
    return (
      <section className="appl-view pad">
        {detail.isError ? (
          <LoadProblem error={detail.error} retry={detail.refetch} />
        ) : (
          <Skeleton shape="text" rows={10} />
        )}
      </section>
    )
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section className="appl-view" aria-label={opened.application.schName} tabIndex={0}>
        {open.notice && (
          <div className="appl-notice">
            <Note kind="due">{open.notice}</Note>
          </div>
        )}
        <ApplicationView application={opened.application} known={open.compared} titleRef={open.title} />
      </section>
      <section className="appl-side" aria-label={t('decision')}>
        <DecisionSide
          key={opened.application.id}
          detail={opened}
          compared={open.compared?.schId}
          onCompare={open.compare}
          onDone={open.done}
          onRefused={open.refused}
        />
      </section>
    </>
  )
}
