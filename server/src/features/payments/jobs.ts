import { rupeesOf } from '@podium/contract/money'
import { paymentForOf } from '@podium/contract/payments/rules'
import type { Db } from '#platform/db/database'
import type { Deps } from '#platform/deps'
import { orNotFound, Refusal } from '#platform/errors'
import { dropDayOld, type FileStore, readStored, type StoredFile, storeFile } from '#platform/files/files'
import { type ZipEntry, zip } from '#platform/files/zip'
import { letterhead } from '#platform/foundation'
import type { Job, JobContext, JobHandlers } from '#platform/jobs/jobs'
import { mailVerified } from './commands-mails.ts'
import { receiptPdf } from './receipts/documents.ts'
import { type ReceiptData, receiptArchives, receiptData, receiptsZipKind } from './receipts/queries.ts'

const fileName = (receiptNo: string) => `Receipt-${receiptNo.replace(/[^A-Za-z0-9]+/g, '-')}.pdf`

/**
 * The receipt of a payment, created and e-mailed when first requested. Concurrent requests get the same one: there is
 * only one receipt and one e-mail. Once it is cancelled it is created again, without an e-mail. Refuses with `not_found`
 * if the payment was never verified.
 */
export async function storedReceipt(
  db: Db,
  files: FileStore,
  now: Date,
  paymentId: number,
): Promise<StoredFile> {
  const receipt = orNotFound(await receiptData(db, paymentId))
  const fileId = receipt.receipt_file_id ?? (await createReceipt(db, files, now, receipt))
  return orNotFound(await readStored(db, files, fileId, { kind: 'receipt' }))
}

async function createReceipt(db: Db, files: FileStore, now: Date, receipt: ReceiptData): Promise<string> {
  const bytes = await receiptPdf(receipt, await letterhead(db, files))
  return db.transaction().execute(async (tx) => {
    const locked = await tx
      .selectFrom('payments')
      .select(['receipt_file_id', 'reversed_at'])
      .where('id', '=', receipt.id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (locked.receipt_file_id !== null) return locked.receipt_file_id
    if (locked.reversed_at?.getTime() !== receipt.reversed_at?.getTime())
      throw new Refusal('changed_meanwhile')
    const name = fileName(receipt.receipt_no)
    const fileId = await storeFile(tx, files, now, {
      schoolId: receipt.school_id,
      kind: 'receipt',
      name,
      mediaType: 'application/pdf',
      bytes,
    })
    await tx.updateTable('payments').set({ receipt_file_id: fileId }).where('id', '=', receipt.id).execute()
    if (receipt.reversed_at) return fileId
    const mail = {
      id: receipt.id,
      schoolId: receipt.school_id,
      submittedBy: receipt.submitted_by,
      paymentFor: paymentForOf(receipt.purpose),
      amount: rupeesOf(receipt.payable),
      season: receipt.season,
      receiptNo: receipt.receipt_no,
    }
    await mailVerified(tx, now, mail, { fileId, filename: name })
    return fileId
  })
}

/** Receipts in memory at a time. */
const zippedAtOnce = 100

/**
 * Receipts as PDFs in partial archives; after a restart it continues after the last stored one. A receipt that was never
 * stored is drawn only for the archive: its school gets it from its own job.
 */
async function zipReceipts(files: FileStore, job: Job, { db, clock, progress, checkpoint }: JobContext) {
  await dropDayOld(db, files, receiptsZipKind, clock())
  const ids = job.input.ids as number[]
  const issuer = await letterhead(db, files)
  const archives = receiptArchives(job)
  for (let start = archives.length * zippedAtOnce; start < ids.length; start += zippedAtOnce) {
    const entries: ZipEntry[] = []
    for (const id of ids.slice(start, start + zippedAtOnce)) {
      const receipt = orNotFound(await receiptData(db, id))
      const fileId = receipt.receipt_file_id
      const content = fileId
        ? orNotFound(await readStored(db, files, fileId, { kind: 'receipt' })).content
        : await receiptPdf(receipt, issuer)
      entries.push({ name: fileName(receipt.receipt_no), content })
      await progress(start + entries.length, ids.length)
    }
    const bytes = zip(entries)
    const file = {
      kind: receiptsZipKind,
      name: `Receipts ${start + 1}.zip`,
      mediaType: 'application/zip',
      bytes,
    }
    const fileId = await db.transaction().execute((tx) => storeFile(tx, files, clock(), file))
    archives.push({ fileId, bytes: bytes.length })
    await checkpoint({ archives })
  }
  return { archives }
}

/** Jobs that create receipts after the verification has committed, so that no PDF is made under locks, and many receipts as a ZIP. */
export function paymentJobs(deps: Deps): JobHandlers {
  return {
    [receiptsZipKind]: (job, context) => zipReceipts(deps.files, job, context),
    'payment-receipt': async (job, { db, clock }) => {
      const file = await storedReceipt(db, deps.files, clock(), Number(job.input.paymentId))
      deps.wake()
      return { fileId: file.id }
    },
  }
}
