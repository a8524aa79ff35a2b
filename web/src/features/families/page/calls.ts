import type { Endpoint } from '@podium/contract/endpoint'
import type {
  closeFamilyPage,
  enrolmentTicket,
  getFamilyStudents,
  verifyFamilyCode,
} from '@podium/contract/families/calls'
import type { editFamilyStudent } from '@podium/contract/families/calls-edit'
import { familyPaths } from '@podium/contract/families/paths'

/** An endpoint as `call` needs it, which asks for method and path alone: its schemas stay on the server. */
const light = <E extends Endpoint>(at: Pick<E, 'method' | 'path'>) => at as E

export const seeStudents = light<typeof getFamilyStudents>(familyPaths.students)
export const giveCode = light<typeof verifyFamilyCode>(familyPaths.verify)
export const saveStudent = light<typeof editFamilyStudent>(familyPaths.edit)
export const takeTicket = light<typeof enrolmentTicket>(familyPaths.ticket)
export const closePage = light<typeof closeFamilyPage>(familyPaths.close)
