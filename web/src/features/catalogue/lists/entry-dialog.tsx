import {
  entryFields,
  type ListEntry,
  type ListKind,
  officeList,
  saveListEntry,
} from '@podium/contract/catalogue/calls-lists'
import * as z from 'zod/mini'
import { call } from '#shell/call.ts'
import { DateField } from '#shell/dates/date-field.tsx'
import { FormDialog, ListProblem, useFormDialog } from '#shell/form-dialog.tsx'
import { RecordHistory } from '#shell/history/record-history.tsx'
import { defineWords } from '#shell/language/words.ts'
import { useEndpoint } from '#shell/query.ts'
import { Note } from '#ui/note.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import type en from '#words/en/catalogue-lists.json'

const listWords = defineWords<typeof en>(import.meta.glob('#words/*/catalogue-lists.json'))

const schema = z.object({ ...entryFields, stateId: z.string() })

interface Props {
  kind: ListKind
  /** Undefined for a new entry */
  entry: ListEntry | undefined
  onClose: () => void
}

/** Adds an entry to a list, or renames one wherever it is used. */
export function EntryDialog({ kind, entry, onClose }: Props) {
  const t = listWords.use()
  const f = useFormDialog({
    schema,
    initialValues: {
      name: entry?.name ?? '',
      nameHi: entry?.nameHi ?? '',
      code: entry?.code ?? '',
      zone: entry?.zone ?? '',
      stateId: entry ? String(entry.stateId) : '',
      day: entry?.day ?? '',
    },
    save: ({ stateId, code, ...values }) => {
      const entryKey = { kind, id: entry?.id ?? 0, version: entry?.version ?? 0 }
      const body = { ...entryKey, ...values, code: code.toUpperCase(), stateId: Number(stateId) }
      return call(saveListEntry, { body })
    },
    invalidates: [officeList],
    done: ({ touched }) => (touched > 0 ? t('touched', { n: touched }) : t('saved')),
    onClose,
  })
  const { field } = f.form
  const schools = entry && (kind === 'states' || kind === 'districts') ? entry.used : 0
  return (
    <FormDialog
      of={f}
      size="small"
      title={entry ? t('editTitle', { name: entry.name }) : t('addTitle', { list: t(kind) })}
      save={t('save')}>
      {schools > 0 && <Note>{t('renamed', { n: schools })}</Note>}
      <TextField label={t('name')} autoComplete="off" data-autofocus {...field('name')} />
      <TextField
        label={t('nameHi')}
        hint={t('nameHiHint')}
        optional
        lang="hi"
        autoComplete="off"
        {...field('nameHi')}
      />
      {kind === 'states' && (
        <>
          <TextField label={t('code')} maxLength={3} autoCapitalize="characters" {...field('code')} />
          <EntrySelect
            kind="zones"
            label={t('zone')}
            empty={t('chooseZone')}
            input={field('zone')}
            by="name"
          />
        </>
      )}
      {kind === 'districts' && (
        <EntrySelect
          kind="states"
          label={t('state')}
          empty={t('chooseState')}
          input={field('stateId')}
          by="id"
        />
      )}
      {kind === 'holidays' && <DateField label={t('day')} {...field('day')} />}
      {entry && <RecordHistory kind="list_entry" id={`${kind}.${entry.id}`} />}
    </FormDialog>
  )
}

interface EntrySelectProps {
  kind: ListKind
  label: string
  empty: string
  by: 'id' | 'name'
  input: Record<string, unknown>
}

/** Selects an entry of another list. */
function EntrySelect({ kind, label, empty, by, input }: EntrySelectProps) {
  const list = useEndpoint(officeList, { query: { kind } })
  const choices = (list.data?.data ?? [])
    .filter(({ active, fixed }) => active && !fixed)
    .map((option) => ({ value: String(option[by]), label: option.name }))
  return (
    <>
      <SelectField label={label} empty={empty} choices={choices} {...input} />
      <ListProblem error={list.data ? null : list.error} retry={list.refetch} />
    </>
  )
}
