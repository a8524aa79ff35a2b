import { deleteView, officeViews, type SavedView, saveView } from '@podium/contract/office/calls-saved-views'
import { useState } from 'react'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { useInvalidate } from '#shell/query.ts'
import { useAction } from '#shell/use-action.ts'
import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { Dialog, DialogBody } from '#ui/dialog.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.tsx'
import type en from '#words/en/saved-views.json'
import { FormFrame, usePortalForm } from '../form-frame.tsx'
import { useMay } from '../guard.ts'
import { defineWords } from '../language/words.ts'

const words = defineWords<typeof en>(import.meta.glob('#words/*/saved-views.json'))

/** The current state of a list: its filters in the address, and its hidden columns. */
export interface ListState {
  filters: SavedView['filters']
  hidden: readonly string[]
}

interface Props {
  list: string
  columns: readonly { key: string; label: string }[]
  now: ListState
  views: readonly SavedView[]
  onHide: (keys: readonly string[]) => void
  onShow: (view: SavedView) => void
  onClose: () => void
}

/** Dialog for a list's visible columns and saved views, which can save the current state as a new view. */
export function ViewDialog({ list, columns, now, views, onHide, onShow, onClose }: Props) {
  const t = words.use()
  const turn = (key: string, on: boolean) =>
    onHide(on ? now.hidden.filter((column) => column !== key) : [...now.hidden, key])
  return (
    <Dialog opened onClose={onClose} title={t(columns.length > 0 ? 'tools' : 'views')}>
      <DialogBody>
        <div className="stack">
          {columns.length > 0 && (
            <section aria-labelledby="view-columns">
              <h3 id="view-columns">{t('columns')}</h3>
              <p className="quiet">{t('columnsHint')}</p>
              <div className="view-columns">
                {columns.map(({ key, label }) => (
                  <CheckField
                    key={key}
                    label={label}
                    checked={!now.hidden.includes(key)}
                    onChange={(event) => turn(key, event.currentTarget.checked)}
                  />
                ))}
              </div>
            </section>
          )}
          <section aria-labelledby="view-saved">
            <h3 id="view-saved">{t('views')}</h3>
            {views.length === 0 && <p className="quiet">{t('none')}</p>}
            <ul className="view-list">
              {views.map((view) => (
                <ViewLine key={view.id} view={view} onShow={onShow} />
              ))}
            </ul>
          </section>
          <SaveForm list={list} now={now} />
        </div>
      </DialogBody>
    </Dialog>
  )
}

function ViewLine({ view, onShow }: { view: SavedView; onShow: (view: SavedView) => void }) {
  const t = words.use()
  const [isConfirming, setIsConfirming] = useState(false)
  const { busy, act } = useAction([officeViews])
  const { id, name, isAuthor: own, shared, madeBy } = view
  if (isConfirming)
    return (
      <li>
        <span className="who">{t(shared ? 'deleteAsk' : 'deleteOwn', { name })}</span>
        <Button onClick={() => setIsConfirming(false)}>{t('keep')}</Button>
        <Button
          kind="danger"
          busy={busy}
          onClick={() => void act(() => call(deleteView, { body: { id } }), t('deleted'))}
          data-autofocus>
          {t('delete')}
        </Button>
      </li>
    )
  return (
    <li>
      <span className="who">
        <strong>{name}</strong>{' '}
        <span className="quiet">{own ? t(shared ? 'shared' : 'own') : t('byName', { by: madeBy })}</span>
      </span>
      <Button aria-label={t('showName', { name })} onClick={() => onShow(view)}>
        {t('show')}
      </Button>
      {own && (
        <Button kind="text" aria-label={t('deleteName', { name })} onClick={() => setIsConfirming(true)}>
          {t('delete')}
        </Button>
      )}
    </li>
  )
}

const viewForm = z.pick(saveView.body, { name: true, shared: true })

function SaveForm({ list, now }: Pick<Props, 'list' | 'now'>) {
  const t = words.use()
  const mayShare = useMay('views.share')
  const invalidate = useInvalidate([officeViews])
  const f = usePortalForm({
    schema: viewForm,
    initialValues: { name: '', shared: false },
    save: async (values) => {
      await call(saveView, { body: { list, ...values, filters: now.filters, hidden: [...now.hidden] } })
      await invalidate()
      toast.success(t('saved'))
      f.form.reset()
    },
  })
  return (
    <section aria-labelledby="view-save">
      <h3 id="view-save">{t('saveTitle')}</h3>
      <FormFrame of={f}>
        <div className="stack">
          <TextField label={t('name')} hint={t('nameHint')} {...f.form.field('name')} />
          <CheckField
            label={t('share')}
            disabled={!mayShare}
            hint={mayShare ? undefined : t('mayNotShare')}
            {...f.form.field('shared', { type: 'checkbox' })}
          />
          <div>
            <Button type="submit" kind="primary" busy={f.saving}>
              {t('save')}
            </Button>
          </div>
        </div>
      </FormFrame>
    </section>
  )
}
