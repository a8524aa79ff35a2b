import { fileErrors } from '@podium/contract/refusals'
import { useRef, useState } from 'react'
import * as z from 'zod/mini'
import { CallError } from './call.ts'
import { translateSentence } from './language/sentences.ts'
import { usePortalLimits } from './portal-limits.ts'
import { words } from './words.ts'

/** Phone photos have 12 megapixels and more; this many pixels on the longer side are enough to read a slip. */
const maxPixels = 2400
const maxUnscaledBytes = 1.5 * 1024 * 1024

/** Returns the name with the new file type's extension. */
function jpegName(name: string): string {
  return `${name.replace(/\.[^.]+$/, '')}.jpg`
}

/**
 * Prepares a chosen proof for upload: shrinks a large picture, so that it gets through a slow line. Anything else, and
 * what the browser can't read, is sent as it is; the server decides.
 */
async function prepareProof(file: File): Promise<File> {
  if (!file.type.startsWith('image/')) return file
  try {
    const picture = await createImageBitmap(file)
    const scale = Math.min(1, maxPixels / Math.max(picture.width, picture.height))
    if (scale === 1 && file.size <= maxUnscaledBytes) return file
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(picture.width * scale)
    canvas.height = Math.round(picture.height * scale)
    const context = canvas.getContext('2d')
    if (!context) return file
    // White behind transparent parts: JPEG has no transparency, and black would hide the text.
    context.fillStyle = '#fff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(picture, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', 0.85))
    return blob && blob.size < file.size
      ? new File([blob], jpegName(file.name), { type: 'image/jpeg' })
      : file
  } catch {
    return file
  }
}

/** Returns the file as a data URL, as the payment call expects it. */
function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error('the file could not be read'))
    reader.readAsDataURL(file)
  })
}

/** Allowed types of a proof, for the `accept` attribute. */
export const proofKinds = 'image/jpeg,image/png,image/webp,application/pdf'

/** No slip is this small; icons and empty pages are. It can still be sent. */
const suspiciousBytes = 1000

/** What a proof needs from a form. */
interface ProofForm {
  setFieldValue: (path: 'attechment', value: string) => void
  setFieldError: (path: 'attechment', error: string) => void
  clearFieldError: (path: 'attechment') => void
}

/** Returns why a prepared file can't be sent, in the server's own sentence. */
async function findProofError(file: File, megabytes: number, heic: string): Promise<string | undefined> {
  const { 'file.unsupported': unsupported, 'file.too_large': tooLarge } = fileErrors
  if (!proofKinds.split(',').includes(file.type))
    return /\.hei[cf]$/i.test(file.name) ? heic : unsupported.sentence
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
 * The proof of a form whose field `attechment` holds the file's name. Checked when chosen, so that no one waits for an
 * upload that will be refused.
 */
export function useProof() {
  const { proofMegabytes: megabytes } = usePortalLimits()
  const heic = words.use()('heic')
  const chosenFile = useRef<File>(null)
  /** Why the chosen file can't be sent */
  const chosenFault = useRef<string>(undefined)
  const [doubtful, setDoubtful] = useState(false)

  /** Returns the check of the form's field: a file is chosen, and it can be sent; `missing`, if one is needed, if there is none. */
  const check = (missing?: string) =>
    z.refine<string>(
      () => (chosenFile.current !== null || missing === undefined) && chosenFault.current === undefined,
      { error: () => chosenFault.current ?? missing },
    )

  const choose = async (form: ProofForm, file: File | null) => {
    chosenFile.current = file
    chosenFault.current = undefined
    setDoubtful(false)
    form.setFieldValue('attechment', file?.name ?? '')
    form.clearFieldError('attechment')
    if (!file) return
    const fault = await findProofError(await prepareProof(file), megabytes, heic)
    if (chosenFile.current !== file) return
    chosenFault.current = fault
    if (fault) form.setFieldError('attechment', translateSentence(fault))
    else setDoubtful(file.size < suspiciousBytes)
  }

  /** Returns the file as the calls expect it. Throws its error, at its field; `missing` if there is no file. */
  const take = async (missing: string) => {
    const file = chosenFile.current && (await prepareProof(chosenFile.current))
    const fault = file ? await findProofError(file, megabytes, heic) : missing
    if (!file || fault) throw refusalOf(fault ?? missing)
    return { attechment: await dataUrlOf(file), attechmentName: file.name }
  }
  const isChosen = () => chosenFile.current !== null
  return { megabytes, doubtful, check, choose, isChosen, take }
}

const refusalOf = (message: string) =>
  new CallError(message, 400, 'input.invalid', [{ path: 'attechment', message }])
