import { fileErrors } from '@podium/contract/errors-files'
import { useRef } from 'react'
import { CallError } from './call.ts'
import { translateSentence } from './language/sentences.ts'
import { usePortalLimits } from './portal-limits.ts'
import { dataUrlOf, preparedProof } from './proof-file.ts'

/** The kinds of file that a proof may be, as the `accept` attribute. */
export const proofKinds = 'image/jpeg,image/png,image/webp,application/pdf'

/** What of a form a proof needs. */
interface ProofForm {
  setFieldValue: (path: 'attechment', value: string) => void
  setFieldError: (path: 'attechment', error: string) => void
  clearFieldError: (path: 'attechment') => void
}

/** Why a prepared file can not be sent, in the sentence that the server would refuse it with. */
async function faultOf(file: File, megabytes: number): Promise<string | undefined> {
  const { 'file.unsupported': unsupported, 'file.too_large': tooLarge } = fileErrors
  if (!proofKinds.split(',').includes(file.type)) return unsupported.sentence
  if (file.type === 'application/pdf') {
    // Some programs write a line before it; the server looks as far.
    if (!(await file.slice(0, 1024).text()).includes('%PDF-')) return unsupported.sentence
  } else if (await createImageBitmap(file).then(close, () => true)) return unsupported.sentence
  return file.size > megabytes * 1024 * 1024
    ? tooLarge.sentence.replace('5 MB', `${megabytes} MB`)
    : undefined
}

function close(picture: ImageBitmap): boolean {
  picture.close()
  return false
}

/**
 * The proof of a form with a field `attechment`, which holds the file's name: looked at when it is chosen, so that nobody
 * waits for an upload that is refused.
 */
export function useProof() {
  const { proofMegabytes: megabytes } = usePortalLimits()
  const chosen = useRef<File>(null)
  const isChosen = () => chosen.current !== null

  const choose = async (form: ProofForm, file: File | null) => {
    chosen.current = file
    form.setFieldValue('attechment', file?.name ?? '')
    if (!file) return
    form.clearFieldError('attechment')
    const fault = await faultOf(await preparedProof(file), megabytes)
    if (fault && chosen.current === file) form.setFieldError('attechment', translateSentence(fault))
  }

  /** The file as the calls take it. Throws what is wrong with it, at its field; `missing` where there is none. */
  const take = async (missing: string) => {
    const file = chosen.current && (await preparedProof(chosen.current))
    const fault = file ? await faultOf(file, megabytes) : missing
    if (!file || fault) throw refusalOf(fault ?? missing)
    return { attechment: await dataUrlOf(file), attechmentName: file.name }
  }
  return { megabytes, isChosen, choose, take }
}

const refusalOf = (message: string) =>
  new CallError(message, 400, 'input.invalid', [{ path: 'attechment', message }])
