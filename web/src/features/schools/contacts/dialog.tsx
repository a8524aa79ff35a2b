import {
  type Contact,
  contactForm,
  getContacts,
  getDesignations,
  getTitles,
  saveContact,
} from '@podium/contract/schools/calls'
import type { Season } from '@podium/contract/season'
import { call } from '#shell/call.ts'
import { DialogForm, useFormDialog } from '#shell/form-dialog.tsx'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useClosing } from '#shell/use-action.ts'
import { Dialog, DialogBody } from '#ui/dialog.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextField } from '#ui/text-field.tsx'
import type en from '#words/en/schools-contacts.json'

const words = defineWords<typeof en>(import.meta.glob('#words/*/schools-contacts.json'))

interface Props {
  /** Undefined for a new contact */
  contact: Contact | undefined
  season: Season
  onClose: () => void
}

interface NamedChoice {
  id: number
  name: string
}
const choicesOf = (names: readonly NamedChoice[]) =>
  names.map(({ id, name }) => ({ value: String(id), label: translateSentence(name) }))

/** Changes a contact or adds one; loads the lists to choose from first. */
export function ContactDialog(props: Props) {
  const t = words.use()
  const { close, closeAfter } = useClosing(props.onClose)
  const designations = useEndpoint(getDesignations)
  const titles = useEndpoint(getTitles)
  const failed = [designations, titles].find(({ data, error }) => error && !data)
  return (
    <Dialog opened onClose={close} title={t(props.contact ? 'dialogEdit' : 'dialogNew')}>
      {designations.data && titles.data ? (
        <ContactForm
          contact={props.contact}
          season={props.season}
          onClose={close}
          onDone={closeAfter}
          designations={designations.data.data}
          titles={titles.data.data}
        />
      ) : (
        <DialogBody>
          {failed?.error ? (
            <LoadProblem error={failed.error} retry={() => failed.refetch()} />
          ) : (
            <Skeleton shape="form" rows={4} />
          )}
        </DialogBody>
      )}
    </Dialog>
  )
}

interface FormProps extends Props {
  onDone: () => void
  designations: NamedChoice[]
  titles: NamedChoice[]
}

function ContactForm({ contact, season, designations, titles, ...closing }: FormProps) {
  const t = words.use()
  const translate = useSentences()
  const f = useFormDialog({
    schema: contactForm,
    initialValues: {
      desgId: contact ? String(contact.desgId) : '',
      titleId: contact ? String(contact.titleId) : '',
      name: contact?.contactName ?? '',
      email: contact?.contactEmail ?? '',
      altEmail: contact?.altEmail ?? '',
      mobile: contact?.mobile ?? '',
      altmobile: contact?.altmobile ?? '',
    },
    draftKey: `contact.${season}.${contact?.id ?? 'new'}`,
    save: (values) =>
      call(saveContact, {
        body: {
          ...values,
          id: contact?.id ?? 0,
          fyear: season,
          ...(contact ? { version: contact.version } : {}),
        },
      }),
    invalidates: [getContacts],
    done: ({ message }) => translate(message),
    ...closing,
  })
  const { field } = f.form
  return (
    <DialogForm of={f} save={t(contact ? 'save' : 'ask')} asksBeforeLeaving>
      <div className="grid">
        <SelectField
          label={t('designation')}
          className="c8"
          choices={choicesOf(designations)}
          empty={t('choose')}
          {...field('desgId')}
        />
        <SelectField
          label={t('titleOf')}
          className="c4"
          choices={choicesOf(titles)}
          empty={t('choose')}
          {...field('titleId')}
        />
        <TextField label={t('name')} className="c12" autoComplete="off" {...field('name')} />
        <TextField label={t('email')} className="c6" type="email" autoComplete="off" {...field('email')} />
        <TextField
          label={t('altEmail')}
          className="c6"
          type="email"
          optional
          autoComplete="off"
          {...field('altEmail')}
        />
        <TextField
          label={t('mobile')}
          className="c6"
          inputMode="tel"
          hint={t('tenDigits')}
          autoComplete="off"
          {...field('mobile')}
        />
        <TextField
          label={t('altMobile')}
          className="c6"
          inputMode="tel"
          optional
          autoComplete="off"
          {...field('altmobile')}
        />
      </div>
    </DialogForm>
  )
}
