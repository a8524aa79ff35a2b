import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, text } from '../fields.ts'
import { messages } from '../messages.ts'
import { inviteForm } from './calls-invitations.ts'

/** What the office does for the people of a school; `id` is the school throughout. */

export const officeInvite = endpoint('POST /api/office/schools/invite', {
  summary: 'Mails somebody a link with which they join a school; the first person becomes its coordinator.',
  body: z.strictObject({ ...inviteForm.shape, id: bodyId }),
  answer: z.object({ invitationId: z.int() }),
})

const which = z.strictObject({ id: bodyId, invitationId: bodyId })

export const officeResendInvitation = endpoint('POST /api/office/schools/resendInvitation', {
  summary: 'Mails an invitation again, with a new link and a new end; the link before works no more.',
  body: which,
})

export const officeWithdrawInvitation = endpoint('POST /api/office/schools/withdrawInvitation', {
  summary: 'Takes an invitation back: its link works no more.',
  body: which,
})

export const officeRemovePerson = endpoint('POST /api/office/schools/removePerson', {
  summary:
    'Removes somebody from a school, who is signed out at once and told why by mail. Not the coordinator while others are there.',
  body: z.strictObject({
    id: bodyId,
    userId: bodyId,
    version: bodyId,
    reason: text(messages.reasonRequired, 500),
  }),
})
