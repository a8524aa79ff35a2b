import type { EventSection } from '@podium/contract/results/schemas'
import { Button, IconButton } from '#ui/button.tsx'
import { Panel } from '#ui/panel.tsx'
import type { RulesForm } from './use-rules.ts'
import { rulesWords } from './words.ts'

interface Props {
  form: RulesForm['form']
  sections: readonly EventSection[]
}

/** The sections that tell equal scores apart, in their order. */
export function TieBreak({ form, sections }: Props) {
  const t = rulesWords.use()
  const chosen = form.useWatchValue('tieBreak') as string[]
  const set = (names: string[]) => form.setFieldValue('tieBreak', names)
  const moved = (index: number, by: -1 | 1) => {
    const next = [...chosen]
    const [name] = next.splice(index, 1)
    if (name !== undefined) next.splice(index + by, 0, name)
    set(next)
  }
  const others = sections.filter(({ name }) => !chosen.includes(name))
  return (
    <Panel title={t('tieBreak')}>
      <p className="hint">{t('tieBreakSays')}</p>
      <ol className="cat-ties">
        {chosen.map((name, index) => (
          <li key={name}>
            <span>
              {index + 1}. {name}
            </span>
            <span className="cat-acts">
              <IconButton
                icon="up"
                label={t('up', { name })}
                disabled={index === 0}
                onClick={() => moved(index, -1)}
              />
              <IconButton
                icon="down"
                label={t('down', { name })}
                disabled={index === chosen.length - 1}
                onClick={() => moved(index, 1)}
              />
              <IconButton
                icon="close"
                label={t('leaveOut', { name })}
                onClick={() => set(chosen.filter((other) => other !== name))}
              />
            </span>
          </li>
        ))}
      </ol>
      {form.errors.tieBreak && <p className="msg">{form.errors.tieBreak}</p>}
      <div className="cat-form-acts">
        {others.map(({ name }) => (
          <Button key={name} icon="plus" onClick={() => set([...chosen, name])}>
            {t('addSection', { name })}
          </Button>
        ))}
      </div>
    </Panel>
  )
}
