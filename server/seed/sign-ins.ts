import {
  demoAccounts,
  demoFamilyLink,
  demoOfficers,
  demoPassword,
} from '../src/features/accounts/demo/rules.ts'

/** The sign-ins of the demo world, as the start prints them after the address. */
export function signIns(publicUrl: string): string {
  const wide = Math.max(...[...demoAccounts, ...demoOfficers].map(({ email }) => email.length)) + 2
  const line = (email: string, what: string) => `  ${email.padEnd(wide)}${what}`
  return [
    `Demo world. The password of all is ${demoPassword}`,
    `Schools, ${publicUrl}/login`,
    ...demoAccounts.map(({ email, shows }) => line(email, shows)),
    `The foundation, ${publicUrl}/office (codes of the second factor are on the demo page)`,
    ...demoOfficers.map(({ email, role }) => line(email, role)),
    `A family, ${publicUrl}/student?id=${demoFamilyLink.id} (access code ${demoFamilyLink.code})`,
    `Demo page with links, codes and mails: ${publicUrl}/demo`,
  ].join('\n')
}
