import { mostSlabs } from '@podium/contract/catalogue/rules-fee'
import type { TypedSlab } from '@podium/contract/catalogue/rules-slabs'
import type { ReactNode } from 'react'
import type { usePortalForm } from '#shell/form-frame.tsx'
import { count } from '#shell/format.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import { NumberField } from '#ui/number-field.tsx'
import { words } from '../words.ts'

type InputProps = ReturnType<ReturnType<typeof usePortalForm>['form']['getInputProps']>
export type SeasonField = (path: string) => InputProps & { key: string }

interface Props {
  slabs: readonly TypedSlab[]
  field: SeasonField
  error: ReactNode
  onAdd: () => void
  onRemove: (at: number) => void
}

/** Slabs by head count: from how many children on a school keeps how much of each entry. */
export function SlabFields({ slabs, field, error, onAdd, onRemove }: Props) {
  const t = words.use()
  return (
    <div className="c12 stack">
      <p className="hint">{t('slabsSay')}</p>
      {slabs.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a slab has nothing of its own until it is typed
        <div className="cat-slab" key={at}>
          <NumberField label={t('slabFrom', { n: at + 1 })} {...field(`slabs.${at}.from`)} />
          <NumberField
            label={t('slabShare')}
            hint={reach(t, slabs, at)}
            decimals={2}
            {...field(`slabs.${at}.share`)}
          />
          {at > 0 && (
            <IconButton icon="delete" label={t('removeSlab', { n: at + 1 })} onClick={() => onRemove(at)} />
          )}
        </div>
      ))}
      {error && <p className="msg">{error}</p>}
      <div className="row mt-4">
        <Button icon="plus" disabled={slabs.length < mostSlabs ? undefined : t('slabsFull')} onClick={onAdd}>
          {t('addSlab')}
        </Button>
      </div>
    </div>
  )
}

/** «1 to 49 children», «200 children and more»; nothing until both ends can be read. */
function reach(t: ReturnType<typeof words.use>, slabs: readonly TypedSlab[], at: number): string | undefined {
  const from = slabs[at]?.from ?? ''
  const next = slabs[at + 1]
  if (typeof from !== 'number') return undefined
  if (next === undefined) return t('slabOpen', { n: from })
  if (typeof next.from !== 'number' || next.from <= from) return undefined
  return t('slabReach', { from: count(from), to: count(next.from - 1) })
}
