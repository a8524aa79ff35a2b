import { getStudentDetails, type StudentRow, saveStudentDetails } from '@podium/contract/students/calls'
import { amountFields, type StudentFee } from '@podium/contract/students/rules-fee'
import type { StudentFields } from '@podium/contract/students/schemas'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { CallError, call } from '#shell/call.ts'
import { words } from './words.ts'

const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

const spaced = (value: string | number) => String(value || '–').replaceAll(',', ', ')

/** What somebody else has made of a student, as `Roll no 12 → 14`. */
function useChanges() {
  const t = words.use()
  return (before: StudentRow, after: StudentRow): string => {
    const shown: [string, string | number, string | number][] = [
      [t('class'), before.className, after.className],
      [t('section'), before.section, after.section],
      [t('rollNo'), before.rollNo, after.rollNo],
      [t('studentName'), before.studentName, after.studentName],
      [t('parentName'), before.parentName, after.parentName],
      [t('parentEmail'), before.parentEmailId, after.parentEmailId],
      [t('parentMobile'), before.parentMobileNo, after.parentMobileNo],
      [t('subjects'), before.subjectName, after.subjectName],
      [t('cb'), before.cb, after.cb],
      [t('pyqp'), before.pyqp, after.pyqp],
      [t('geneX'), before.genex, after.genex],
      [t('tb'), before.tb, after.tb],
      [t('wb'), before.wb, after.wb],
    ]
    return shown
      .filter(([, was, is]) => was !== is)
      .map(([name, was, is]) => `${name} ${spaced(was)} → ${spaced(is)}`)
      .join('; ')
  }
}

/**
 * Saves a student. A repeated press sends the same key, so nothing is entered twice. Of a row that somebody else has
 * changed meanwhile the latest state is fetched: the next save is against that one. Throws CallError.
 */
export function useSaveStudent(season: string, row: StudentRow | undefined) {
  const t = words.use()
  const changes = useChanges()
  const client = useQueryClient()
  const latest = useRef(row)
  const sent = useRef({ text: '', key: '' })

  const afterChange = async (refusal: CallError): Promise<never> => {
    const list = await call(getStudentDetails, { body: { FYear: season } })
    const before = latest.current
    const after = list.data.find((one) => one.id === before?.id)
    void client.invalidateQueries()
    if (!before || !after) throw refusal
    latest.current = after
    const what = changes(before, after)
    const message = what ? t('changedBy', { what }) : t('changedSame')
    throw new CallError(message, refusal.status, refusal.code, [], refusal.id)
  }

  return async (fields: StudentFields, fee: StudentFee | undefined) => {
    const { subjectName, cb, pyqp, geneX, tb, wb, ...plain } = fields
    const body = {
      id: latest.current?.id ?? 0,
      version: latest.current?.version,
      FYear: season,
      ...plain,
      subjectName: subjectName.join(','),
      cb: cb.join(','),
      pyqp: pyqp.join(','),
      geneX: geneX.join(','),
      tb: tb.join(','),
      wb: wb.join(','),
      currency: 'INR' as const,
      ...(fee ? amountFields(fee) : {}),
    }
    const text = JSON.stringify(body)
    if (text !== sent.current.text) sent.current = { text, key: newKey() }
    try {
      const answer = await call(saveStudentDetails, { body, idempotencyKey: sent.current.key })
      sent.current = { text: '', key: '' }
      void client.invalidateQueries()
      return answer
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      if (cause.code === 'changed_meanwhile') return afterChange(cause)
      // The new amounts come with the catalogue itself, which everything here is priced from.
      if (cause.code === 'enrolment.amounts_changed') await client.invalidateQueries()
      throw cause
    }
  }
}
