import type { ReactNode } from 'react'
import { FormFrame } from '#shell/form-frame.tsx'
import { useSession } from '#shell/session.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Panel } from '#ui/panel.tsx'
import type { Section } from './section.ts'
import { words } from './words.ts'

/** Why this person changes nothing here; undefined for the owner. */
export function useMayNot(): string | undefined {
  const t = words.use()
  return useSession()?.permissions?.includes('settings.write') ? undefined : t('mayNot')
}

/** A section: its name and a sentence beside what is set in it. */
export function SettingsSection({
  id,
  title,
  says,
  children,
}: {
  id: string
  title: string
  says: string
  children: ReactNode
}) {
  return (
    <section className="set-section" id={id} aria-labelledby={`${id}-title`}>
      <div className="set-about">
        <h2 id={`${id}-title`} tabIndex={-1}>
          {title}
        </h2>
        <p>{says}</p>
      </div>
      <Panel>{children}</Panel>
    </section>
  )
}

interface SectionFormProps {
  of: Section
  onSave: () => void
  /** Back to what is built in, where it differs from that */
  builtIn?: { label: string; is: boolean; says: string; onBack: () => void }
  children: ReactNode
}

/** The form of a section, with what is changed, Save, and the ways back. */
export function SectionForm({ of, onSave, builtIn, children }: SectionFormProps) {
  const t = words.use()
  const mayNot = useMayNot()
  const { changed, saving, problem, element, discard } = of
  const frame = {
    saving,
    problem,
    element,
    keepsDraft: false,
    draft: { restored: false, discard },
    form: { isDirty: () => changed.length > 0 },
    submit: async (event?: { preventDefault: () => void }) => {
      event?.preventDefault()
      if (!saving && !mayNot) onSave()
    },
    onKeyDown: (event: React.KeyboardEvent<HTMLFormElement>) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      element.current?.requestSubmit()
    },
  }
  return (
    <FormFrame of={frame}>
      <div className="stack">{children}</div>
      <div className="set-foot row mt-5">
        <Button
          type="submit"
          kind="primary"
          busy={saving}
          disabled={mayNot ?? (changed.length === 0 ? t('nothingChanged') : undefined)}
        >
          {t('save')}
        </Button>
        {changed.length > 0 && !mayNot && (
          <>
            <Button kind="text" onClick={discard}>
              {t('discard')}
            </Button>
            <Badge kind="doubt">{t('changedCount', { n: changed.length })}</Badge>
          </>
        )}
        {builtIn && (
          <Button
            kind="text"
            icon="undo"
            className="set-back"
            disabled={mayNot ?? (builtIn.is ? builtIn.says : undefined)}
            onClick={builtIn.onBack}
          >
            {builtIn.label}
          </Button>
        )}
      </div>
    </FormFrame>
  )
}
